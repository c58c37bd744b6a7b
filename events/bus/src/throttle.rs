//! A throttle of transactions, so that a busy loop does more in each.

use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// The transactions that a loop may begin at once after a quiet time.
const MAX_BURST: u32 = 20;

/// Lets a quiet loop begin at once, and one that has been busy for a while only once every `interval`.
/// Work that comes meanwhile is handled together.
#[derive(Debug)]
pub(crate) struct Throttle {
    interval: Duration,
    /// The time at which the next transaction would begin if all kept the interval.
    due: Instant,
}

impl Throttle {
    pub(crate) fn new(interval: Duration) -> Self {
        Self {
            interval,
            due: Instant::now(),
        }
    }

    /// Waits until the next transaction may begin.
    pub(crate) async fn wait(&mut self) {
        sleep_until(self.begin(Instant::now())).await;
    }

    fn begin(&mut self, now: Instant) -> Instant {
        let saved = self.interval * MAX_BURST;
        self.due = self.due.max(now) + self.interval;
        self.due.checked_sub(saved).map_or(now, |at| at.max(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_burst_begins_at_once_and_the_rest_at_intervals() {
        let interval = Duration::from_millis(25);
        let mut throttle = Throttle::new(interval);
        let start = Instant::now();
        for _ in 0..MAX_BURST {
            throttle.wait().await;
        }
        assert_eq!(start.elapsed(), Duration::ZERO);
        for _ in 0..4 {
            throttle.wait().await;
        }
        assert_eq!(start.elapsed(), interval * 4);
        // After a quiet time it may begin as many at once again.
        tokio::time::advance(interval * MAX_BURST).await;
        let start = Instant::now();
        for _ in 0..MAX_BURST {
            throttle.wait().await;
        }
        assert_eq!(start.elapsed(), Duration::ZERO);
    }
}
