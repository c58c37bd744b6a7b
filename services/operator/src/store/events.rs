//! The event log.

use serde_json::Value;
use sqlx::PgConnection;
use tiffin_bus::Received;
use tiffin_events::{
    Stream,
    subject::{self, EventType},
};
use time::{OffsetDateTime, format_description::well_known::Rfc3339};
use uuid::Uuid;

use crate::{log::months, mask};

/// One event of the log.
#[derive(Debug)]
pub struct LoggedEvent {
    pub stream: String,
    pub seq: i64,
    pub subject: String,
    pub id: Uuid,
    pub envelope: Value,
}

impl LoggedEvent {
    /// An event as the log has it.
    pub fn of(stream: Stream, event: &Received) -> serde_json::Result<Self> {
        let envelope = &event.envelope;
        let kind = EventType::parse(&envelope.kind);
        Ok(Self {
            stream: stream.name().to_owned(),
            seq: sequence(event),
            subject: subject::event(kind.aggregate, envelope.subject, kind.event),
            id: envelope.id,
            envelope: serde_json::to_value(envelope)?,
        })
    }

    /// The event's type.
    pub fn kind(&self) -> &str {
        self.envelope["type"].as_str().unwrap_or_default()
    }

    pub fn aggregate(&self) -> Uuid {
        let id = self.envelope["subject"].as_str();
        id.and_then(|id| id.parse().ok()).unwrap_or_default()
    }

    /// The time of the event.
    pub fn time(&self) -> Option<OffsetDateTime> {
        OffsetDateTime::parse(self.envelope["time"].as_str()?, &Rfc3339).ok()
    }
}

/// Copies events into the log and skips those that it has, or that the archive alone answers for. An event whose stream
/// sequence changed, because its stream was lost and restored, moves to the new one.
pub async fn insert(
    tx: &mut PgConnection,
    stream: Stream,
    batch: &[Received],
) -> Result<(), crate::Error> {
    if stream.is_archived() {
        let times: Vec<OffsetDateTime> = batch.iter().map(|event| event.stored_at).collect();
        months::make(tx, &times).await?;
    }
    let rows = batch
        .iter()
        .map(|event| row(stream, event))
        .collect::<serde_json::Result<Vec<Value>>>()?;
    let ids: Vec<Uuid> = batch.iter().map(|event| event.envelope.id).collect();
    let sequences: Vec<i64> = batch.iter().map(sequence).collect();
    let times: Vec<OffsetDateTime> = batch.iter().map(|event| cut(event.stored_at)).collect();
    for moved in [
        sqlx::query!(
            "delete from events e using unnest($2::uuid[], $3::bigint[], $4::timestamptz[]) as b (id, seq, stored_at)
             where e.stream = $1 and e.id = b.id and (e.seq, e.stored_at) <> (b.seq, b.stored_at)",
            stream.name(),
            &ids,
            &sequences,
            &times,
        ),
        sqlx::query!(
            "delete from events e using unnest($2::uuid[], $3::bigint[]) as b (id, seq)
             where e.stream = $1 and e.seq = b.seq and e.id <> b.id",
            stream.name(),
            &ids,
            &sequences,
        ),
    ] {
        moved.execute(&mut *tx).await?;
    }
    sqlx::query!(
        r#"insert into events (stream, seq, subject, id, kind, aggregate, version, time, actor,
                             correlation, causation, envelope, words, stored_at)
         select e.stream, e.seq, e.subject, e.id, e.kind, e.aggregate, e.version, e.time, e.actor,
                e.correlation, e.causation, e.envelope,
                jsonb_to_tsvector('simple', r.value -> 'shown', '["string", "numeric"]'), e.stored_at
         from jsonb_array_elements($1) r
         cross join lateral jsonb_populate_record(null::events, r.value) e
         left join log_starts s on s.stream = e.stream
         where e.seq >= coalesce(s.seq, 0)
         on conflict do nothing"#,
        Value::Array(rows),
    )
    .execute(tx)
    .await?;
    Ok(())
}

fn row(stream: Stream, event: &Received) -> serde_json::Result<Value> {
    let envelope = &event.envelope;
    let logged = LoggedEvent::of(stream, event)?;
    let shown = mask::shown_payload(&logged.envelope);
    Ok(serde_json::json!({
        "stream": logged.stream,
        "seq": logged.seq,
        "subject": logged.subject,
        "id": logged.id,
        "kind": envelope.kind,
        "aggregate": envelope.subject,
        "version": envelope.sequence,
        "time": text(envelope.time),
        "actor": envelope.actor,
        "correlation": envelope.correlationid,
        "causation": envelope.causationid,
        "envelope": logged.envelope,
        "shown": shown,
        "stored_at": text(event.stored_at),
    }))
}

fn sequence(event: &Received) -> i64 {
    i64::try_from(event.stream_sequence).unwrap_or(i64::MAX)
}

/// A time cut to the microsecond, as the archive compares times. PostgreSQL rounds.
fn cut(time: OffsetDateTime) -> OffsetDateTime {
    time.replace_microsecond(time.microsecond()).unwrap_or(time)
}

fn text(time: OffsetDateTime) -> String {
    cut(time).format(&Rfc3339).unwrap_or_default()
}

/// Deletes the events of each of these accounts that is deleted, except the deletion itself.
pub async fn delete_those_of_deleted_accounts(
    tx: &mut PgConnection,
    users: &[Uuid],
) -> sqlx::Result<()> {
    sqlx::query!(
        "delete from events e using events gone
         where gone.stream = 'USERS' and gone.kind = 'tiffin.user.deleted.v1'
           and gone.aggregate = any($1)
           and e.stream = 'USERS' and e.aggregate = gone.aggregate and e.id <> gone.id",
        users,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The filters of a search. Without any, it finds everything.
#[derive(Clone, Debug, Default)]
pub struct Search {
    pub stream: Option<String>,
    pub kind: Option<String>,
    pub aggregate: Option<Uuid>,
    pub correlation: Option<Uuid>,
    pub actor: Option<String>,
    pub from: Option<OffsetDateTime>,
    pub to: Option<OffsetDateTime>,
    /// The first and the last stream sequence.
    pub sequences: Option<(i64, i64)>,
    /// Words in the payload.
    pub text: Option<String>,
    /// True if personal fields are searched, too. [`search`] looks for words in those that are shown.
    pub is_revealed: bool,
    /// The last event of the previous page.
    pub before: Option<Uuid>,
    pub limit: i64,
}

/// Events that match, newest first.
pub async fn search(tx: &mut PgConnection, search: &Search) -> sqlx::Result<Vec<LoggedEvent>> {
    sqlx::query_as!(
        LoggedEvent,
        r#"select stream as "stream!", seq as "seq!", subject as "subject!", id as "id!", envelope as "envelope!"
         from logged_events
         where ($1::text is null or stream = $1)
           and ($2::text is null or kind = $2)
           and ($3::uuid is null or aggregate = $3)
           and ($4::uuid is null or correlation = $4)
           and ($5::text is null or actor = $5)
           and ($6::timestamptz is null or time >= $6)
           and ($7::timestamptz is null or time <= $7)
           and ($8::text is null or words @@ websearch_to_tsquery('simple', $8))
           and ($9::uuid is null or id < $9)
           and ($11::bigint is null or seq between $11 and $12)
         order by id desc, stream, seq limit $10"#,
        search.stream,
        search.kind,
        search.aggregate,
        search.correlation,
        search.actor,
        search.from,
        search.to,
        search.text,
        search.before,
        search.limit,
        search.sequences.map(|(from, _)| from),
        search.sequences.map(|(_, to)| to),
    )
    .fetch_all(tx)
    .await
}

/// One event.
pub async fn find(
    tx: &mut PgConnection,
    stream: &str,
    seq: i64,
) -> sqlx::Result<Option<LoggedEvent>> {
    sqlx::query_as!(
        LoggedEvent,
        r#"select stream as "stream!", seq as "seq!", subject as "subject!", id as "id!", envelope as "envelope!"
         from logged_events where stream = $1 and seq = $2"#,
        stream,
        seq,
    )
    .fetch_optional(tx)
    .await
}

/// All events of an order, its payments, delivery and notifications, oldest first.
pub async fn of_order(tx: &mut PgConnection, order: Uuid) -> sqlx::Result<Vec<LoggedEvent>> {
    sqlx::query_as!(
        LoggedEvent,
        r#"select stream as "stream!", seq as "seq!", subject as "subject!", id as "id!", envelope as "envelope!"
         from logged_events where correlation = $1 or aggregate = $1 order by time, id"#,
        order,
    )
    .fetch_all(tx)
    .await
}

/// The order with a code such as `ORD-7K3M9QX2`.
pub async fn find_order_by_code(tx: &mut PgConnection, code: &str) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!(
        r#"select aggregate as "id!" from logged_events
         where kind = 'tiffin.order.placed.v1' and envelope -> 'data' ->> 'orderCode' = $1 limit 1"#,
        code,
    )
    .fetch_optional(tx)
    .await
}

/// The events that wait behind one that its consumer can't handle.
#[derive(Debug)]
pub struct WaitingEvents {
    /// The number of later events of the same aggregate.
    pub waiting: i64,
    /// True if one of them ends an account.
    pub has_deletion: bool,
}

/// The events that wait behind some others, given by streams, aggregates and stream sequences. The answers
/// have the same order.
pub async fn waiting_behind(
    tx: &mut PgConnection,
    (streams, aggregates, sequences): (&[String], &[Uuid], &[i64]),
) -> sqlx::Result<Vec<WaitingEvents>> {
    sqlx::query_as!(
        WaitingEvents,
        r#"select count(e.seq) as "waiting!",
                  coalesce(bool_or(e.kind = 'tiffin.user.deleted.v1'), false) as "has_deletion!"
         from unnest($1::text[], $2::uuid[], $3::bigint[])
             with ordinality as l (stream, aggregate, seq, n)
         left join logged_events e
             on e.stream = l.stream and e.aggregate = l.aggregate and e.seq > l.seq
         group by l.n order by l.n"#,
        streams,
        aggregates,
        sequences,
    )
    .fetch_all(tx)
    .await
}

/// The event that ended an account, if it came after that stream sequence.
pub async fn deletion_after(
    tx: &mut PgConnection,
    user: Uuid,
    sequence: i64,
) -> sqlx::Result<Option<Value>> {
    sqlx::query_scalar!(
        "select envelope from events
         where aggregate = $1 and stream = 'USERS' and kind = 'tiffin.user.deleted.v1' and seq > $2",
        user,
        sequence,
    )
    .fetch_optional(tx)
    .await
}

/// The fingerprint of a part of the log: its number of rows, and a hash of them in any order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fingerprint {
    pub rows: i64,
    pub hash: i128,
}

impl Fingerprint {
    /// The last 64 bits of the hash.
    pub fn hexadecimal(self) -> String {
        format!("{:016x}", self.hash.rem_euclid(1 << 64))
    }
}

impl std::ops::AddAssign for Fingerprint {
    fn add_assign(&mut self, other: Self) {
        self.rows += other.rows;
        self.hash = self.hash.wrapping_add(other.hash);
    }
}

/// The fingerprint of the log's rows of a stream between two stream sequences.
pub async fn fingerprint(
    tx: &mut PgConnection,
    stream: Stream,
    (from, to): (i64, i64),
) -> sqlx::Result<Fingerprint> {
    let found = sqlx::query!(
        r#"select count(*) as "rows!",
                  coalesce(sum(hashtextextended(
                      (to_jsonb(e) - 'stored_at')::text, 0)::numeric), 0)::text as "hash!"
         from events e where stream = $1 and seq between $2 and $3"#,
        stream.name(),
        from,
        to,
    )
    .fetch_one(tx)
    .await?;
    Ok(Fingerprint {
        rows: found.rows,
        hash: found.hash.parse().unwrap_or_default(),
    })
}

/// Deletes the log's rows of a stream between two stream sequences.
pub async fn delete_range(
    tx: &mut PgConnection,
    stream: Stream,
    (from, to): (i64, i64),
) -> sqlx::Result<()> {
    sqlx::query!(
        "delete from events where stream = $1 and seq between $2 and $3",
        stream.name(),
        from,
        to,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// True if the log has an event of a stream up to a stream sequence.
pub async fn has_any_to(tx: &mut PgConnection, stream: Stream, seq: i64) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"select exists (select from logged_events where stream = $1 and seq <= $2) as "has!""#,
        stream.name(),
        seq,
    )
    .fetch_one(tx)
    .await
}

/// The last stream sequence of a stream that the log has.
pub async fn last_sequence(tx: &mut PgConnection, stream: Stream) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"select coalesce(max(seq), 0) as "last!" from events where stream = $1"#,
        stream.name(),
    )
    .fetch_one(tx)
    .await
}
