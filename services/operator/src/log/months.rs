//! The partitions of the log by month: their names and bounds, and making them.

use sqlx::PgConnection;
use time::{Date, Month, OffsetDateTime, UtcOffset, format_description::well_known::Rfc3339};

use crate::{
    Error,
    store::log_months::{self, MonthTable},
};

/// The name of a month's partition begins with it; that of all before a month, which an earlier release's table became,
/// with [`UNTIL`].
const PREFIX: &str = "events_";
const UNTIL: &str = "events_until_";

/// The time that a partition covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// `None` if it covers all before its end.
    pub begins: Option<OffsetDateTime>,
    /// Not covered.
    pub ends: OffsetDateTime,
}

impl Span {
    /// The month of a time.
    pub fn of(time: OffsetDateTime) -> Self {
        let date = time.to_offset(UtcOffset::UTC).date();
        Self::month(date.year(), date.month())
    }

    fn month(year: i32, month: Month) -> Self {
        let next_year = year + i32::from(month == Month::December);
        Self {
            begins: Some(first_of(year, month)),
            ends: first_of(next_year, month.next()),
        }
    }

    /// The month after it.
    pub fn next(self) -> Self {
        Self::of(self.ends)
    }

    /// The span of a partition by its name; `None` if it is no partition of a month.
    pub fn named(name: &str) -> Option<Self> {
        let (digits, is_until) = match name.strip_prefix(UNTIL) {
            Some(digits) => (digits, true),
            None => (name.strip_prefix(PREFIX)?, false),
        };
        let (year, month) = digits.split_once('_')?;
        let month: u8 = month.parse().ok()?;
        let span = Self::month(year.parse().ok()?, month.try_into().ok()?);
        Some(if is_until {
            Self {
                begins: None,
                ends: span.begins?,
            }
        } else {
            span
        })
    }

    fn name(self) -> String {
        let (prefix, time) = match self.begins {
            Some(begins) => (PREFIX, begins),
            None => (UNTIL, self.ends),
        };
        format!("{prefix}{:04}_{:02}", time.year(), u8::from(time.month()))
    }

    fn covers(self, time: OffsetDateTime) -> bool {
        self.begins.is_none_or(|begins| begins <= time) && time < self.ends
    }

    /// The bounds as PostgreSQL reads them.
    pub fn values(self) -> String {
        let text = |time: OffsetDateTime| time.format(&Rfc3339).unwrap_or_default();
        let from = self
            .begins
            .map_or_else(|| "minvalue".to_owned(), |it| format!("'{}'", text(it)));
        format!("from ({from}) to ('{}')", text(self.ends))
    }
}

fn first_of(year: i32, month: Month) -> OffsetDateTime {
    let date = Date::from_calendar_date(year, month, 1).unwrap_or(Date::MAX);
    date.midnight().assume_utc()
}

/// Makes the partitions for these times that the log lacks.
pub async fn make(tx: &mut PgConnection, times: &[OffsetDateTime]) -> Result<(), Error> {
    if missing(&log_months::all(tx).await?, times).is_empty() {
        return Ok(());
    }
    log_months::lock(tx).await?;
    for table in log_months::all(tx).await? {
        if !table.is_attached && !table.is_half_detached {
            settle_detached(tx, &table.name).await?;
        }
    }
    for span in missing(&log_months::all(tx).await?, times) {
        let name = span.name();
        log_months::create(tx, &name).await?;
        log_months::attach(tx, &name, &span.values()).await?;
    }
    Ok(())
}

/// The months of times that no partition covers, each once.
fn missing(tables: &[MonthTable], times: &[OffsetDateTime]) -> Vec<Span> {
    let attached = tables.iter().filter(|it| it.is_attached);
    let spans: Vec<Span> = attached.filter_map(|it| Span::named(&it.name)).collect();
    let uncovered = times
        .iter()
        .filter(|time| !spans.iter().any(|span| span.covers(**time)));
    let mut months: Vec<Span> = uncovered.map(|time| Span::of(*time)).collect();
    months.sort_unstable();
    months.dedup();
    months
}

/// Drops a table that is no partition any more. One that got events which the log answers for, after it was found to have
/// none, becomes a partition again. The caller holds the lock of partitions.
pub async fn settle_detached(tx: &mut PgConnection, name: &str) -> Result<(), Error> {
    let Some(span) = Span::named(name) else {
        return Ok(());
    };
    if log_months::is_needed(tx, name).await? {
        tracing::warn!(
            partition = name,
            "the event log's partition got events while it left; it stays until they are archived"
        );
        log_months::attach(tx, name, &span.values()).await?;
    } else {
        log_months::drop_table(tx, name).await?;
        tracing::info!(partition = name, "an archived month left the event log");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::Span;

    #[test]
    fn a_span_is_read_from_its_name_and_covers_a_month() {
        let december = Span::of(datetime!(2026-12-31 23:59:59.999 UTC));
        assert_eq!(december.name(), "events_2026_12");
        assert_eq!(Span::named("events_2026_12"), Some(december));
        assert_eq!(december.next().name(), "events_2027_01");
        assert!(december.covers(datetime!(2026-12-01 00:00 UTC)));
        assert!(!december.covers(datetime!(2027-01-01 00:00 UTC)));
        let before = Span::named("events_until_2026_12").unwrap();
        assert_eq!(before.name(), "events_until_2026_12");
        assert!(before.covers(datetime!(1999-01-01 00:00 UTC)) && before < december);
        assert!(!before.covers(datetime!(2026-12-01 00:00 UTC)));
        for other in ["months", "events_2026", "events_2026_13", "events_x_1"] {
            assert_eq!(Span::named(other), None, "{other}");
        }
    }
}
