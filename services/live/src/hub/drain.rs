//! The sockets that are closed because the server stops.

use std::time::{Duration, Instant};

#[derive(Debug)]
pub struct Drain {
    has_begun: bool,
    /// Sockets that are still to be closed.
    leaving: Vec<usize>,
    /// The time of the next ones.
    pub due: Instant,
}

impl Drain {
    pub fn new(now: Instant) -> Self {
        Self {
            has_begun: false,
            leaving: Vec::new(),
            due: now,
        }
    }

    pub fn begin(&mut self, sockets: Vec<usize>) {
        self.has_begun = true;
        self.leaving = sockets;
    }

    pub fn has_begun(&self) -> bool {
        self.has_begun
    }

    /// True while sockets are still to be closed.
    pub fn is_waiting(&self) -> bool {
        !self.leaving.is_empty()
    }

    pub fn is_due(&self, now: Instant) -> bool {
        self.is_waiting() && now >= self.due
    }

    /// The sockets to close now; the next are due after the pause.
    pub fn next(&mut self, now: Instant, (at_once, pause): (usize, Duration)) -> Vec<usize> {
        self.due = now + pause;
        let rest = self.leaving.len().saturating_sub(at_once);
        self.leaving.split_off(rest)
    }
}
