//! One event in one transaction: version guard, inbox, effect.

use std::collections::{HashMap, HashSet};

use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{Failure, Handler, Received, settle};

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

/// Hands an event to the handler if it is the next of its aggregate and not in the inbox. The caller
/// commits after [`Applied::Now`] and [`Applied::Parked`].
pub(crate) async fn in_order(
    tx: &mut PgConnection,
    consumer: &str,
    now: OffsetDateTime,
    event: &Received,
    handler: &dyn Handler,
) -> Result<Applied, Failure> {
    let envelope = &event.envelope;
    let reached = sqlx::query_scalar!(
        "select sequence from bus.reached where consumer = $1 and aggregate = $2 for update",
        consumer,
        envelope.subject,
    )
    .fetch_optional(&mut *tx)
    .await?;
    if reached.is_some_and(|reached| reached >= envelope.sequence) {
        return Ok(Applied::Before);
    }
    if envelope.sequence > reached.unwrap_or_default() + 1 {
        let parked = settle::park(tx, consumer, event).await?;
        return Ok(if parked {
            Applied::Parked
        } else {
            Applied::Ahead { reached }
        });
    }
    let step = sqlx::query!(
        r#"with entered as (
             insert into bus.inbox (consumer, event_id, handled_at) values ($1, $2, $5)
             on conflict do nothing returning event_id
         ), reached as (
             insert into bus.reached (consumer, aggregate, sequence)
             select $1, $3, $4 from entered
             on conflict (consumer, aggregate) do update set sequence = excluded.sequence
         ), freed as (
             delete from bus.blocked
             where consumer = $1 and aggregate = $3 and exists (select from entered)
             returning aggregate
         )
         select exists (select from entered) as "new!", exists (select from freed) as "freed!""#,
        consumer,
        envelope.id,
        envelope.subject,
        envelope.sequence,
        now,
    )
    .fetch_one(&mut *tx)
    .await?;
    if !step.new {
        return Ok(Applied::Before);
    }
    handler.handle(tx, event).await?;
    Ok(Applied::Now { freed: step.freed })
}

/// Takes events as handled that are each the next of their aggregate and new to the inbox, all of them
/// at once. Returns whether they were; if not, the caller rolls back.
pub(crate) async fn enter(
    tx: &mut PgConnection,
    consumer: &str,
    now: OffsetDateTime,
    events: &[Received],
) -> Result<bool, Failure> {
    let aggregates: HashSet<Uuid> = events.iter().map(|event| event.envelope.subject).collect();
    let aggregates: Vec<Uuid> = aggregates.into_iter().collect();
    let blocked = sqlx::query_scalar!(
        r#"select exists (
             select from bus.blocked where consumer = $1 and aggregate = any ($2)
         ) as "blocked!""#,
        consumer,
        &aggregates,
    )
    .fetch_one(&mut *tx)
    .await?;
    let reached = sqlx::query!(
        "select aggregate, sequence from bus.reached
         where consumer = $1 and aggregate = any ($2) order by aggregate for update",
        consumer,
        &aggregates,
    )
    .fetch_all(&mut *tx)
    .await?;
    let mut versions: HashMap<Uuid, i64> = reached
        .into_iter()
        .map(|row| (row.aggregate, row.sequence))
        .collect();
    let in_order = events.iter().all(|event| {
        let version = versions.entry(event.envelope.subject).or_default();
        *version += 1;
        *version == event.envelope.sequence
    });
    if blocked || !in_order {
        return Ok(false);
    }
    let ids: Vec<Uuid> = events.iter().map(|event| event.envelope.id).collect();
    let (aggregates, sequences): (Vec<Uuid>, Vec<i64>) = versions.into_iter().unzip();
    let entered = sqlx::query!(
        r#"with entered as (
             insert into bus.inbox (consumer, event_id, handled_at)
             select $1, id, $5 from unnest($2::uuid[]) as e (id)
             on conflict do nothing returning event_id
         ), reached as (
             insert into bus.reached (consumer, aggregate, sequence)
             select $1, aggregate, sequence
             from unnest($3::uuid[], $4::bigint[]) as n (aggregate, sequence)
             on conflict (consumer, aggregate) do update set sequence = excluded.sequence
             where reached.sequence < excluded.sequence
             returning aggregate
         )
         select (select count(*) from entered) as "events!",
                (select count(*) from reached) as "aggregates!""#,
        consumer,
        &ids,
        &aggregates,
        &sequences,
        now,
    )
    .fetch_one(&mut *tx)
    .await?;
    Ok(usize::try_from(entered.events) == Ok(ids.len())
        && usize::try_from(entered.aggregates) == Ok(aggregates.len()))
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
