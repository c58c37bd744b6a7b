//! One event in one transaction: version guard, inbox, effect.

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
