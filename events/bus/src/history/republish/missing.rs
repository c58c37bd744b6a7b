//! The search for rows that their stream lacks. Ids are compared some thousand at a time: those of the stream lie in a
//! temporary table meanwhile, so that no process holds all of them.

use async_nats::jetstream::consumer::DeliverPolicy;
use futures_util::{StreamExt, TryStreamExt, stream::BoxStream};
use sqlx::{PgConnection, PgPool};
use tiffin_events::revocation;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{super::ControlError, stream_of};
use crate::{
    Broker, BrokerError,
    broker::{in_sql, next_of},
    publish::heads,
};

/// Ids that are compared at once.
const RANGE: usize = 5_000;

/// The number of rows of a family that its stream has, and of those that it lacks.
pub(super) struct Counts {
    pub there: i64,
    pub missing: i64,
}

/// A row that is published again if its stream lacks it.
struct Candidate {
    id: i64,
    event_id: Uuid,
}

/// Has the relay publish the rows of a family that its stream lacks. Rows that are published meanwhile are not lost.
pub(super) async fn mark(
    pool: &PgPool,
    broker: &Broker,
    family: &str,
) -> Result<Counts, ControlError> {
    // In one transaction: an early row that is still unmarked would be published after a later one.
    let mut tx = tiffin_database::begin(pool).await?;
    // By the clock that rows are marked with.
    let checked_at = sqlx::query_scalar!(r#"select now() as "now!""#)
        .fetch_one(&mut *tx)
        .await?;
    note_held(&mut tx, broker, family).await?;
    let sought = Sought::new(family, checked_at);
    let all = sought.count(&mut tx).await?;
    let archived = archived_end(broker, family).await?;
    let mut ranges = sought.candidates(pool, archived).try_chunks(RANGE);
    let mut missing = 0;
    while let Some(range) = ranges.try_next().await.map_err(|error| error.1)? {
        missing += mark_range(&mut tx, &range, checked_at).await?;
    }
    if missing > 0 {
        sqlx::query!("select pg_notify('outbox', '')")
            .execute(&mut *tx)
            .await?;
    }
    drop(ranges);
    tx.commit().await?;
    let there = all - missing;
    Ok(Counts { there, missing })
}

/// Notes the ids of the messages that a family's stream holds in the table `held`, which the transaction drops; none
/// where the stream is gone.
async fn note_held(
    tx: &mut PgConnection,
    broker: &Broker,
    family: &str,
) -> Result<(), ControlError> {
    sqlx::raw_sql("create temporary table held (event_id uuid primary key) on commit drop")
        .execute(&mut *tx)
        .await?;
    let every = format!("{family}.>");
    let Some(name) = stream_of(broker, &every).await? else {
        return Ok(());
    };
    let (mut left, mut messages) = broker.headers(&name, DeliverPolicy::All, every).await?;
    let mut ids: Vec<Uuid> = Vec::with_capacity(RANGE);
    while left > 0 {
        let message = next_of(&mut messages).await?;
        left = message.info().map_err(BrokerError::from)?.pending;
        let headers = message.headers.as_ref();
        let id = headers.and_then(|headers| headers.get("Nats-Msg-Id"));
        ids.extend(id.and_then(|id| id.as_str().parse::<Uuid>().ok()));
        if ids.len() == RANGE || left == 0 {
            sqlx::query("insert into held select unnest($1::uuid[]) on conflict do nothing")
                .bind(&ids)
                .execute(&mut *tx)
                .await?;
            ids.clear();
        }
    }
    sqlx::raw_sql("analyze held").execute(tx).await?;
    Ok(())
}

/// Marks those of some rows that the stream lacks. Returns their number.
async fn mark_range(
    tx: &mut PgConnection,
    range: &[Candidate],
    checked_at: OffsetDateTime,
) -> sqlx::Result<i64> {
    let event_ids: Vec<Uuid> = range.iter().map(|row| row.event_id).collect();
    let held = "select array_agg(event_id) from held where event_id = any ($1)";
    let held: Option<Vec<Uuid>> = sqlx::query_scalar(held)
        .bind(&event_ids)
        .fetch_one(&mut *tx)
        .await?;
    let mut held = held.unwrap_or_default();
    held.sort_unstable();
    let is_missing = |row: &&Candidate| held.binary_search(&row.event_id).is_err();
    let missing: Vec<i64> = range.iter().filter(is_missing).map(|row| row.id).collect();
    let marked = sqlx::query!(
        "update bus.outbox set published_at = null where id = any ($1) and published_at <= $2",
        &missing,
        checked_at,
    )
    .execute(tx)
    .await?;
    Ok(i64::try_from(marked.rows_affected()).unwrap_or(i64::MAX))
}

/// The last stream sequence of a family that is archived. The archive keeps these events, and a stream that is made again
/// goes on behind them. Asked after the stream: what moves to the archive meanwhile is in one of the two.
async fn archived_end(broker: &Broker, family: &str) -> Result<u64, BrokerError> {
    match heads::stream_of(&format!("{family}.x")) {
        Some(stream) => broker.archived_end(stream).await,
        None => Ok(0),
    }
}

/// The rows of a family that its stream should have.
struct Sought<'a> {
    family: &'a str,
    checked_at: OffsetDateTime,
    since: OffsetDateTime,
    /// True where only the last row of each subject is worth anything.
    is_bucket: bool,
}

impl<'a> Sought<'a> {
    fn new(family: &'a str, checked_at: OffsetDateTime) -> Self {
        let is_revocation =
            revocation::SUBJECTS.starts_with(family.split('.').next().unwrap_or(family));
        Self {
            family,
            checked_at,
            // The stream of revocations forgets by itself what no token is old enough for.
            since: if is_revocation {
                checked_at - revocation::KEPT
            } else {
                OffsetDateTime::UNIX_EPOCH
            },
            is_bucket: family.starts_with('$') || is_revocation,
        }
    }

    /// The number of its published rows, or of their subjects in a bucket.
    async fn count(&self, tx: &mut PgConnection) -> sqlx::Result<i64> {
        let published = sqlx::query!(
            r#"select count(*) as "rows!", count(distinct subject) as "keys!" from bus.outbox
         where starts_with(subject, $1 || '.') and published_at <= $2 and created_at >= $3"#,
            self.family,
            self.checked_at,
            self.since,
        )
        .fetch_one(tx)
        .await?;
        Ok(if self.is_bucket {
            published.keys
        } else {
            published.rows
        })
    }

    /// The rows to look for, one after the other, without those that are archived.
    fn candidates<'p>(
        &'p self,
        pool: &'p PgPool,
        archived: u64,
    ) -> BoxStream<'p, sqlx::Result<Candidate>> {
        if self.is_bucket {
            sqlx::query_as!(
                Candidate,
                "select id, event_id from bus.outbox
                 where id in (
                     select max(id) from bus.outbox where starts_with(subject, $1 || '.') group by subject
                 ) and (keep_seconds is null or created_at + make_interval(secs => keep_seconds) > $2)
                   and published_at <= $2 and created_at >= $3",
                self.family,
                self.checked_at,
                self.since,
            )
            .fetch(pool)
            .boxed()
        } else {
            sqlx::query_as!(
                Candidate,
                "select id, event_id from bus.outbox
                 where starts_with(subject, $1 || '.') and published_at <= $2
                   and (stream_sequence is null or stream_sequence > $3)",
                self.family,
                self.checked_at,
                in_sql(archived),
            )
            .fetch(pool)
            .boxed()
        }
    }
}
