//! Blocked aggregates. An event that failed blocks its aggregate: it waits for another try, or for an operator as
//! a dead letter, and later events of the aggregate are parked behind it.

use std::time::Duration;

use sqlx::PgConnection;
use tiffin_events::Stream;
use tracing::warn;

use super::{
    dead_letter,
    malformed::Malformed,
    received::{StoredMessage, Unread},
};
use crate::{Broker, BrokerError, Consumer, Failure, Received, broker::in_sql};

/// The pauses before each further try; after the last the event is a dead letter.
const RETRY_PAUSES: [Duration; 4] = [
    Duration::from_secs(5),
    Duration::from_secs(30),
    Duration::from_mins(2),
    Duration::from_mins(10),
];
/// The pause of an event of a type that this process does not know. It is never a dead letter: an
/// upgraded process may start at any moment.
const UNKNOWN_TYPE_PAUSE: Duration = Duration::from_mins(1);

/// The beginning of the reasons of events that contradict each other.
pub(crate) const CONFLICT_PREFIX: &str = "conflict: ";

/// The reason why a dead letter was not settled.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SettleError {
    #[error("broker: {0}")]
    Broker(#[from] BrokerError),
    #[error(transparent)]
    Handler(#[from] Failure),
    #[error(transparent)]
    Refused(#[from] SettleRefusal),
}

/// The reason why a request to settle a dead letter is refused.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SettleRefusal {
    #[error(transparent)]
    Malformed(#[from] Malformed),
    #[error("an earlier event of the same aggregate comes first: settle that one first")]
    NotFirst,
    #[error(
        "{stream} has no message {stream_sequence}: the event was removed; discard its dead letter"
    )]
    Gone {
        stream: Stream,
        stream_sequence: u64,
    },
}

impl From<Malformed> for SettleError {
    fn from(error: Malformed) -> Self {
        Self::Refused(error.into())
    }
}

impl From<Unread> for SettleError {
    fn from(error: Unread) -> Self {
        match error {
            Unread::Malformed(error) => error.into(),
            Unread::Keys(error) => Self::Handler(error.into()),
        }
    }
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
        in_sql(event.stream_sequence),
    )
    .fetch_optional(tx)
    .await?;
    Ok(parked.is_some())
}

/// Puts a message aside as a dead letter and blocks its aggregate for this consumer.
pub(crate) async fn dead_letter(
    consumer: &Consumer,
    broker: &Broker,
    message: &StoredMessage,
    reason: &str,
) -> Result<(), SettleError> {
    metrics::counter!("tiffin_dead_letters_total", "consumer" => consumer.name.clone())
        .increment(1);
    warn!(
        consumer = consumer.name,
        subject = %message.subject,
        reason,
        "the event is a dead letter and waits for an operator"
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
            in_sql(message.stream_sequence),
            reason,
            consumer.clock().now(),
            reason.starts_with(CONFLICT_PREFIX),
        )
        .execute(&consumer.pool)
        .await?;
    }
    let (from, now) = ((&*consumer.name, consumer.stream), consumer.clock().now());
    dead_letter::store(broker, from, now, message, reason).await?;
    // From here on an operator decides; before, another try would have ended here again.
    sqlx::query!(
        "update bus.blocked set retry_at = null where consumer = $1 and stream_sequence = $2",
        consumer.name,
        in_sql(message.stream_sequence),
    )
    .execute(&consumer.pool)
    .await?;
    Ok(())
}

/// Puts an event that failed aside: for its next try, or as a dead letter. An outage is returned.
pub(crate) async fn put_aside(
    consumer: &Consumer,
    broker: &Broker,
    message: &StoredMessage,
    failure: Failure,
    tries: i32,
) -> Result<(), SettleError> {
    match failure {
        Failure::Retry(_) | Failure::UnknownType(_) => {
            postpone(consumer, broker, message, &failure, tries).await
        }
        Failure::Reject(reason) => dead_letter(consumer, broker, message, &reason).await,
        Failure::Outage(_) => Err(failure.into()),
    }
}

/// Puts an event that failed aside for its next try. After the last it becomes a dead letter.
pub(crate) async fn postpone(
    consumer: &Consumer,
    broker: &Broker,
    message: &StoredMessage,
    failure: &Failure,
    tries: i32,
) -> Result<(), SettleError> {
    let reason = &failure.to_string();
    let (pause, tries) = match failure {
        Failure::UnknownType(_) => (Some(&UNKNOWN_TYPE_PAUSE), tries),
        _ => (
            RETRY_PAUSES.get(usize::try_from(tries).unwrap_or(0)),
            tries + 1,
        ),
    };
    let (Some(pause), Some(aggregate)) = (pause, message.aggregate()) else {
        return dead_letter(consumer, broker, message, reason).await;
    };
    warn!(
        consumer = consumer.name,
        subject = %message.subject,
        reason,
        tries,
        seconds = pause.as_secs(),
        "an event failed and is tried again later"
    );
    let now = consumer.clock().now();
    sqlx::query!(
        "insert into bus.blocked
             (consumer, aggregate, stream_sequence, reason, blocked_at, retry_at, tries)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (consumer, aggregate) do update set
             reason = excluded.reason, retry_at = excluded.retry_at, tries = excluded.tries
         where blocked.stream_sequence = excluded.stream_sequence",
        consumer.name,
        aggregate,
        in_sql(message.stream_sequence),
        reason,
        now,
        now + *pause,
        tries,
    )
    .execute(&consumer.pool)
    .await?;
    Ok(())
}
