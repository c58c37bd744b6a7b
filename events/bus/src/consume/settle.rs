//! Settling dead letters. A dead letter blocks its aggregate, and later events of the aggregate are parked.
//! Once it is settled they take effect in order. Other aggregates don't wait.

use std::time::Duration;

use sqlx::PgExecutor;
use tracing::warn;
use uuid::Uuid;

use super::{
    apply::{self, Applied},
    blocked::{self, SettleError, SettleRefusal},
    predecessor,
    received::{StoredMessage, Unopened},
};
use crate::{Broker, Consumer, Failure, Received, broker::in_sql};

/// Unblocks the aggregate of an event that took effect another way, and applies its parked events.
pub(crate) async fn unblock(
    consumer: &Consumer,
    broker: &Broker,
    stream_sequence: u64,
) -> Result<(), SettleError> {
    let freed = sqlx::query_scalar!(
        "delete from bus.blocked where consumer = $1 and stream_sequence = $2 returning aggregate",
        consumer.name,
        in_sql(stream_sequence),
    )
    .fetch_optional(&consumer.pool)
    .await?;
    match freed {
        Some(aggregate) => apply_parked(consumer, broker, aggregate).await,
        None => Ok(()),
    }
}

/// Tries a dead letter again, and then the events that are parked behind it. Returns whether it took effect now.
pub(crate) async fn retry(
    consumer: &Consumer,
    broker: &Broker,
    stream_sequence: u64,
) -> Result<bool, SettleError> {
    let event = find_message(consumer, broker, stream_sequence)
        .await?
        .read()?
        .open(&broker.keys)
        .await?;
    match deliver(consumer, broker, &event).await? {
        Delivered::Applied => Ok(true),
        Delivered::Duplicate => Ok(false),
        Delivered::Waiting => Err(SettleError::Refused(SettleRefusal::NotFirst)),
    }
}

/// Discards a dead letter for good, and applies the events that are parked behind it.
pub(crate) async fn discard(
    consumer: &Consumer,
    broker: &Broker,
    stream_sequence: u64,
) -> Result<(), SettleError> {
    let message = StoredMessage::at(broker, consumer.stream, stream_sequence).await?;
    let event = message.as_ref().and_then(|message| message.read().ok());
    let event = event.map(Unopened::into_sealed);
    let mut tx = tiffin_database::begin(&consumer.pool).await?;
    sqlx::query!(
        "insert into bus.discarded (consumer, stream_sequence, event_id, discarded_at)
         values ($1, $2, $3, $4) on conflict do nothing",
        consumer.name,
        in_sql(stream_sequence),
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
        in_sql(stream_sequence),
    )
    .fetch_optional(&mut *tx)
    .await?;
    tx.commit().await?;
    if let Some(aggregate) = freed {
        apply_parked(consumer, broker, aggregate).await?;
    }
    Ok(())
}

/// Consumers with aggregates that have parked events and are not blocked: a killed process left them.
pub(crate) async fn unblocked_with_parked(
    consumers: &[String],
    database: impl PgExecutor<'_>,
) -> sqlx::Result<Vec<(String, Uuid)>> {
    let rows = sqlx::query!(
        "select distinct consumer, aggregate from bus.parked p where consumer = any ($1) and not exists (
             select from bus.blocked b where b.consumer = p.consumer and b.aggregate = p.aggregate
         )",
        consumers,
    )
    .fetch_all(database)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| (row.consumer, row.aggregate))
        .collect())
}

/// Applies an aggregate's parked events in order, until there is none or one fails.
pub(crate) async fn apply_parked(
    consumer: &Consumer,
    broker: &Broker,
    aggregate: Uuid,
) -> Result<(), SettleError> {
    while let Some(next) = first_parked(consumer, aggregate).await? {
        if let Some(message) = StoredMessage::at(broker, consumer.stream, next).await? {
            let event = message.read()?.open(&broker.keys).await?;
            match deliver(consumer, broker, &event).await {
                Ok(Delivered::Applied | Delivered::Duplicate) => {}
                Ok(Delivered::Waiting) => return Ok(()),
                Err(SettleError::Handler(Failure::Outage(error))) => {
                    warn!(consumer = consumer.name, %aggregate, %error, "parked events can't be applied yet; trying again");
                    tokio::time::sleep(Duration::from_secs(1)).await;
                    continue;
                }
                Err(SettleError::Handler(failure)) => {
                    blocked::put_aside(consumer, broker, &message, failure, 0).await?;
                }
                Err(error) => return Err(error),
            }
        }
        sqlx::query!(
            "delete from bus.parked where consumer = $1 and aggregate = $2 and stream_sequence = $3",
            consumer.name,
            aggregate,
            in_sql(next),
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
    Applied,
    /// The event had taken effect before.
    Duplicate,
    /// An earlier event of its aggregate comes first.
    Waiting,
}

/// Hands an event to its consumer outside of the loop. If that unblocks its aggregate, applies the parked events.
pub(crate) async fn deliver(
    consumer: &Consumer,
    broker: &Broker,
    event: &Received,
) -> Result<Delivered, SettleError> {
    match consumer.apply(event).await? {
        Applied::Now { freed } => {
            if freed {
                Box::pin(apply_parked(consumer, broker, event.envelope.subject)).await?;
            }
            Ok(Delivered::Applied)
        }
        Applied::Duplicate => Ok(Delivered::Duplicate),
        Applied::Parked => Ok(Delivered::Waiting),
        Applied::Gap { reached } => {
            if predecessor::is_in_stream(broker, consumer.stream, event, reached).await? {
                return Ok(Delivered::Waiting);
            }
            let before = event.envelope.sequence - 1;
            consumer.apply_after(event, before).await?;
            Ok(Delivered::Applied)
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
    Ok(first.and_then(|sequence| u64::try_from(sequence).ok()))
}

async fn find_message(
    consumer: &Consumer,
    broker: &Broker,
    stream_sequence: u64,
) -> Result<StoredMessage, SettleError> {
    let stream = consumer.stream;
    let stored = StoredMessage::at(broker, stream, stream_sequence).await?;
    stored.ok_or_else(|| {
        SettleError::Refused(SettleRefusal::Gone {
            stream,
            stream_sequence,
        })
    })
}
