//! The sockets that are closed because the server stops.

use std::time::{Duration, Instant};

#[derive(Debug)]
pub struct Goodbyes {
    have_begun: bool,
    /// Sockets that are still to be closed.
    leaving: Vec<usize>,
    /// The time of the next ones.
    pub due: Instant,
}

impl Goodbyes {
    pub fn new(now: Instant) -> Self {
        Self {
            have_begun: false,
            leaving: Vec::new(),
            due: now,
        }
    }

    pub fn begin(&mut self, sockets: Vec<usize>) {
        self.have_begun = true;
        self.leaving = sockets;
    }

    pub fn have_begun(&self) -> bool {
        self.have_begun
    }

    /// True while sockets wait for their goodbye.
    pub fn wait(&self) -> bool {
        !self.leaving.is_empty()
    }

    pub fn are_due(&self, now: Instant) -> bool {
        self.wait() && now >= self.due
    }

    /// The sockets to close now; the next are due after the pause.
    pub fn next(&mut self, now: Instant, (at_once, pause): (usize, Duration)) -> Vec<usize> {
        self.due = now + pause;
        let rest = self.leaving.len().saturating_sub(at_once);
        self.leaving.split_off(rest)
    }
}
