//! The size of a service's database, cheap enough to be measured every few seconds.

use metrics::gauge;
use serde::{Deserialize, Serialize};
use sqlx::PgExecutor;

/// The size of a service's database: its outbox, and everything beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DatabaseSize {
    /// Rows of the outbox, by PostgreSQL's statistics, which are some seconds late; before there are any, by the numbers
    /// of the first and the last.
    pub outbox_rows: i64,
    /// Rows that were appended in the last seven days, or since the events before have left the outbox.
    pub outbox_rows_of_week: i64,
    /// The length of that time in seconds.
    #[serde(default = "week")]
    pub outbox_week_seconds: i64,
    /// Bytes of the outbox with its indexes.
    pub outbox_bytes: i64,
    /// Bytes of everything else, PostgreSQL's own tables included.
    pub other_bytes: i64,
}

/// The seconds of a week, for a service that does not say them yet.
const fn week() -> i64 {
    7 * 24 * 60 * 60
}

/// Measures a database. Reads three rows by their indexes and the sizes of files, and counts nothing.
pub async fn of(database: impl PgExecutor<'_>) -> sqlx::Result<DatabaseSize> {
    // An event's id begins with its time in milliseconds.
    sqlx::query_as!(
        DatabaseSize,
        r#"select coalesce(least(last - first + 1, counted), 0) as "outbox_rows!",
                  coalesce(last - recent + 1, 0) as "outbox_rows_of_week!",
                  extract(epoch from now() - since)::bigint as "outbox_week_seconds!",
                  bytes as "outbox_bytes!",
                  pg_database_size(current_database()) - bytes as "other_bytes!"
           from (select greatest(now() - interval '7 days',
                                 (select max(trimmed_until) from bus.heads)) as since) as week,
                lateral (select (select min(id) from bus.outbox) as first,
                        (select max(id) from bus.outbox) as last,
                        (select id from bus.outbox
                         where event_id >= rpad(lpad(to_hex(
                             floor(extract(epoch from since) * 1000)::bigint
                         ), 12, '0'), 32, '0')::uuid
                         order by event_id limit 1) as recent,
                        nullif(pg_stat_get_live_tuples('bus.outbox'::regclass), 0) as counted,
                        pg_total_relation_size('bus.outbox') as bytes) as measured"#,
    )
    .fetch_one(database)
    .await
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a gauge is a float, and an outbox has less than 2^53 bytes"
)]
pub(crate) fn report(service: &'static str, size: DatabaseSize) {
    gauge!("tiffin_outbox_bytes", "service" => service).set(size.outbox_bytes as f64);
}
