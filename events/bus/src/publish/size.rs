//! The size of a service's database, cheap enough to be measured every few seconds.

use metrics::gauge;
use serde::{Deserialize, Serialize};
use sqlx::PgExecutor;

/// The size of a service's database: its outbox, and everything beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DatabaseSize {
    /// Rows of the outbox, by the numbers of the first and the last: rows that an erasure removed count as well.
    pub outbox_rows: i64,
    /// Those of them that were appended in the last seven days.
    pub outbox_rows_of_week: i64,
    /// Bytes of the outbox with its indexes.
    pub outbox_bytes: i64,
    /// Bytes of everything else, PostgreSQL's own tables included.
    pub other_bytes: i64,
}

/// Measures a database. Reads three rows by their indexes and the sizes of files, and counts nothing.
pub async fn of(database: impl PgExecutor<'_>) -> sqlx::Result<DatabaseSize> {
    // An event's id begins with its time in milliseconds.
    sqlx::query_as!(
        DatabaseSize,
        r#"select coalesce(last - first + 1, 0) as "outbox_rows!",
                  coalesce(last - recent + 1, 0) as "outbox_rows_of_week!",
                  bytes as "outbox_bytes!",
                  pg_database_size(current_database()) - bytes as "other_bytes!"
           from (select (select min(id) from bus.outbox) as first,
                        (select max(id) from bus.outbox) as last,
                        (select id from bus.outbox
                         where event_id >= rpad(lpad(to_hex(
                             floor(extract(epoch from now() - interval '7 days') * 1000)::bigint
                         ), 12, '0'), 32, '0')::uuid
                         order by event_id limit 1) as recent,
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
