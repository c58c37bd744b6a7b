//! One worker of a consumer: it handles the messages that wait for it, together where that works, else apart.

use std::{collections::HashMap, time::Duration};

use async_nats::jetstream::{AckKind, Message};
use metrics::counter;
use tiffin_events::subject::Subject;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tracing::{Instrument, debug, info_span, warn};
use uuid::Uuid;

use crate::{
    Broker, Consumer, Failure, Received,
    consume::{
        acknowledge::{acknowledge, dead_letter, postpone},
        apply::Applied,
        predecessor, settle,
    },
    pace::Pace,
};

pub(crate) struct Worker {
    consumer: Consumer,
    broker: Broker,
    shutdown: CancellationToken,
    tries: HashMap<Uuid, Tries>,
}

/// The most events that take effect in one transaction.
const BATCH: usize = 256;

/// The interval of a busy worker's transactions. It has none while whole batches wait.
const INTERVAL: Duration = Duration::from_millis(50);

/// The pause before the second try. What fails again leaves the broker and waits in a table.
const SECOND_TRY: Duration = Duration::from_secs(1);

/// The pauses of an event whose predecessor is missing: (up to which wait, how long). It is expected
/// any moment at first; later for as long as the predecessor itself is tried.
const WAITS: [(u32, Duration); 3] = [
    (10, Duration::from_millis(100)),
    (60, Duration::from_secs(1)),
    (150, Duration::from_secs(10)),
];

/// The attempts at an event in this process. The broker's count is no measure: it also counts deliveries of
/// messages that only waited in a queue.
#[derive(Clone, Copy, Default)]
struct Tries {
    has_failed: bool,
    waited: u32,
}

/// The outcome of handling messages together.
enum Together {
    Done,
    /// One of them failed, or is not the next of its aggregate.
    Apart,
    /// The database is away.
    Away,
}

/// Halves messages by their aggregates, each half in order. Messages of a single aggregate come back.
fn halves(messages: Vec<Message>) -> Result<(Vec<Message>, Vec<Message>), Vec<Message>> {
    let aggregate = |message: &Message| Subject::parse(&message.subject).map(|it| it.id);
    let mut aggregates = Vec::new();
    for message in &messages {
        let aggregate = aggregate(message);
        if !aggregates.contains(&aggregate) {
            aggregates.push(aggregate);
        }
    }
    if aggregates.len() < 2 {
        return Err(messages);
    }
    let first = &aggregates[..aggregates.len() / 2];
    Ok(messages
        .into_iter()
        .partition(|message| first.contains(&aggregate(message))))
}

impl Worker {
    pub(crate) fn new(consumer: Consumer, broker: Broker, shutdown: CancellationToken) -> Self {
        Self {
            consumer,
            broker,
            shutdown,
            tries: HashMap::new(),
        }
    }

    pub(crate) async fn work(mut self, mut messages: mpsc::Receiver<Message>) {
        let mut batch = Vec::new();
        let mut pace = Pace::new(INTERVAL);
        // Takes what is there, and never waits for more.
        while messages.recv_many(&mut batch, BATCH).await > 0 {
            let is_whole = batch.len() == BATCH;
            if self.shutdown.is_cancelled() {
                self.give_back(&batch).await;
                batch.clear();
                continue;
            }
            self.handle_all(std::mem::take(&mut batch)).await;
            if !is_whole {
                pace.wait().await;
            }
        }
    }

    /// Handles messages together where that works. Where it doesn't, halves them by aggregates until those that
    /// fail are alone.
    async fn handle_all(&mut self, messages: Vec<Message>) {
        let mut parts = vec![messages];
        while let Some(mut part) = parts.pop() {
            match self.handle_together(&part).await {
                Together::Done => {}
                Together::Away if self.shutdown.is_cancelled() => self.give_back(&part).await,
                Together::Away => {
                    // Waits until the database is back.
                    let rest = part.split_off(1);
                    self.handle_one(&part[0]).await;
                    parts.push(rest);
                }
                Together::Apart => match halves(part) {
                    Ok((one, other)) => parts.extend([other, one]),
                    Err(of_one_aggregate) => {
                        for message in &of_one_aggregate {
                            self.handle_one(message).await;
                        }
                    }
                },
            }
        }
    }

    /// Returns messages to the broker that are not begun: another process may have them at once.
    async fn give_back(&self, messages: &[Message]) {
        for message in messages {
            self.acknowledge(message, AckKind::Nak(None)).await;
        }
    }

    async fn handle_one(&mut self, message: &Message) {
        match Received::read(message) {
            Ok(event) => self.handle(message, &event).await,
            Err(error) => {
                let reason = error.to_string();
                dead_letter(&self.consumer, &self.broker, message, reason).await;
            }
        }
    }

    /// Handles several messages in one transaction if each has the next event of its aggregate. Where one has
    /// not, or fails, none takes effect.
    async fn handle_together(&mut self, messages: &[Message]) -> Together {
        if messages.len() < 2 {
            return Together::Apart;
        }
        let read: Result<Vec<Received>, _> = messages.iter().map(Received::read).collect();
        let Ok(events) = read else {
            return Together::Apart;
        };
        let span = info_span!(
            "consume",
            consumer = self.consumer.name,
            events = events.len()
        );
        match self.commit_together(&events).instrument(span).await {
            Ok(true) => {}
            Ok(false) => return Together::Apart,
            Err(Failure::Outage(error)) => {
                debug!(%error, "the database is away");
                return Together::Away;
            }
            Err(failure) => {
                debug!(%failure, "events are handled apart");
                return Together::Apart;
            }
        }
        let (name, count) = (self.consumer.name.clone(), events.len() as u64);
        counter!("tiffin_consumed_total", "consumer" => name).increment(count);
        for (message, event) in messages.iter().zip(&events) {
            self.tries.remove(&event.envelope.id);
            self.acknowledge(message, AckKind::Ack).await;
        }
        Together::Done
    }

    async fn commit_together(&self, events: &[Received]) -> Result<bool, Failure> {
        let mut tx = self.consumer.pool.begin().await?;
        let is_done = self.consumer.apply_together(&mut tx, events).await?;
        if is_done {
            tx.commit().await?;
        } else {
            tx.rollback().await?;
        }
        Ok(is_done)
    }

    async fn handle(&mut self, message: &Message, event: &Received) {
        let span = info_span!(
            "consume",
            consumer = self.consumer.name,
            kind = event.envelope.kind,
            event = %event.envelope.id,
            traceparent = event.envelope.traceparent,
        );
        let id = event.envelope.id;
        let tries = self.tries.remove(&id).unwrap_or_default();
        let again = async {
            match self.apply(message, event).await {
                Ok(Applied::Now { freed }) => {
                    let name = self.consumer.name.clone();
                    counter!("tiffin_consumed_total", "consumer" => name).increment(1);
                    self.acknowledge(message, AckKind::Ack).await;
                    if freed {
                        self.release(event.envelope.subject).await;
                    }
                    None
                }
                Ok(Applied::Before | Applied::Parked) => {
                    self.acknowledge(message, AckKind::Ack).await;
                    None
                }
                Ok(Applied::Ahead { reached }) => self.wait(message, event, reached, tries).await,
                Err(Failure::Reject(reason)) => {
                    dead_letter(&self.consumer, &self.broker, message, reason).await;
                    None
                }
                Err(failure @ Failure::Unknown(_)) => {
                    postpone(&self.consumer, &self.broker, message, &failure).await;
                    None
                }
                Err(failure @ (Failure::Retry(_) | Failure::Outage(_))) => {
                    self.back_off(message, &failure, tries).await
                }
            }
        }
        .instrument(span)
        .await;
        if let Some(tries) = again {
            self.tries.insert(id, tries);
        }
    }

    /// Applies the events that were parked behind a dead letter. Where that fails, a later look tries again.
    async fn release(&self, aggregate: Uuid) {
        if let Err(error) = settle::release(&self.consumer, &self.broker, aggregate).await {
            warn!(consumer = self.consumer.name, %aggregate, %error, "parked events can't be applied; a later look tries again");
        }
    }

    async fn acknowledge(&self, message: &Message, kind: AckKind) {
        acknowledge(&self.consumer.name, message, kind).await;
    }

    /// Has the event delivered once more after a pause, then puts it aside for later tries.
    async fn back_off(&self, message: &Message, failure: &Failure, tries: Tries) -> Option<Tries> {
        if tries.has_failed {
            postpone(&self.consumer, &self.broker, message, failure).await;
            return None;
        }
        warn!(%failure, "an event failed and is tried again");
        self.acknowledge(message, AckKind::Nak(Some(SECOND_TRY)))
            .await;
        Some(Tries {
            has_failed: true,
            ..tries
        })
    }

    /// Applies the event, waiting out a database that is away: that is not the event's fault.
    async fn apply(&self, message: &Message, event: &Received) -> Result<Applied, Failure> {
        let mut pause = Duration::from_millis(100);
        loop {
            match self.consumer.apply(event).await {
                Err(Failure::Outage(error)) if !self.shutdown.is_cancelled() => {
                    debug!(%error, "the database is away");
                    self.acknowledge(message, AckKind::Progress).await;
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(Duration::from_secs(3));
                }
                outcome => return outcome,
            }
        }
    }

    /// An event came before an earlier one of its aggregate: it waits, unless the earlier ones are
    /// gone from the stream for good (the events of a closed account are deleted one by one).
    async fn wait(
        &self,
        message: &Message,
        event: &Received,
        reached: Option<i64>,
        tries: Tries,
    ) -> Option<Tries> {
        let waited = tries.waited + 1;
        // A look into the stream costs a request for each sequence, and most predecessors are just late.
        if (waited == 5 || waited.is_multiple_of(20)) && !self.is_expected(event, reached).await {
            let predecessor = event.envelope.sequence - 1;
            if self.consumer.apply_after(event, predecessor).await.is_ok() {
                self.acknowledge(message, AckKind::Ack).await;
                return None;
            }
        }
        let Some((_, pause)) = WAITS.iter().find(|(upto, _)| waited <= *upto) else {
            let reason = format!("sequence {} did not come", event.envelope.sequence - 1);
            dead_letter(&self.consumer, &self.broker, message, reason).await;
            return None;
        };
        self.acknowledge(message, AckKind::Nak(Some(*pause))).await;
        Some(Tries { waited, ..tries })
    }

    /// True if the stream still holds the event's missing predecessor.
    async fn is_expected(&self, event: &Received, reached: Option<i64>) -> bool {
        let stream = self.consumer.stream;
        match predecessor::is_in_stream(&self.broker, stream, event, reached).await {
            Ok(is_there) => is_there,
            Err(error) => {
                warn!(%error, "the stream can't be looked into");
                true
            }
        }
    }
}
