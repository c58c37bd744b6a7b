//! The outbox as the trimmer reads it and deletes from it.

use sqlx::PgPool;
use tiffin_events::Stream;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::broker::in_sql;

/// A published row without its body.
#[derive(Clone, Debug)]
pub(super) struct PublishedRow {
    pub id: i64,
    pub event_id: Uuid,
    pub subject: String,
    pub stream_sequence: Option<u64>,
    /// The time up to which the broker keeps it; `None` is without a limit.
    pub kept_until: Option<OffsetDateTime>,
}

impl PublishedRow {
    /// The row as it was read; `None` if it has no stream sequence.
    pub fn key(&self) -> Option<RowKey> {
        let sequence = self.stream_sequence?;
        Some(RowKey {
            id: self.id,
            sequence,
        })
    }
}

/// A row that may go while it is published at this stream sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowKey {
    pub id: i64,
    pub sequence: u64,
}

/// The next published rows, by id.
pub(super) async fn published_after(
    pool: &PgPool,
    after: i64,
    limit: u16,
) -> sqlx::Result<Vec<PublishedRow>> {
    let rows = sqlx::query!(
        r#"select id, event_id, subject, stream_sequence,
                    created_at + make_interval(secs => keep_seconds) as kept_until
             from bus.outbox where id > $1 and published_at is not null order by id limit $2"#,
        after,
        i64::from(limit),
    )
    .fetch_all(pool)
    .await?;
    let rows = rows.into_iter().map(|row| PublishedRow {
        id: row.id,
        event_id: row.event_id,
        subject: row.subject,
        stream_sequence: row.stream_sequence.and_then(|it| u64::try_from(it).ok()),
        kept_until: row.kept_until,
    });
    Ok(rows.collect())
}

/// Deletes rows, and notes up to which time events of the stream are gone. Leaves rows that another transaction holds,
/// and those that are not as they were read: a republication has them published again. Returns the number of deleted
/// rows.
pub(super) async fn delete(
    pool: &PgPool,
    keys: &[RowKey],
    stream: Option<Stream>,
) -> sqlx::Result<u64> {
    let ids: Vec<i64> = keys.iter().map(|key| key.id).collect();
    let sequences: Vec<i64> = keys.iter().map(|key| in_sql(key.sequence)).collect();
    let deleted = sqlx::query_scalar!(
        r#"with free as (
                 select o.id from bus.outbox o
                 join unnest($1::bigint[], $2::bigint[]) as r (id, sequence)
                     on r.id = o.id and r.sequence = o.stream_sequence
                 where o.published_at is not null
                 for update of o skip locked
             ), gone as (
                 delete from bus.outbox where id in (select id from free) returning created_at
             ), noted as (
                 update bus.heads set trimmed_until = greatest(trimmed_until, (select max(created_at) from gone))
                 where stream = $3 and exists (select from gone)
             )
             select count(*) as "rows!" from gone"#,
        &ids,
        &sequences,
        stream.map(Stream::name),
    )
    .fetch_one(pool)
    .await?;
    Ok(u64::try_from(deleted).unwrap_or_default())
}
