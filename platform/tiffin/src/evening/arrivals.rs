//! The times at which a Friday evening's checkouts arrive.

use std::{str::FromStr, time::Duration};

use anyhow::{Context, Result};
use rand::{RngExt, rngs::StdRng};
use time::Time;

/// Minutes of the day at which most orders arrive: eight o'clock.
const PEAK: f64 = 20.0 * 60.0;
/// The standard deviation of the rush, in minutes.
const RUSH: f64 = 50.0;
/// The part of the peak's rate that arrives at any time.
const BASE: f64 = 0.15;

/// A time of day to the minute, as `19:30`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TimeOfDay(u16);

impl TimeOfDay {
    pub const fn minutes(self) -> u16 {
        self.0
    }

    /// The time so long after this one.
    pub fn after(self, passed: Duration) -> Self {
        let minutes = u64::from(self.0) + passed.as_secs() / 60;
        Self(u16::try_from(minutes % (24 * 60)).unwrap_or_default())
    }
}

impl FromStr for TimeOfDay {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let refusal = "a time of day is written as 19:30";
        let (hour, minute) = text.split_once(':').context(refusal)?;
        let (hour, minute) = (hour.parse(), minute.parse());
        let time = Time::from_hms(hour.context(refusal)?, minute.context(refusal)?, 0);
        let time = time.context(refusal)?;
        Ok(Self(u16::from(time.hour()) * 60 + u16::from(time.minute())))
    }
}

impl std::fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:02}:{:02}", self.0 / 60, self.0 % 60)
    }
}

/// The rate of arrivals at a minute of the day, 0 to 1.
fn rate(minute: f64) -> f64 {
    let away = (minute - PEAK) / RUSH;
    BASE + (1.0 - BASE) * (-away * away / 2.0).exp()
}

/// So many arrivals between two times of day, as time since the first, in order.
pub fn draw(random: &mut StdRng, count: usize, from: TimeOfDay, until: TimeOfDay) -> Vec<Duration> {
    let length = f64::from(until.minutes().saturating_sub(from.minutes()).max(1));
    let mut arrivals = Vec::with_capacity(count);
    while arrivals.len() < count {
        let minutes = random.random_range(0.0..length);
        if random.random_range(0.0..1.0) < rate(f64::from(from.minutes()) + minutes) {
            arrivals.push(Duration::from_secs_f64((minutes * 60.0).floor()));
        }
    }
    arrivals.sort_unstable();
    arrivals
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn a_time_of_day_is_read_as_it_is_written() {
        for text in ["00:00", "09:05", "19:30", "23:59"] {
            assert_eq!(text.parse::<TimeOfDay>().unwrap().to_string(), text);
        }
        for text in ["", "19", "24:00", "19:60", "19:3x", "-1:00"] {
            assert!(text.parse::<TimeOfDay>().is_err(), "{text}");
        }
        let late: TimeOfDay = "23:50".parse().unwrap();
        assert_eq!(late.after(Duration::from_mins(20)).to_string(), "00:10");
    }

    #[test]
    fn most_arrive_around_eight() {
        let (from, until) = ("17:00".parse().unwrap(), "23:00".parse().unwrap());
        let arrivals = draw(&mut StdRng::seed_from_u64(5), 3_000, from, until);
        assert!(arrivals.is_sorted());
        assert!(arrivals.last().unwrap() < &Duration::from_hours(6));
        let within = |from: u64, until: u64| {
            let hours = arrivals.iter().map(|at| at.as_secs() / 1_800);
            hours.filter(|half| (from..until).contains(half)).count()
        };
        let by_hour = [0, 2, 4, 6, 8, 10].map(|half| within(half, half + 2));
        let around_eight = within(5, 7);
        assert!(
            by_hour.iter().all(|hour| *hour <= around_eight),
            "{by_hour:?} {around_eight}"
        );
        assert!(
            by_hour[0] < by_hour[1] && by_hour[1] < by_hour[2],
            "{by_hour:?}"
        );
        assert!(
            by_hour[3] > by_hour[4] && by_hour[4] > by_hour[5],
            "{by_hour:?}"
        );
    }
}
