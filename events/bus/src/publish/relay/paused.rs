//! Families of subjects that the relay does not publish for a while.

use std::{collections::HashMap, time::Duration};

use tokio::time::Instant;

/// The first pause of a family of subjects whose stream refuses.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// The longest pause of such a family.
const MAX_PAUSE: Duration = Duration::from_secs(30);

/// Families of subjects whose stream refused (it is full). Each pauses for a growing time, and the others
/// go on.
#[derive(Default)]
pub(super) struct PausedFamilies(HashMap<String, Pause>);

struct Pause {
    until: Instant,
    duration: Duration,
}

impl PausedFamilies {
    /// The families that are paused now.
    pub fn families(&self) -> Vec<String> {
        let now = Instant::now();
        let paused = self.0.iter().filter(|(_, pause)| pause.until > now);
        paused.map(|(family, _)| family.clone()).collect()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The time until the next one may be tried again.
    pub fn next(&self) -> Option<Duration> {
        let now = Instant::now();
        let ends = self.0.values().map(|pause| pause.until);
        Some(ends.min()?.saturating_duration_since(now))
    }

    pub fn pause(&mut self, family: String) {
        let pause = self.0.entry(family).or_insert(Pause {
            until: Instant::now(),
            duration: FIRST_PAUSE / 2,
        });
        pause.duration = (pause.duration * 2).min(MAX_PAUSE);
        pause.until = Instant::now() + pause.duration;
    }

    /// Drops the pauses that are over: none of their families has rows to publish.
    pub fn end_pauses(&mut self) {
        let now = Instant::now();
        self.0.retain(|_, pause| pause.until > now);
    }

    pub fn resume(&mut self, family: &str) {
        self.0.remove(family);
    }
}
