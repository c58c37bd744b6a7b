//! The outbox as the relay reads and marks it.

use std::collections::BTreeMap;

use sqlx::{PgExecutor, PgPool};
use tiffin_events::{Stream, subject};

use super::MAX_ROUND;
use crate::publish::jetstream::{OutboxRow, UnpublishedRow};

/// Rows that are to be published, in order, without those of paused families.
pub(super) async fn unpublished(
    database: impl PgExecutor<'_>,
    paused: &[String],
) -> sqlx::Result<Vec<OutboxRow>> {
    let rows = sqlx::query_as!(
        UnpublishedRow,
        r#"select id, event_id, subject, body, audience, keep_seconds,
                    stream_sequence is not null as "again!"
             from bus.outbox
             where published_at is null
               and split_part(subject, '.', 1) || '.' || split_part(subject, '.', 2) <> all ($2)
             order by id limit $1"#,
        i64::from(MAX_ROUND),
        paused,
    )
    .fetch_all(database)
    .await?;
    Ok(rows.into_iter().map(OutboxRow::from).collect())
}

/// Rows by their ids, in order.
pub(super) async fn of(pool: &PgPool, ids: &[i64]) -> sqlx::Result<Vec<OutboxRow>> {
    let rows = sqlx::query_as!(
        UnpublishedRow,
        r#"select id, event_id, subject, body, audience, keep_seconds,
                    stream_sequence is not null as "again!"
             from bus.outbox where id = any ($1) order by id"#,
        ids,
    )
    .fetch_all(pool)
    .await?;
    Ok(rows.into_iter().map(OutboxRow::from).collect())
}

/// Marks rows as published, and their stream as known up to them.
pub(super) async fn mark(
    pool: &PgPool,
    rows: &[OutboxRow],
    sequences: &[u64],
    stream: Option<Stream>,
) -> sqlx::Result<()> {
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let sequences: Vec<i64> = sequences
        .iter()
        .map(|sequence| i64::try_from(*sequence).unwrap_or(i64::MAX))
        .collect();
    sqlx::query!(
        "with marked as (
                 update bus.outbox o set published_at = now(), stream_sequence = r.sequence
                 from unnest($1::bigint[], $2::bigint[]) as r (id, sequence) where o.id = r.id
             )
             insert into bus.heads (stream, stream_sequence)
             select stream, $4 from unnest($3::text[]) as s (stream)
             on conflict (stream) do update set stream_sequence = excluded.stream_sequence",
        &ids,
        &sequences,
        &stream
            .map(|stream| stream.name().to_owned())
            .into_iter()
            .collect::<Vec<_>>(),
        sequences.iter().copied().max().unwrap_or_default(),
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// Groups rows by family, each group in order. The audience bucket sorts first (`$KV` before `tiffin`): an
/// account may watch a topic before it gets the event. An aggregate's events share a group.
pub(super) fn by_family(rows: Vec<OutboxRow>) -> BTreeMap<String, Vec<OutboxRow>> {
    let mut groups: BTreeMap<String, Vec<OutboxRow>> = BTreeMap::new();
    for row in rows {
        groups
            .entry(subject::family(&row.subject).to_owned())
            .or_default()
            .push(row);
    }
    groups
}
