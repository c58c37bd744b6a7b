//! The ends of a message's delivery.

use std::time::Duration;

use async_nats::jetstream::{AckKind, Message};
use tracing::warn;

use super::{blocked, received::StoredMessage};
use crate::{Broker, Consumer, Failure, fault};

/// The interval of the broker's heartbeats while it has nothing to send. Twice that without one ends a
/// pull: a busy machine is not mistaken for a broker that is gone.
pub(crate) const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(10);

/// Acknowledges a message. If that is lost the message comes again and is recognised by its sequence.
pub(crate) async fn acknowledge(consumer: &str, message: &Message, kind: AckKind) {
    fault::point(consumer, "before_ack").await;
    if let Err(error) = message.ack_with(kind).await {
        warn!(consumer, %error, "an acknowledgement was lost");
    }
}

/// Puts an event that failed twice aside for its next try. Where that fails, it comes again.
pub(crate) async fn postpone(
    consumer: &Consumer,
    broker: &Broker,
    message: &Message,
    failure: &Failure,
) {
    let postponed = match StoredMessage::from_delivery(message) {
        Ok(stored) => blocked::postpone(consumer, broker, &stored, failure, 0).await,
        Err(error) => Err(error.into()),
    };
    let kind = match postponed {
        Ok(()) => AckKind::Ack,
        Err(error) => {
            warn!(consumer = consumer.name, subject = %message.subject, %error, "the failed event was not stored; the broker delivers it again");
            AckKind::Nak(Some(Duration::from_secs(5)))
        }
    };
    acknowledge(&consumer.name, message, kind).await;
}

/// Puts a message aside as a dead letter and ends its delivery. Where that fails, it comes again.
pub(crate) async fn dead_letter(
    consumer: &Consumer,
    broker: &Broker,
    message: &Message,
    reason: String,
) {
    let stored = match StoredMessage::from_delivery(message) {
        Ok(stored) => blocked::dead_letter(consumer, broker, &stored, &reason).await,
        Err(error) => Err(error.into()),
    };
    let kind = match stored {
        Ok(()) => AckKind::Term,
        Err(error) => {
            warn!(consumer = consumer.name, subject = %message.subject, %error, "the dead letter was not stored; the broker delivers the event again");
            AckKind::Nak(Some(Duration::from_secs(5)))
        }
    };
    acknowledge(&consumer.name, message, kind).await;
}
