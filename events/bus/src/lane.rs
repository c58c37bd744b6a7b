//! What one lane of a consumer does with its messages, one after the other.

use std::time::Duration;

use async_nats::jetstream::{AckKind, Message};
use metrics::counter;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tracing::{Instrument, debug, info_span, warn};

use crate::{
    Broker, Consumer, Failure, Received,
    apply::Applied,
    predecessor,
    run::{acknowledge, bury},
};

pub(crate) struct Lane {
    pub consumer: Consumer,
    pub broker: Broker,
    pub shutdown: CancellationToken,
}

/// The pauses before each further try of an event that failed; after the last it is a dead letter.
const BACK_OFF: [Duration; 5] = [
    Duration::from_secs(1),
    Duration::from_secs(5),
    Duration::from_secs(30),
    Duration::from_mins(2),
    Duration::from_mins(10),
];

/// How often an event whose predecessor is missing is tried: every second for a minute, then every
/// ten seconds for as long as the predecessor itself is tried.
const WAIT_SHORT: (i64, Duration) = (60, Duration::from_secs(1));
const WAIT_LONG: (i64, Duration) = (60 + 90, Duration::from_secs(10));

impl Lane {
    pub(crate) async fn work(self, mut messages: mpsc::Receiver<Message>) {
        while let Some(message) = messages.recv().await {
            if self.shutdown.is_cancelled() {
                // Not begun: somebody else may have it at once.
                acknowledge(&self.consumer.name, &message, AckKind::Nak(None)).await;
                continue;
            }
            let attempt = message.info().map_or(1, |info| info.delivered);
            match Received::read(&message) {
                Ok(event) => self.handle(&message, &event, attempt).await,
                Err(reason) => bury(&self.consumer, &self.broker, &message, reason).await,
            }
        }
    }

    async fn handle(&self, message: &Message, event: &Received, attempt: i64) {
        let span = info_span!(
            "consume",
            consumer = self.consumer.name,
            kind = event.envelope.kind,
            event = %event.envelope.id,
            traceparent = event.envelope.traceparent,
        );
        let name = &self.consumer.name;
        async {
            match self.apply(message, event).await {
                Ok(Applied::Now) => {
                    counter!("tiffin_consumed_total", "consumer" => name.clone()).increment(1);
                    acknowledge(name, message, AckKind::Ack).await;
                }
                Ok(Applied::Before) => acknowledge(name, message, AckKind::Ack).await,
                Ok(Applied::Ahead { reached }) => {
                    self.wait_for_predecessor(message, event, reached, attempt)
                        .await;
                }
                Err(Failure::Reject(reason)) => {
                    bury(&self.consumer, &self.broker, message, reason).await;
                }
                Err(Failure::Retry(reason) | Failure::Outage(reason)) => {
                    let tried = usize::try_from(attempt - 1).unwrap_or_default();
                    match BACK_OFF.get(tried) {
                        Some(pause) => {
                            warn!(reason, attempt, "will try again");
                            acknowledge(name, message, AckKind::Nak(Some(*pause))).await;
                        }
                        None => bury(&self.consumer, &self.broker, message, reason).await,
                    }
                }
            }
        }
        .instrument(span)
        .await;
    }

    /// Applies the event, waiting out a database that is away: that is not the event's fault.
    async fn apply(&self, message: &Message, event: &Received) -> Result<Applied, Failure> {
        let mut pause = Duration::from_millis(100);
        loop {
            match self.consumer.apply(event).await {
                Err(Failure::Outage(reason)) if !self.shutdown.is_cancelled() => {
                    debug!(reason, "the database is away");
                    acknowledge(&self.consumer.name, message, AckKind::Progress).await;
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(Duration::from_secs(3));
                }
                outcome => return outcome,
            }
        }
    }

    /// An event came before an earlier one of its aggregate: it waits, unless the earlier ones are
    /// gone from the stream for good (an account's events are purged when it is deleted).
    async fn wait_for_predecessor(
        &self,
        message: &Message,
        event: &Received,
        reached: Option<i64>,
        attempt: i64,
    ) {
        let name = &self.consumer.name;
        match predecessor::is_in_stream(&self.broker, self.consumer.stream, message, event, reached)
            .await
        {
            Ok(false) => match self
                .consumer
                .apply_after(event, event.envelope.sequence - 1)
                .await
            {
                Ok(_) => acknowledge(name, message, AckKind::Ack).await,
                Err(_) => acknowledge(name, message, AckKind::Nak(Some(WAIT_SHORT.1))).await,
            },
            Err(error) => {
                warn!(%error, "the stream can't be looked into");
                acknowledge(name, message, AckKind::Nak(Some(WAIT_SHORT.1))).await;
            }
            Ok(true) if attempt <= WAIT_SHORT.0 => {
                acknowledge(name, message, AckKind::Nak(Some(WAIT_SHORT.1))).await;
            }
            Ok(true) if attempt <= WAIT_LONG.0 => {
                acknowledge(name, message, AckKind::Nak(Some(WAIT_LONG.1))).await;
            }
            Ok(true) => {
                let reason = format!("waited for version {} in vain", event.envelope.sequence - 1);
                bury(&self.consumer, &self.broker, message, reason).await;
            }
        }
    }
}
