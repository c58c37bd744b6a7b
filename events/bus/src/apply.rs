//! One event in one transaction: version guard, inbox, effect.

use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{Failure, Handler, Received};

/// What became of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Applied {
    /// It took effect.
    Now,
    /// It, or a later version, had taken effect before.
    Before,
    /// Its predecessor has not come yet.
    Ahead { reached: Option<i64> },
}

/// Hands an event to the handler if it is the next of its aggregate and not in the inbox. The caller
/// commits after [`Applied::Now`].
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
        return Ok(Applied::Ahead { reached });
    }
    let new = sqlx::query!(
        "with entered as (
             insert into bus.inbox (consumer, event_id, handled_at) values ($1, $2, $5)
             on conflict do nothing returning event_id
         )
         insert into bus.reached (consumer, aggregate, sequence)
         select $1, $3, $4 from entered
         on conflict (consumer, aggregate) do update set sequence = excluded.sequence",
        consumer,
        envelope.id,
        envelope.subject,
        envelope.sequence,
        now,
    )
    .execute(&mut *tx)
    .await?;
    if new.rows_affected() == 0 {
        return Ok(Applied::Before);
    }
    handler.handle(tx, event).await?;
    Ok(Applied::Now)
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
