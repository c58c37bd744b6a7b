//! Settling dead letters. A dead letter blocks its aggregate, and later events of the aggregate are parked.
//! Once it is settled they take effect in order. Other aggregates don't wait.

use std::time::Duration;

use sqlx::PgConnection;
use tracing::warn;
use uuid::Uuid;

use crate::{
    Broker, BrokerError, Consumer, Failure, Received, apply, apply::Applied, deadletter,
    predecessor, received::Stored, retry,
};

/// The reason why a dead letter was not settled.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SettleError {
    #[error("broker: {0}")]
    Broker(#[from] BrokerError),
    #[error("{0}")]
    Handler(#[from] Failure),
    #[error("{0}")]
    Refused(String),
}

impl From<sqlx::Error> for SettleError {
    fn from(error: sqlx::Error) -> Self {
        Self::Handler(error.into())
    }
}

/// Parks an event whose aggregate is blocked. Returns whether it was.
pub(crate) async fn park(
    tx: &mut PgConnection,
    consumer: &str,
    event: &Received,
) -> Result<bool, Failure> {
    let parked = sqlx::query!(
        "with blocked as (
             select aggregate from bus.blocked where consumer = $1 and aggregate = $2 for update
         ), parked as (
             insert into bus.parked (consumer, aggregate, sequence, stream_sequence)
             select $1, $2, $3, $4 from blocked on conflict do nothing
         )
         select aggregate from blocked",
        consumer,
        event.envelope.subject,
        event.envelope.sequence,
        place(event.stream_sequence),
    )
    .fetch_optional(tx)
    .await?;
    Ok(parked.is_some())
}

/// Puts a message aside as a dead letter and blocks its aggregate for this consumer.
pub(crate) async fn dead_letter(
    consumer: &Consumer,
    broker: &Broker,
    message: &Stored,
    reason: &str,
) -> Result<(), SettleError> {
    metrics::counter!("tiffin_dead_letters_total", "consumer" => consumer.name.clone())
        .increment(1);
    warn!(
        consumer = consumer.name,
        subject = %message.subject,
        reason,
        "a dead letter"
    );
    if let Some(aggregate) = message.aggregate() {
        sqlx::query!(
            "insert into bus.blocked
                 (consumer, aggregate, stream_sequence, reason, blocked_at, contradicts)
             values ($1, $2, $3, $4, $5, $6)
             on conflict (consumer, aggregate) do update set reason = excluded.reason
             where blocked.stream_sequence = excluded.stream_sequence",
            consumer.name,
            aggregate,
            place(message.stream_sequence),
            reason,
            consumer.clock().now(),
            reason.starts_with(apply::CONFLICT),
        )
        .execute(&consumer.pool)
        .await?;
    }
    let (from, now) = ((&*consumer.name, consumer.stream), consumer.clock().now());
    deadletter::put(broker, from, now, message, reason).await?;
    // From here on an operator decides; before, another try would have ended here again.
    sqlx::query!(
        "update bus.blocked set retry_at = null where consumer = $1 and stream_sequence = $2",
        consumer.name,
        place(message.stream_sequence),
    )
    .execute(&consumer.pool)
    .await?;
    Ok(())
}

/// Frees the aggregate of an event that took effect another way, and goes on with what waits.
pub(crate) async fn unblock(
    consumer: &Consumer,
    broker: &Broker,
    stream_sequence: u64,
) -> Result<(), SettleError> {
    let freed = sqlx::query_scalar!(
        "delete from bus.blocked where consumer = $1 and stream_sequence = $2 returning aggregate",
        consumer.name,
        place(stream_sequence),
    )
    .fetch_optional(&consumer.pool)
    .await?;
    match freed {
        Some(aggregate) => release(consumer, broker, aggregate).await,
        None => Ok(()),
    }
}

/// Tries a dead letter again, and then what waits behind it. Returns whether it took effect now.
pub(crate) async fn try_again(
    consumer: &Consumer,
    broker: &Broker,
    stream_sequence: u64,
) -> Result<bool, SettleError> {
    let event = found(consumer, broker, stream_sequence)
        .await?
        .read()
        .map_err(SettleError::Refused)?;
    match deliver(consumer, broker, &event).await? {
        Delivered::Now => Ok(true),
        Delivered::Before => Ok(false),
        Delivered::Waits => Err(SettleError::Refused(
            "an earlier event of the same aggregate comes first".to_owned(),
        )),
    }
}

/// Takes a dead letter out of its consumer's way for good; what waits behind it goes on.
pub(crate) async fn discard(
    consumer: &Consumer,
    broker: &Broker,
    stream_sequence: u64,
) -> Result<(), SettleError> {
    let message = Stored::at(broker, consumer.stream, stream_sequence).await?;
    let event = message.as_ref().and_then(|message| message.read().ok());
    let mut tx = consumer.pool.begin().await?;
    sqlx::query!(
        "insert into bus.discarded (consumer, stream_sequence, event_id, discarded_at)
         values ($1, $2, $3, $4) on conflict do nothing",
        consumer.name,
        place(stream_sequence),
        event.as_ref().map(|event| event.envelope.id),
        consumer.clock().now(),
    )
    .execute(&mut *tx)
    .await?;
    if let Some(event) = &event {
        let envelope = &event.envelope;
        apply::skip_to(&mut tx, &consumer.name, envelope.subject, envelope.sequence).await?;
    }
    let freed = sqlx::query_scalar!(
        "delete from bus.blocked where consumer = $1 and stream_sequence = $2 returning aggregate",
        consumer.name,
        place(stream_sequence),
    )
    .fetch_optional(&mut *tx)
    .await?;
    tx.commit().await?;
    if let Some(aggregate) = freed {
        release(consumer, broker, aggregate).await?;
    }
    Ok(())
}

/// Goes on with every aggregate that has parked events and is not blocked: what a killed process left.
pub(crate) async fn release_all(consumer: &Consumer, broker: &Broker) -> Result<(), SettleError> {
    let waiting = sqlx::query_scalar!(
        "select distinct aggregate from bus.parked p where consumer = $1 and not exists (
             select from bus.blocked b where b.consumer = p.consumer and b.aggregate = p.aggregate
         )",
        consumer.name,
    )
    .fetch_all(&consumer.pool)
    .await?;
    for aggregate in waiting {
        release(consumer, broker, aggregate).await?;
    }
    Ok(())
}

/// Applies an aggregate's parked events in order, until there is none or one fails.
pub(crate) async fn release(
    consumer: &Consumer,
    broker: &Broker,
    aggregate: Uuid,
) -> Result<(), SettleError> {
    while let Some(next) = first_parked(consumer, aggregate).await? {
        if let Some(message) = Stored::at(broker, consumer.stream, next).await? {
            let event = message.read().map_err(SettleError::Refused)?;
            match deliver(consumer, broker, &event).await {
                Ok(Delivered::Now | Delivered::Before) => {}
                Ok(Delivered::Waits) => return Ok(()),
                Err(SettleError::Handler(Failure::Outage(reason))) => {
                    warn!(consumer = consumer.name, reason, "the database is away");
                    tokio::time::sleep(Duration::from_secs(1)).await;
                    continue;
                }
                Err(SettleError::Handler(failure @ (Failure::Retry(_) | Failure::Unknown(_)))) => {
                    retry::postpone(consumer, broker, &message, &failure, 0).await?;
                }
                Err(SettleError::Handler(Failure::Reject(reason))) => {
                    dead_letter(consumer, broker, &message, &reason).await?;
                }
                Err(error) => return Err(error),
            }
        }
        sqlx::query!(
            "delete from bus.parked where consumer = $1 and aggregate = $2 and stream_sequence = $3",
            consumer.name,
            aggregate,
            place(next),
        )
        .execute(&consumer.pool)
        .await?;
    }
    Ok(())
}

/// The result of an event that was handed over outside of the consumer's loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delivered {
    /// The event took effect.
    Now,
    /// The event had taken effect before.
    Before,
    /// An earlier event of its aggregate comes first.
    Waits,
}

/// Hands an event to its consumer outside of the loop, and goes on with what it frees.
pub(crate) async fn deliver(
    consumer: &Consumer,
    broker: &Broker,
    event: &Received,
) -> Result<Delivered, SettleError> {
    match consumer.apply(event).await? {
        Applied::Now { freed } => {
            if freed {
                Box::pin(release(consumer, broker, event.envelope.subject)).await?;
            }
            Ok(Delivered::Now)
        }
        Applied::Before => Ok(Delivered::Before),
        Applied::Parked => Ok(Delivered::Waits),
        Applied::Ahead { reached } => {
            if predecessor::is_in_stream(broker, consumer.stream, event, reached).await? {
                return Ok(Delivered::Waits);
            }
            let before = event.envelope.sequence - 1;
            consumer.apply_after(event, before).await?;
            Ok(Delivered::Now)
        }
    }
}

async fn first_parked(consumer: &Consumer, aggregate: Uuid) -> sqlx::Result<Option<u64>> {
    let first = sqlx::query_scalar!(
        "select stream_sequence from bus.parked where consumer = $1 and aggregate = $2
         order by sequence, stream_sequence limit 1",
        consumer.name,
        aggregate,
    )
    .fetch_optional(&consumer.pool)
    .await?;
    Ok(first.and_then(|place| u64::try_from(place).ok()))
}

async fn found(
    consumer: &Consumer,
    broker: &Broker,
    stream_sequence: u64,
) -> Result<Stored, SettleError> {
    Stored::at(broker, consumer.stream, stream_sequence)
        .await?
        .ok_or_else(|| {
            SettleError::Refused(format!(
                "{} holds nothing at {stream_sequence}",
                consumer.stream
            ))
        })
}

/// A place in a stream as the database keeps it.
pub(crate) fn place(stream_sequence: u64) -> i64 {
    i64::try_from(stream_sequence).unwrap_or(i64::MAX)
}
