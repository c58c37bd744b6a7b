//! Storing a batch: an event that fails does not keep the others from being stored.

use std::{iter, ops::Range, time::Duration};

use async_nats::jetstream::{AckKind, Message};
use tracing::warn;

use super::{BatchConsumer, FailureCounts};
use crate::{
    Broker, BrokerError, Failure, Received,
    consume::{
        acknowledge::acknowledge, dead_letter, pull_error::PullError, received::StoredMessage,
    },
};

/// The pauses before each further try of an event that fails alone; after the last it is a dead letter.
const RETRY_PAUSES: [Duration; 4] = [
    Duration::from_secs(1),
    Duration::from_secs(5),
    Duration::from_secs(30),
    Duration::from_mins(2),
];
/// The pause of an event of a type that this process does not know.
const UNKNOWN_TYPE_PAUSE: Duration = Duration::from_mins(1);

impl BatchConsumer {
    /// Stores a batch in one transaction. Where that fails and the database is there, halves the batch
    /// until those that fail are alone.
    pub(super) async fn store(
        &self,
        broker: &Broker,
        batch: Vec<Message>,
        failure_counts: &mut FailureCounts,
    ) -> Result<(), PullError> {
        let (mut messages, mut events) = (Vec::new(), Vec::new());
        for message in batch {
            match Received::read(&message) {
                Ok(event) => {
                    messages.push(message);
                    events.push(event.into_sealed());
                }
                Err(error) => {
                    let reason = error.to_string();
                    self.dead_letter(broker, &message, &reason).await;
                }
            }
        }
        let mut parts: Vec<Range<usize>> = iter::once(0..events.len()).collect();
        while let Some(part) = parts.pop() {
            match self.deliver(&events[part.clone()]).await {
                Ok(()) => {
                    for at in part {
                        failure_counts.remove(&events[at].stream_sequence);
                        let acknowledged = messages[at].ack_with(AckKind::Ack).await;
                        acknowledged.map_err(BrokerError::from)?;
                    }
                }
                Err(Failure::Outage(error)) => return Err(error.into()),
                Err(failure) if part.len() == 1 => {
                    let (message, event) = (&messages[part.start], &events[part.start]);
                    self.retry_or_dead_letter(broker, message, event, &failure, failure_counts)
                        .await;
                }
                Err(_) => {
                    let middle = part.start + part.len() / 2;
                    // The earlier half is taken first.
                    parts.extend([middle..part.end, part.start..middle]);
                }
            }
        }
        Ok(())
    }

    /// Has an event that fails alone delivered again later, or makes it a dead letter.
    async fn retry_or_dead_letter(
        &self,
        broker: &Broker,
        message: &Message,
        event: &Received,
        failure: &Failure,
        failure_counts: &mut FailureCounts,
    ) {
        let reason = failure.to_string();
        let pause = match failure {
            Failure::Reject(_) => None,
            Failure::UnknownType(_) => Some(UNKNOWN_TYPE_PAUSE),
            Failure::Retry(_) | Failure::Outage(_) => {
                let failed = failure_counts.entry(event.stream_sequence).or_default();
                *failed += 1;
                RETRY_PAUSES.get(*failed - 1).copied()
            }
        };
        let Some(pause) = pause else {
            failure_counts.remove(&event.stream_sequence);
            return self.dead_letter(broker, message, &reason).await;
        };
        warn!(
            consumer = self.name,
            subject = %message.subject,
            reason,
            seconds = pause.as_secs(),
            "an event failed and is tried again later"
        );
        acknowledge(&self.name, message, AckKind::Nak(Some(pause))).await;
    }

    /// Makes a message a dead letter and ends its delivery. Where that fails, it comes again.
    async fn dead_letter(&self, broker: &Broker, message: &Message, reason: &str) {
        metrics::counter!("tiffin_dead_letters_total", "consumer" => self.name.clone())
            .increment(1);
        warn!(
            consumer = self.name,
            subject = %message.subject,
            reason,
            "the event is a dead letter and waits for an operator"
        );
        let stored = async {
            let stored = StoredMessage::from_delivery(message)?;
            let from = (&*self.name, self.stream);
            dead_letter::store(broker, from, self.clock.now(), &stored, reason).await
        };
        let kind = match stored.await {
            Ok(()) => AckKind::Term,
            Err(error) => {
                warn!(consumer = self.name, %error, "the dead letter was not stored; the broker delivers the event again");
                AckKind::Nak(Some(Duration::from_secs(5)))
            }
        };
        acknowledge(&self.name, message, kind).await;
    }

    /// Tries a dead letter again.
    pub(crate) async fn retry(&self, broker: &Broker, stream_sequence: u64) -> Result<(), Failure> {
        let stored = StoredMessage::at(broker, self.stream, stream_sequence).await;
        let stored = stored.map_err(|error| Failure::Retry(error.to_string()))?;
        let Some(stored) = stored else {
            let reason = format!(
                "{} has no message {stream_sequence}: the event was removed; discard its dead letter",
                self.stream
            );
            return Err(Failure::Reject(reason));
        };
        let event = stored.read()?.into_sealed();
        self.deliver(&[event]).await
    }
}
