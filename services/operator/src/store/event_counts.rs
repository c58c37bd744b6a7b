//! Counts of the event log, by indexes alone.

use sqlx::PgConnection;
use time::OffsetDateTime;

/// The number of a stream's events of a time.
#[derive(Debug)]
pub struct StreamCount {
    pub stream: String,
    pub events: i64,
}

/// The time of the oldest event of these streams.
pub async fn first_time(
    tx: &mut PgConnection,
    streams: &[String],
) -> sqlx::Result<Option<OffsetDateTime>> {
    sqlx::query_scalar!(
        "select min((select min(time) from events where stream = s.name))
         from unnest($1::text[]) as s (name)",
        streams,
    )
    .fetch_one(tx)
    .await
}

/// The events of each of these streams that are not older than `since`.
pub async fn since(
    tx: &mut PgConnection,
    streams: &[String],
    since: OffsetDateTime,
) -> sqlx::Result<Vec<StreamCount>> {
    sqlx::query_as!(
        StreamCount,
        r#"select s.name as "stream!",
                  (select count(*) from events where stream = s.name and time >= $2) as "events!"
           from unnest($1::text[]) as s (name)"#,
        streams,
        since,
    )
    .fetch_all(tx)
    .await
}

/// The orders placed since then: ids begin with their time in milliseconds.
pub async fn orders_since(tx: &mut PgConnection, since: OffsetDateTime) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"select count(*) as "orders!" from events
           where kind = 'tiffin.order.placed.v1'
             and id >= rpad(lpad(to_hex(floor(extract(epoch from $1::timestamptz) * 1000)::bigint),
                                 12, '0'), 32, '0')::uuid"#,
        since,
    )
    .fetch_one(tx)
    .await
}

/// The size of the log's tables with their indexes.
#[derive(Debug)]
pub struct LogSize {
    /// Of all.
    pub bytes: i64,
    /// Of the events that stay.
    pub kept_bytes: i64,
    /// The number of partitions of months.
    pub months: i64,
}

/// The size of the log.
pub async fn log_size(tx: &mut PgConnection) -> sqlx::Result<LogSize> {
    sqlx::query_as!(
        LogSize,
        r#"select coalesce(sum(pg_total_relation_size(relid)), 0)::bigint as "bytes!",
                  pg_total_relation_size('log.kept') as "kept_bytes!",
                  count(*) filter (where level = 2 and isleaf) as "months!"
           from pg_partition_tree('events')"#
    )
    .fetch_one(tx)
    .await
}
