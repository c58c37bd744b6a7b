//! The positions that watchers got.

use super::positions::NUMBERS;
use crate::figures::Latencies;

/// Of all watchers together.
#[derive(Debug, Default)]
pub struct Tally {
    pub received: u64,
    pub lost: u64,
    pub doubled: u64,
    pub latencies: Latencies,
}

/// The progress of one watcher in its topic's numbers.
#[derive(Debug, Default)]
pub struct TopicProgress(u64);

impl Tally {
    /// Counts a position.
    pub fn count(&mut self, progress: &mut TopicProgress, number: u64, latency: u64) {
        let ahead = (number + NUMBERS - progress.0 % NUMBERS) % NUMBERS;
        if ahead >= NUMBERS / 2 {
            self.doubled += 1;
            return;
        }
        self.lost += ahead;
        progress.0 += ahead + 1;
        self.received += 1;
        self.latencies.add(latency);
    }
}
