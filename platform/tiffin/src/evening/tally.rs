//! The counts of an evening that is played.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

#[derive(Debug, Default)]
pub struct Tally {
    placed: AtomicUsize,
    on_their_way: AtomicUsize,
    delivered: AtomicUsize,
    cancelled: AtomicUsize,
    positions: AtomicUsize,
    /// Calls that were refused or had no answer, by what was said.
    refused: Mutex<BTreeMap<String, usize>>,
}

/// The last of a checkout's steps that was taken.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    Placed,
    SetOut,
    Delivered,
    Cancelled,
}

impl Tally {
    /// Counts a step of so many orders.
    pub fn count(&self, step: Step, orders: usize) {
        match step {
            Step::Placed => self.placed.fetch_add(orders, Relaxed),
            Step::SetOut => self.on_their_way.fetch_add(orders, Relaxed),
            Step::Delivered => {
                self.on_their_way.fetch_sub(orders, Relaxed);
                self.delivered.fetch_add(orders, Relaxed)
            }
            Step::Cancelled => self.cancelled.fetch_add(orders, Relaxed),
        };
    }

    pub fn count_position(&self) {
        self.positions.fetch_add(1, Relaxed);
    }

    pub fn refused(&self, said: String) {
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        *refused.entry(said).or_default() += 1;
    }

    /// The sentences of refusals, with their numbers.
    pub fn refusals(&self) -> Vec<String> {
        let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        refused
            .iter()
            .map(|(said, count)| format!("{count} × {said}"))
            .collect()
    }

    /// The orders that are neither delivered nor cancelled.
    pub fn open(&self) -> usize {
        let ended = self.delivered.load(Relaxed) + self.cancelled.load(Relaxed);
        self.placed.load(Relaxed).saturating_sub(ended)
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        let refused: usize = refused.values().sum();
        write!(
            f,
            "{} placed, {} open ({} on their way), {} delivered, {} cancelled, {} positions, {refused} calls refused",
            self.placed.load(Relaxed),
            self.open(),
            self.on_their_way.load(Relaxed),
            self.delivered.load(Relaxed),
            self.cancelled.load(Relaxed),
            self.positions.load(Relaxed),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_add_up() {
        let tally = Tally::default();
        tally.count(Step::Placed, 3);
        tally.count(Step::SetOut, 2);
        tally.count(Step::Delivered, 2);
        tally.count(Step::Placed, 1);
        tally.count(Step::Cancelled, 1);
        tally.refused("429: wait".to_owned());
        tally.refused("429: wait".to_owned());
        assert_eq!(tally.open(), 1);
        assert_eq!(tally.refusals(), ["2 × 429: wait"]);
        assert_eq!(
            tally.to_string(),
            "4 placed, 1 open (0 on their way), 2 delivered, 1 cancelled, 0 positions, 2 calls refused"
        );
    }
}
