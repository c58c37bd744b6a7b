//! Limits of a client's frames and of its faults.

use std::time::{Duration, Instant};

const WINDOW: Duration = Duration::from_secs(1);
/// One fault is forgiven after this.
const FORGIVEN: Duration = Duration::from_secs(5);

/// One client's frames and faults.
#[derive(Debug)]
pub struct Pace {
    window: Instant,
    frames: u32,
    faults: u32,
    forgiven: Instant,
}

impl Pace {
    pub fn new(now: Instant) -> Self {
        Self {
            window: now,
            frames: 0,
            faults: 0,
            forgiven: now,
        }
    }

    /// Counts a frame; false where it is one too many in this second.
    pub fn frame(&mut self, now: Instant, most: u32) -> bool {
        if now.duration_since(self.window) >= WINDOW {
            (self.window, self.frames) = (now, 0);
        }
        self.frames += 1;
        self.frames <= most
    }

    /// Counts a fault; false where it is one too many.
    pub fn fault(&mut self, now: Instant, most: u32) -> bool {
        while self.faults > 0 && now.duration_since(self.forgiven) >= FORGIVEN {
            self.faults -= 1;
            self.forgiven += FORGIVEN;
        }
        if self.faults == 0 {
            self.forgiven = now;
        }
        self.faults += 1;
        self.faults <= most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_has_room_for_so_many_frames() {
        let start = Instant::now();
        let mut pace = Pace::new(start);
        assert!((0..20).all(|_| pace.frame(start, 20)));
        assert!(!pace.frame(start, 20));
        assert!(pace.frame(start + WINDOW, 20));
    }

    #[test]
    fn faults_are_forgiven_one_by_one() {
        let start = Instant::now();
        let mut pace = Pace::new(start);
        assert!((0..10).all(|_| pace.fault(start, 10)));
        assert!(!pace.fault(start, 10));
        assert!(pace.fault(start + FORGIVEN, 11));
        assert!(!pace.fault(start + FORGIVEN, 11));
        assert!((0..100).all(|n| pace.fault(start + FORGIVEN * 20 + FORGIVEN * n, 2)));
    }
}
