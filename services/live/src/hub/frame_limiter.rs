//! Limits of a client's frames, and of bad frames: those that are refused.

use std::time::{Duration, Instant};

const WINDOW: Duration = Duration::from_secs(1);
/// The time after which one bad frame is forgiven.
const FORGIVE_INTERVAL: Duration = Duration::from_secs(5);

/// One client's frames and bad frames.
#[derive(Debug)]
pub struct FrameLimiter {
    window: Instant,
    frames: u32,
    bad_frames: u32,
    forgiven: Instant,
}

impl FrameLimiter {
    pub fn new(now: Instant) -> Self {
        Self {
            window: now,
            frames: 0,
            bad_frames: 0,
            forgiven: now,
        }
    }

    /// Counts a frame. False if there are too many in this second.
    pub fn allows_frame(&mut self, now: Instant, most: u32) -> bool {
        if now.duration_since(self.window) >= WINDOW {
            (self.window, self.frames) = (now, 0);
        }
        self.frames += 1;
        self.frames <= most
    }

    /// Counts a bad frame. False if there are too many.
    pub fn allows_bad_frame(&mut self, now: Instant, most: u32) -> bool {
        while self.bad_frames > 0 && now.duration_since(self.forgiven) >= FORGIVE_INTERVAL {
            self.bad_frames -= 1;
            self.forgiven += FORGIVE_INTERVAL;
        }
        if self.bad_frames == 0 {
            self.forgiven = now;
        }
        self.bad_frames += 1;
        self.bad_frames <= most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_has_room_for_so_many_frames() {
        let start = Instant::now();
        let mut limiter = FrameLimiter::new(start);
        assert!((0..20).all(|_| limiter.allows_frame(start, 20)));
        assert!(!limiter.allows_frame(start, 20));
        assert!(limiter.allows_frame(start + WINDOW, 20));
    }

    #[test]
    fn bad_frames_are_forgiven_one_by_one() {
        let start = Instant::now();
        let mut limiter = FrameLimiter::new(start);
        assert!((0..10).all(|_| limiter.allows_bad_frame(start, 10)));
        assert!(!limiter.allows_bad_frame(start, 10));
        assert!(limiter.allows_bad_frame(start + FORGIVE_INTERVAL, 11));
        assert!(!limiter.allows_bad_frame(start + FORGIVE_INTERVAL, 11));
        assert!((0..100).all(|n| {
            limiter.allows_bad_frame(start + FORGIVE_INTERVAL * 20 + FORGIVE_INTERVAL * n, 2)
        }));
    }
}
