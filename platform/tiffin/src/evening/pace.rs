//! The evening's time, which runs faster than the world's.

use std::time::Duration;

use tokio::time::{Instant, sleep_until};

#[derive(Clone, Copy, Debug)]
pub struct Pace {
    began: Instant,
    speed: f64,
}

impl Pace {
    /// An evening that begins now.
    pub fn begin(speed: u8) -> Self {
        Self {
            began: Instant::now(),
            speed: f64::from(speed),
        }
    }

    /// The time since the evening began.
    pub fn now(self) -> Duration {
        self.began.elapsed().mul_f64(self.speed)
    }

    /// Seconds of the evening in a second of the world.
    pub const fn speed(self) -> f64 {
        self.speed
    }

    /// Returns at a time of the evening, at once if it is past.
    pub async fn wait_until(self, at: Duration) {
        sleep_until(self.began + at.div_f64(self.speed)).await;
    }

    /// Returns after a duration of the evening.
    pub async fn wait(self, duration: Duration) {
        tokio::time::sleep(duration.div_f64(self.speed)).await;
    }
}
