//! The archived part of the event log: where it ends, and the segments that hold it.

use sqlx::PgConnection;
use tiffin_events::Stream;
use time::OffsetDateTime;
use uuid::Uuid;

use super::events::Search;

/// A segment that was read for the log.
#[derive(Clone, Debug)]
pub struct ArchivedSegment {
    pub stream: String,
    pub number: i64,
    pub first_seq: i64,
    pub last_seq: i64,
    /// The lowest and the highest id and time of its events; null where it has none.
    pub first_id: Option<Uuid>,
    pub last_id: Option<Uuid>,
    pub first_time: Option<OffsetDateTime>,
    pub last_time: Option<OffsetDateTime>,
}

/// The first stream sequence that the log answers for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogStart {
    pub stream: String,
    pub seq: i64,
}

/// The starts of the streams of which a part is in the archive alone.
pub async fn starts(tx: &mut PgConnection) -> sqlx::Result<Vec<LogStart>> {
    sqlx::query_as!(
        LogStart,
        "select stream, seq from log_starts order by stream"
    )
    .fetch_all(tx)
    .await
}

/// The first stream sequence of a stream that the log answers for.
pub async fn start(tx: &mut PgConnection, stream: Stream) -> sqlx::Result<i64> {
    let found = sqlx::query_scalar!(
        "select seq from log_starts where stream = $1",
        stream.name()
    )
    .fetch_optional(tx)
    .await?;
    Ok(found.unwrap_or(1))
}

/// Moves a start forward.
pub async fn move_start(tx: &mut PgConnection, stream: Stream, seq: i64) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into log_starts as s (stream, seq) values ($1, $2)
         on conflict (stream) do update set seq = greatest(s.seq, excluded.seq)",
        stream.name(),
        seq,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Moves a start behind the last segment that was read, unless the log has an event before it.
pub async fn move_start_to_recorded(tx: &mut PgConnection, stream: Stream) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into log_starts as s (stream, seq)
         select stream, max(last_seq) + 1 from archived_segments a where stream = $1
         and not exists (select from logged_events e where e.stream = a.stream and e.seq <= a.last_seq)
         group by stream
         on conflict (stream) do update set seq = greatest(s.seq, excluded.seq)",
        stream.name(),
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The last segment of a stream that was read: its number and last stream sequence.
pub async fn last(tx: &mut PgConnection, stream: Stream) -> sqlx::Result<Option<(i64, i64)>> {
    let found = sqlx::query!(
        "select number, last_seq from archived_segments where stream = $1 order by number desc limit 1",
        stream.name(),
    )
    .fetch_optional(tx)
    .await?;
    Ok(found.map(|it| (it.number, it.last_seq)))
}

/// Saves a segment that was read.
pub async fn insert(tx: &mut PgConnection, segment: &ArchivedSegment) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into archived_segments (stream, number, first_seq, last_seq, first_id, last_id, first_time, last_time)
         values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing",
        segment.stream,
        segment.number,
        segment.first_seq,
        segment.last_seq,
        segment.first_id,
        segment.last_id,
        segment.first_time,
        segment.last_time,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The segments that may hold what a search looks for and the log does not answer for, in the order of their newest
/// events, newest first.
pub async fn candidates(
    tx: &mut PgConnection,
    search: &Search,
) -> sqlx::Result<Vec<ArchivedSegment>> {
    sqlx::query_as!(
        ArchivedSegment,
        "select a.stream, a.number, a.first_seq, a.last_seq, a.first_id, a.last_id, a.first_time, a.last_time
         from archived_segments a join log_starts s on s.stream = a.stream and a.first_seq < s.seq
         where a.last_id is not null
           and ($1::text is null or a.stream = $1)
           and ($2::uuid is null or a.first_id < $2)
           and ($3::timestamptz is null or a.last_time >= $3)
           and ($4::timestamptz is null or a.first_time <= $4)
           and ($5::bigint is null or (a.last_seq >= $5 and a.first_seq <= $6))
         order by a.last_id desc, a.stream",
        search.stream,
        search.before,
        search.from,
        search.to,
        search.sequences.map(|(from, _)| from),
        search.sequences.map(|(_, to)| to),
    )
    .fetch_all(tx)
    .await
}

/// The number of the log's events between two stream sequences that are not among these.
pub async fn count_others(
    tx: &mut PgConnection,
    stream: Stream,
    (from, to): (i64, i64),
    (sequences, ids): (&[i64], &[Uuid]),
) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"select count(*) as "others!" from events e
           where stream = $1 and seq between $2 and $3
             and not exists (select from unnest($4::bigint[], $5::uuid[]) as a (seq, id)
                             where a.seq = e.seq and a.id = e.id)"#,
        stream.name(),
        from,
        to,
        sequences,
        ids,
    )
    .fetch_one(tx)
    .await
}

/// Saves the codes of archived orders.
pub async fn insert_orders(
    tx: &mut PgConnection,
    (codes, ids): (&[String], &[Uuid]),
) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into archived_orders (code, id) select * from unnest($1::text[], $2::uuid[])
         on conflict do nothing",
        codes,
        ids,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The archived order with a code.
pub async fn find_order(tx: &mut PgConnection, code: &str) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!("select id from archived_orders where code = $1", code)
        .fetch_optional(tx)
        .await
}

/// The places, from 1 on, of the payloads that have the words of a search.
pub async fn with_words(
    tx: &mut PgConnection,
    payloads: &[serde_json::Value],
    text: &str,
) -> sqlx::Result<Vec<i64>> {
    sqlx::query_scalar!(
        r#"select p.n as "n!" from unnest($1::jsonb[]) with ordinality as p (data, n)
           where jsonb_to_tsvector('simple', p.data, '["string", "numeric"]')
                 @@ websearch_to_tsquery('simple', $2)"#,
        payloads,
        text,
    )
    .fetch_all(tx)
    .await
}
