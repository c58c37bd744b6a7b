//! Families of subjects that the relay leaves alone for a while.

use std::{collections::HashMap, time::Duration};

use tokio::time::Instant;

/// The pauses of a family of subjects whose stream refuses: the first, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(30));

/// Families of subjects whose stream refused (it is full). Each is left alone for a growing time, and
/// the others go on.
#[derive(Default)]
pub(super) struct Held(HashMap<String, Hold>);

struct Hold {
    until: Instant,
    pause: Duration,
}

impl Held {
    /// Those that are not to be tried now.
    pub fn families(&self) -> Vec<String> {
        let now = Instant::now();
        let held = self.0.iter().filter(|(_, hold)| hold.until > now);
        held.map(|(family, _)| family.clone()).collect()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The time until the next one may be tried again.
    pub fn next(&self) -> Option<Duration> {
        let now = Instant::now();
        let ends = self.0.values().map(|hold| hold.until);
        Some(ends.min()?.saturating_duration_since(now))
    }

    pub fn hold(&mut self, family: String) {
        let hold = self.0.entry(family).or_insert(Hold {
            until: Instant::now(),
            pause: PAUSES.0 / 2,
        });
        hold.pause = (hold.pause * 2).min(PAUSES.1);
        hold.until = Instant::now() + hold.pause;
    }

    /// Drops the holds that are over: nothing waits behind them.
    pub fn end_holds(&mut self) {
        let now = Instant::now();
        self.0.retain(|_, hold| hold.until > now);
    }

    pub fn free(&mut self, family: &str) {
        self.0.remove(family);
    }
}
