//! Times as operators write them.

use tiffin_events::Clock;
use time::{
    Duration, OffsetDateTime, format_description::well_known::Rfc3339, macros::format_description,
};

/// `2026-11-21T10:00:00Z`, or how long ago: `90s`, `15m`, `2h`, `7d`. Returns RFC 3339.
pub fn time(text: &str) -> Result<String, String> {
    read(text, Clock::system().now())
        .and_then(|time| time.format(&Rfc3339).ok())
        .ok_or_else(|| "write 2026-11-21T10:00:00Z, or how long ago: 90s, 15m, 2h, 7d".to_owned())
}

fn read(text: &str, now: OffsetDateTime) -> Option<OffsetDateTime> {
    if let Ok(time) = OffsetDateTime::parse(text, &Rfc3339) {
        return Some(time);
    }
    let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let number: i64 = number.parse().ok().filter(|number| *number >= 0)?;
    let second = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3_600,
        "d" => 86_400,
        _ => return None,
    };
    now.checked_sub(Duration::seconds(number.checked_mul(second)?))
}

/// A bound of a window: a stream sequence, or a time.
#[derive(Clone, Debug, serde::Serialize)]
#[serde(untagged)]
pub enum Bound {
    Sequence(u64),
    Time(String),
}

/// A number is a stream sequence; everything else is a time.
pub fn bound(text: &str) -> Result<Bound, String> {
    match text.parse() {
        Ok(sequence) => Ok(Bound::Sequence(sequence)),
        Err(_) => time(text).map(Bound::Time),
    }
}

/// `2026-11-21 10:00:00.123Z`.
pub fn format(time: OffsetDateTime) -> String {
    let format =
        format_description!("[year]-[month]-[day] [hour]:[minute]:[second].[subsecond digits:3]Z");
    time.to_offset(time::UtcOffset::UTC)
        .format(&format)
        .unwrap_or_default()
}

/// The age of a time, in seconds; 0 of a time to come.
pub fn age(time: OffsetDateTime) -> f64 {
    (-until(time)).max(0.0)
}

/// The seconds until a time; negative of one that is past.
pub fn until(time: OffsetDateTime) -> f64 {
    (time - Clock::system().now()).as_seconds_f64()
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn a_time_is_absolute_or_a_duration_ago() {
        let now = datetime!(2026-11-21 12:00 UTC);
        assert_eq!(read("15m", now), Some(datetime!(2026-11-21 11:45 UTC)));
        assert_eq!(read("7d", now), Some(datetime!(2026-11-14 12:00 UTC)));
        assert_eq!(
            read("2026-11-21T10:00:00Z", now),
            Some(datetime!(2026-11-21 10:00 UTC))
        );
        for wrong in ["", "m", "yesterday", "-5m", "9223372036854775807d", "5€"] {
            assert_eq!(read(wrong, now), None, "{wrong}");
        }
        assert!(matches!(bound("12"), Ok(Bound::Sequence(12))));
        assert_eq!(
            format(datetime!(2026-11-21 17:30:00.1234 +5:30)),
            "2026-11-21 12:00:00.123Z"
        );
    }
}
