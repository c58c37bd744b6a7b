//! Events in a transaction: each takes effect if it is the next of its aggregate, together with the
//! sequence that is reached by it. An event whose sequence is not above that one has taken effect before,
//! however long ago; that is all the inbox there is.

use std::{
    collections::{HashMap, HashSet},
    slice,
};

use sqlx::{PgConnection, PgExecutor};
use tiffin_events::RawEnvelope;
use uuid::Uuid;

use super::blocked::{self, CONFLICT_PREFIX};
use crate::{Consumer, Failure, Received};

/// The result of applying an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Applied {
    /// The event took effect.
    Now {
        /// Its aggregate was blocked until now, so that later events of it may be parked.
        freed: bool,
    },
    /// This sequence of the aggregate, or a later one, took effect before.
    Duplicate,
    /// An earlier event of its aggregate is a dead letter; it waits among the parked ones.
    Parked,
    /// Its predecessor has not come yet.
    Gap { reached: Option<i64> },
}

/// Has an event take effect if it is the next of its aggregate. The caller commits after
/// [`Applied::Now`] and [`Applied::Parked`].
pub(crate) async fn apply_next(
    tx: &mut PgConnection,
    consumer: &Consumer,
    event: &Received,
) -> Result<Applied, Failure> {
    let (name, envelope) = (&consumer.name, &event.envelope);
    let last = sqlx::query!(
        "select sequence, event_id from bus.reached where consumer = $1 and aggregate = $2 for update",
        name,
        envelope.subject,
    )
    .fetch_optional(&mut *tx)
    .await?;
    let reached = last.as_ref().map(|last| last.sequence);
    if let Some(last) = &last
        && last.sequence >= envelope.sequence
    {
        let is_same = last.sequence == envelope.sequence;
        let known = last.event_id.filter(|_| is_same);
        return match known {
            Some(known) if contradicts(event, known) => Err(conflict(name, event, known)),
            _ => Ok(Applied::Duplicate),
        };
    }
    if envelope.sequence > reached.unwrap_or_default() + 1 {
        let parked = blocked::park(tx, name, event).await?;
        return Ok(if parked {
            Applied::Parked
        } else {
            Applied::Gap { reached }
        });
    }
    // Of two that hand over an aggregate's first event at once, the second finds the row of the first.
    let step = sqlx::query!(
        r#"with contradicted as (
             select from bus.blocked where consumer = $1 and aggregate = $2 and contradicts
         ), entered as (
             insert into bus.reached (consumer, aggregate, sequence, event_id)
             select $1, $2, $3, $4 where not exists (select from contradicted)
             on conflict (consumer, aggregate) do update
                 set sequence = excluded.sequence, event_id = excluded.event_id
             where reached.sequence < excluded.sequence
             returning aggregate
         ), freed as (
             delete from bus.blocked
             where consumer = $1 and aggregate in (select aggregate from entered)
             returning aggregate
         )
         select exists (select from entered) as "new!", exists (select from freed) as "freed!",
                exists (select from contradicted) as "contradicted!""#,
        name,
        envelope.subject,
        envelope.sequence,
        envelope.id,
    )
    .fetch_one(&mut *tx)
    .await?;
    if !step.new {
        let is_parked = step.contradicted && blocked::park(tx, name, event).await?;
        return Ok(if is_parked {
            Applied::Parked
        } else {
            Applied::Duplicate
        });
    }
    consumer
        .handle_or_project(tx, slice::from_ref(event))
        .await?;
    Ok(Applied::Now { freed: step.freed })
}

/// True if an event contradicts the one with its sequence that took effect. A correction of that event
/// does not.
fn contradicts(event: &Received, known: Uuid) -> bool {
    let envelope = &event.envelope;
    envelope.id != known
        && envelope.causationid != Some(known)
        && !event.is_correction
        && !event.is_imported
}

fn conflict(consumer: &str, event: &Received, known: Uuid) -> Failure {
    let RawEnvelope {
        id,
        subject,
        sequence,
        ..
    } = &event.envelope;
    let name = consumer.to_owned();
    metrics::counter!("tiffin_conflicts_total", "consumer" => name).increment(1);
    tracing::error!(
        consumer,
        aggregate = %subject,
        sequence,
        event = %id,
        %known,
        "two events have one sequence: the database of the service that publishes them was put back; \
         the event becomes a dead letter"
    );
    Failure::Reject(format!(
        "{CONFLICT_PREFIX}sequence {sequence} was event {known}, and event {id} says otherwise"
    ))
}

/// Records events as handled, all of them at once, if each is the next of its aggregate. Returns whether
/// they were; if not, the caller rolls back.
pub(crate) async fn record_batch(
    tx: &mut PgConnection,
    consumer: &str,
    events: &[Received],
) -> Result<bool, Failure> {
    // How many there are of each aggregate, and the last one's sequence.
    let mut steps: HashMap<Uuid, AggregateBatch> = HashMap::new();
    for event in events {
        let (id, sequence) = (event.envelope.subject, event.envelope.sequence);
        let step = steps.entry(id).or_insert(AggregateBatch {
            count: 0,
            last: sequence - 1,
            event: event.envelope.id,
        });
        if sequence != step.last + 1 {
            return Ok(false);
        }
        *step = AggregateBatch {
            count: step.count + 1,
            last: sequence,
            event: event.envelope.id,
        };
    }
    let aggregates: Vec<Uuid> = steps.keys().copied().collect();
    let counts: Vec<i64> = steps.values().map(|step| step.count).collect();
    let last: Vec<Uuid> = steps.values().map(|step| step.event).collect();
    // Where that many more do not lead to the last one's sequence, the first was not the next.
    let entered = sqlx::query!(
        r#"insert into bus.reached as r (consumer, aggregate, sequence, event_id)
         select $1, aggregate, count, last
         from unnest($2::uuid[], $3::bigint[], $4::uuid[]) as s (aggregate, count, last)
         order by aggregate
         on conflict (consumer, aggregate) do update
             set sequence = r.sequence + excluded.sequence, event_id = excluded.event_id
         returning aggregate, sequence"#,
        consumer,
        &aggregates,
        &counts,
        &last,
    )
    .fetch_all(&mut *tx)
    .await?;
    let is_next = |id, sequence| steps.get(&id).is_some_and(|step| step.last == sequence);
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

/// A batch's events of one aggregate.
struct AggregateBatch {
    count: i64,
    /// The last one's sequence and id.
    last: i64,
    event: Uuid,
}

/// The last handled sequence of each of these aggregates; aggregates without handled events are left out.
pub(crate) async fn handled_sequences(
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

/// The sequence of an aggregate among many; 0 where there is none.
pub(crate) fn sequence_of(sequences: &HashMap<Uuid, i64>, aggregate: Uuid) -> i64 {
    sequences.get(&aggregate).copied().unwrap_or_default()
}

/// Counts an aggregate's events up to `sequence` as handled.
pub(crate) async fn skip_to(
    tx: &mut PgConnection,
    consumer: &str,
    aggregate: Uuid,
    sequence: i64,
) -> Result<(), Failure> {
    sqlx::query!(
        "insert into bus.reached (consumer, aggregate, sequence) values ($1, $2, $3)
         on conflict (consumer, aggregate) do update
             set sequence = excluded.sequence, event_id = null
             where reached.sequence < excluded.sequence",
        consumer,
        aggregate,
        sequence,
    )
    .execute(tx)
    .await?;
    Ok(())
}
