//! Events in a transaction: each takes effect if it is the next of its aggregate, together with the
//! version that is reached by it. What is not above that version has taken effect before, however long
//! ago; that is all the inbox there is.

use std::collections::{HashMap, HashSet};

use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

use crate::{Consumer, Failure, Received, settle};

/// What became of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Applied {
    /// It took effect.
    Now {
        /// Its aggregate was blocked until now, so that later events of it may be parked.
        freed: bool,
    },
    /// It, or a later version, had taken effect before.
    Before,
    /// An earlier event of its aggregate is a dead letter; it waits among the parked ones.
    Parked,
    /// Its predecessor has not come yet.
    Ahead { reached: Option<i64> },
}

/// Has an event take effect if it is the next of its aggregate. The caller commits after
/// [`Applied::Now`] and [`Applied::Parked`].
pub(crate) async fn in_order(
    tx: &mut PgConnection,
    consumer: &Consumer,
    event: &Received,
) -> Result<Applied, Failure> {
    let (name, envelope) = (&consumer.name, &event.envelope);
    let reached = sqlx::query_scalar!(
        "select sequence from bus.reached where consumer = $1 and aggregate = $2 for update",
        name,
        envelope.subject,
    )
    .fetch_optional(&mut *tx)
    .await?;
    if reached.is_some_and(|reached| reached >= envelope.sequence) {
        return Ok(Applied::Before);
    }
    if envelope.sequence > reached.unwrap_or_default() + 1 {
        let parked = settle::park(tx, name, event).await?;
        return Ok(if parked {
            Applied::Parked
        } else {
            Applied::Ahead { reached }
        });
    }
    // Of two that hand over an aggregate's first event at once, the second finds the row of the first.
    let step = sqlx::query!(
        r#"with entered as (
             insert into bus.reached (consumer, aggregate, sequence) values ($1, $2, $3)
             on conflict (consumer, aggregate) do update set sequence = excluded.sequence
             where reached.sequence < excluded.sequence
             returning aggregate
         ), freed as (
             delete from bus.blocked
             where consumer = $1 and aggregate in (select aggregate from entered)
             returning aggregate
         )
         select exists (select from entered) as "new!", exists (select from freed) as "freed!""#,
        name,
        envelope.subject,
        envelope.sequence,
    )
    .fetch_one(&mut *tx)
    .await?;
    if !step.new {
        return Ok(Applied::Before);
    }
    consumer.take_in(tx, event).await?;
    Ok(Applied::Now { freed: step.freed })
}

/// Takes events as handled that are each the next of their aggregate, all of them at once. Returns whether
/// they were; if not, the caller rolls back.
pub(crate) async fn enter(
    tx: &mut PgConnection,
    consumer: &str,
    events: &[Received],
) -> Result<bool, Failure> {
    // How many there are of each aggregate, and the last one's version.
    let mut steps: HashMap<Uuid, (i64, i64)> = HashMap::new();
    for event in events {
        let (id, sequence) = (event.envelope.subject, event.envelope.sequence);
        let (count, last) = steps.entry(id).or_insert((0, sequence - 1));
        if sequence != *last + 1 {
            return Ok(false);
        }
        (*count, *last) = (*count + 1, sequence);
    }
    let (aggregates, counts): (Vec<Uuid>, Vec<i64>) =
        steps.iter().map(|(id, (count, _))| (*id, *count)).unzip();
    // Where that many more do not lead to the last one's version, the first was not the next.
    let entered = sqlx::query!(
        r#"insert into bus.reached as r (consumer, aggregate, sequence)
         select $1, aggregate, count from unnest($2::uuid[], $3::bigint[]) as s (aggregate, count)
         order by aggregate
         on conflict (consumer, aggregate) do update set sequence = r.sequence + excluded.sequence
         returning aggregate, sequence"#,
        consumer,
        &aggregates,
        &counts,
    )
    .fetch_all(&mut *tx)
    .await?;
    let is_next = |id, sequence| steps.get(&id).is_some_and(|(_, last)| *last == sequence);
    if !entered
        .iter()
        .all(|row| is_next(row.aggregate, row.sequence))
    {
        return Ok(false);
    }
    let blocked = sqlx::query_scalar!(
        r#"select exists (
             select from bus.blocked where consumer = $1 and aggregate = any ($2)
         ) as "blocked!""#,
        consumer,
        &aggregates,
    )
    .fetch_one(tx)
    .await?;
    Ok(!blocked)
}

/// How far a consumer is with aggregates, without those that it has handled nothing of.
pub(crate) async fn reached(
    executor: impl PgExecutor<'_>,
    consumer: &str,
    aggregates: HashSet<Uuid>,
) -> sqlx::Result<HashMap<Uuid, i64>> {
    if aggregates.is_empty() {
        return Ok(HashMap::new());
    }
    let aggregates: Vec<Uuid> = aggregates.into_iter().collect();
    let reached = sqlx::query!(
        "select aggregate, sequence from bus.reached where consumer = $1 and aggregate = any ($2)",
        consumer,
        &aggregates,
    )
    .fetch_all(executor)
    .await?;
    let reached = reached.into_iter().map(|row| (row.aggregate, row.sequence));
    Ok(reached.collect())
}

/// A version among many; 0 where there is none.
pub(crate) fn version_of(versions: &HashMap<Uuid, i64>, aggregate: Uuid) -> i64 {
    versions.get(&aggregate).copied().unwrap_or_default()
}

/// Takes an aggregate's versions up to `sequence` as reached.
pub(crate) async fn skip_to(
    tx: &mut PgConnection,
    consumer: &str,
    aggregate: Uuid,
    sequence: i64,
) -> Result<(), Failure> {
    sqlx::query!(
        "insert into bus.reached (consumer, aggregate, sequence) values ($1, $2, $3)
         on conflict (consumer, aggregate) do update set sequence = greatest(reached.sequence, excluded.sequence)",
        consumer,
        aggregate,
        sequence,
    )
    .execute(tx)
    .await?;
    Ok(())
}
