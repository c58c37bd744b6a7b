//! The country that the platform serves: its currency, its clocks, and the form of its numbers.

use std::str::FromStr;

use icu_locale_core::Locale;
use jiff::{Timestamp, civil};
use tiffin_events::Currency;
use time::{Date, OffsetDateTime, UtcOffset};

use crate::{Env, env::EnvError};

/// Currency, time zone and locale of the platform.
#[derive(Clone, Debug)]
pub struct Region {
    pub currency: Currency,
    pub time_zone: TimeZone,
    /// A tag of BCP 47: the language for readers who have named none, and the form of numbers.
    pub locale: Locale,
}

impl Region {
    /// `TIFFIN_CURRENCY`, `TIFFIN_TIME_ZONE` and `TIFFIN_LOCALE`; Sri Lanka without them.
    pub fn read(env: &Env) -> Result<Self, EnvError> {
        let locale = match env.parse::<Locale>("TIFFIN_LOCALE")? {
            Some(locale) => locale,
            None => icu_locale_core::locale!("en-LK"),
        };
        Ok(Self {
            currency: env.parse("TIFFIN_CURRENCY")?.unwrap_or(Currency::LKR),
            time_zone: TimeZone::read(env)?,
            locale,
        })
    }
}

/// The time zone of the restaurants: days begin and tickets are dated by its clocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeZone {
    name: String,
    rules: jiff::tz::TimeZone,
}

/// A name that the IANA database of time zones does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no time zone of the IANA database such as Asia/Colombo")]
pub struct BadTimeZone(String);

impl TimeZone {
    /// `TIFFIN_TIME_ZONE`; `Asia/Colombo` without one.
    pub fn read(env: &Env) -> Result<Self, EnvError> {
        match env.parse("TIFFIN_TIME_ZONE")? {
            Some(zone) => Ok(zone),
            None => "Asia/Colombo"
                .parse()
                .map_err(|reason: BadTimeZone| EnvError::Invalid {
                    name: "TIFFIN_TIME_ZONE",
                    reason: reason.to_string(),
                }),
        }
    }

    /// Its name in the IANA database, which PostgreSQL and browsers know, too.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The day at a moment.
    pub fn day(&self, at: OffsetDateTime) -> Date {
        let offset = self.rules.to_offset(timestamp(at)).seconds();
        let offset = UtcOffset::from_whole_seconds(offset).unwrap_or(UtcOffset::UTC);
        at.to_offset(offset).date()
    }

    /// The first moment of a day. That is no midnight where the clocks go forward at midnight, and the first of two
    /// where they go back to it.
    pub fn start_of(&self, day: Date) -> OffsetDateTime {
        let midnight = day.midnight().assume_utc();
        let start = civil(day)
            .and_then(|civil| civil.to_zoned_datetime(self.rules.clone()).ok())
            .and_then(|zoned| zoned.start_of_day().ok())
            .map(|zoned| zoned.timestamp().as_nanosecond());
        // Days beyond the years that jiff knows begin in Greenwich.
        start
            .and_then(|nanos| OffsetDateTime::from_unix_timestamp_nanos(nanos).ok())
            .unwrap_or(midnight)
    }

    /// The first moment of the day after the one at a moment.
    pub fn start_of_tomorrow(&self, at: OffsetDateTime) -> OffsetDateTime {
        let today = self.day(at);
        self.start_of(today.next_day().unwrap_or(today))
    }
}

impl FromStr for TimeZone {
    type Err = BadTimeZone;

    fn from_str(name: &str) -> Result<Self, BadTimeZone> {
        let unknown = || BadTimeZone(name.to_owned());
        let rules = jiff::tz::TimeZone::get(name).map_err(|_| unknown())?;
        let name = rules.iana_name().ok_or_else(unknown)?.to_owned();
        Ok(Self { name, rules })
    }
}

fn timestamp(at: OffsetDateTime) -> Timestamp {
    Timestamp::from_nanosecond(at.unix_timestamp_nanos()).unwrap_or(Timestamp::UNIX_EPOCH)
}

fn civil(day: Date) -> Option<civil::Date> {
    let year = i16::try_from(day.year()).ok()?;
    let month = i8::try_from(u8::from(day.month())).ok()?;
    civil::Date::new(year, month, i8::try_from(day.day()).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use time::{
        Duration,
        macros::{date, datetime},
    };

    use super::*;

    fn zone(name: &str) -> TimeZone {
        name.parse().unwrap()
    }

    #[test]
    fn the_default_is_sri_lanka() {
        let region = Region::read(&Env::default()).unwrap();
        let found = (region.currency.code(), region.time_zone.name());
        assert_eq!(found, ("LKR", "Asia/Colombo"));
        assert_eq!(region.locale.to_string(), "en-LK");
    }

    #[test]
    fn a_setting_that_cannot_be_read_is_named_with_its_reason() {
        for (name, value, said) in [
            (
                "TIFFIN_CURRENCY",
                "Rs.",
                "TIFFIN_CURRENCY can't be read: \"Rs.\" is no currency code of ISO 4217 such as LKR, JPY or KWD",
            ),
            (
                "TIFFIN_TIME_ZONE",
                "Colombo",
                "TIFFIN_TIME_ZONE can't be read: \"Colombo\" is no time zone of the IANA database such as Asia/Colombo",
            ),
            ("TIFFIN_LOCALE", "english!", "TIFFIN_LOCALE can't be read: "),
        ] {
            let error = Region::read(&Env::from_pairs([(name, value)])).unwrap_err();
            assert!(error.to_string().starts_with(said), "{error}");
        }
    }

    #[test]
    fn tomorrow_begins_at_midnight_in_sri_lanka() {
        for (now, midnight) in [
            (
                datetime!(2026-11-21 12:00 UTC),
                datetime!(2026-11-21 18:30 UTC),
            ),
            (
                datetime!(2026-11-21 18:29 UTC),
                datetime!(2026-11-21 18:30 UTC),
            ),
            (
                datetime!(2026-11-21 18:30 UTC),
                datetime!(2026-11-22 18:30 UTC),
            ),
        ] {
            let found = zone("Asia/Colombo").start_of_tomorrow(now);
            assert_eq!(found, midnight, "{now}");
        }
    }

    #[test]
    fn days_have_23_24_or_25_hours_where_clocks_change() {
        for (name, day, start, hours) in [
            (
                "Europe/Berlin",
                date!(2026 - 03 - 29),
                datetime!(2026-03-28 23:00 UTC),
                23,
            ),
            (
                "Europe/Berlin",
                date!(2026 - 10 - 25),
                datetime!(2026-10-24 22:00 UTC),
                25,
            ),
            // Clocks go back from one to midnight: the day begins at the first of the two.
            (
                "America/Havana",
                date!(2024 - 11 - 03),
                datetime!(2024-11-03 04:00 UTC),
                25,
            ),
            // Clocks go from midnight to one: the day begins at one.
            (
                "America/Santiago",
                date!(2024 - 09 - 08),
                datetime!(2024-09-08 04:00 UTC),
                23,
            ),
            (
                "Asia/Tokyo",
                date!(2026 - 03 - 29),
                datetime!(2026-03-28 15:00 UTC),
                24,
            ),
        ] {
            let zone = zone(name);
            assert_eq!(zone.start_of(day), start, "{name}");
            let end = zone.start_of_tomorrow(start);
            assert_eq!(end - start, Duration::hours(hours), "{name}");
            assert_eq!(zone.day(start), day, "{name}");
            assert_eq!(zone.day(end - Duration::SECOND), day, "{name}");
            assert_eq!(
                zone.day(start - Duration::SECOND),
                day.previous_day().unwrap()
            );
            assert_eq!(zone.start_of_tomorrow(end - Duration::SECOND), end);
        }
    }
}
