//! From a pace to the time at which a stream is full: pure functions.

use std::time::Duration as Span;

use time::{Duration, OffsetDateTime};

/// The time over which paces are measured.
const WEEK: Duration = Duration::days(7);
/// The age of the platform below which a pace says nothing about the days to come.
const MIN_AGE: Duration = Duration::days(1);
/// The farthest time that is named: at a slower pace a stream is as good as never full.
const FARTHEST_DAYS: f64 = 100.0 * 365.0;
const SECONDS_A_DAY: f64 = 86_400.0;

/// The time over which paces are measured: the last seven days, or all of a younger platform's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    pub since: OffsetDateTime,
    until: OffsetDateTime,
}

impl Window {
    /// The window up to now of a platform whose first event is of that time.
    pub fn new(first_event: Option<OffsetDateTime>, now: OffsetDateTime) -> Self {
        let since = first_event.unwrap_or(now).clamp(now - WEEK, now);
        Self { since, until: now }
    }

    pub fn days(self) -> f64 {
        (self.until - self.since).as_seconds_f64() / SECONDS_A_DAY
    }

    /// True if the platform is at least as old as the seven days.
    pub fn is_whole(self) -> bool {
        self.until - self.since >= WEEK
    }

    /// The days that messages of a stream can be counted over: it may keep them for less than the window.
    pub fn days_within(self, max_age: Option<Span>) -> f64 {
        max_age.map_or(self.days(), |age| self.days().min(days(age)))
    }

    /// A number of the window as a number a day; `None` if the platform is younger than a day.
    pub fn a_day(self, number: f64, days: f64) -> Option<f64> {
        (self.until - self.since >= MIN_AGE && days > 0.0).then(|| number / days)
    }
}

fn days(span: Span) -> f64 {
    span.as_secs_f64() / SECONDS_A_DAY
}

/// The room of a stream.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    pub messages: u64,
    pub bytes: u64,
    /// `None` if only the broker's disk limits it.
    pub max_bytes: Option<u64>,
    /// The time after which it drops a message; `None` if it keeps all.
    pub max_age: Option<Span>,
    /// True if it refuses when it is full. Others drop the oldest messages.
    pub refuses: bool,
}

#[expect(
    clippy::cast_precision_loss,
    reason = "figures for people: a stream has less than 2^53 bytes and messages"
)]
impl Room {
    /// The mean bytes of a message; 0 without messages.
    pub fn bytes_a_message(self) -> f64 {
        if self.messages == 0 {
            0.0
        } else {
            self.bytes as f64 / self.messages as f64
        }
    }

    /// The part that is filled, in percent with one decimal; `None` without a cap.
    pub fn percent(self) -> Option<f64> {
        let max = self.max_bytes.filter(|max| *max > 0)?;
        Some((self.bytes as f64 / max as f64 * 1_000.0).round() / 10.0)
    }

    /// The time at which it refuses messages at this pace; `now` if it does already. `None` if it never will: it has no
    /// cap, drops the oldest messages, does not grow, or drops messages of age before they fill it.
    pub fn full_at(self, now: OffsetDateTime, bytes_a_day: Option<f64>) -> Option<OffsetDateTime> {
        let max = self.max_bytes.filter(|_| self.refuses)? as f64;
        let left = max - self.bytes as f64;
        // A message that is larger than what is left is refused.
        if left <= 0.0 || left < self.bytes_a_message() {
            return Some(now);
        }
        let pace = bytes_a_day.filter(|pace| *pace > 0.0)?;
        if self.max_age.is_some_and(|age| pace * days(age) <= max) {
            return None;
        }
        let until = left / pace;
        (until <= FARTHEST_DAYS).then(|| now + Duration::seconds_f64(until * SECONDS_A_DAY))
    }
}

#[cfg(test)]
#[path = "pace/tests.rs"]
mod tests;
