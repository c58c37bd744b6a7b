//! One worker of a consumer. It handles the messages that wait for it in one transaction, or in several where that
//! fails.

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
        predecessor,
        received::{Unopened, Unread},
        settle,
    },
    throttle::Throttle,
};

pub(crate) struct Worker {
    consumer: Consumer,
    broker: Broker,
    shutdown: CancellationToken,
    attempts: HashMap<Uuid, Attempts>,
}

/// The most events that take effect in one transaction.
const MAX_BATCH: usize = 256;

/// The interval of a busy worker's transactions. While whole batches wait there is none.
const TRANSACTION_INTERVAL: Duration = Duration::from_millis(50);

/// The pause before the second try. What fails again leaves the broker and waits in a table.
const SECOND_TRY_PAUSE: Duration = Duration::from_secs(1);

/// The pauses while the database or keys are missing: the first, which doubles, and the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(3);

/// The pauses of an event whose predecessor is missing: up to which wait, and how long. At first it is expected
/// any moment, later for as long as the predecessor itself is tried.
const PREDECESSOR_PAUSES: [(u32, Duration); 3] = [
    (10, Duration::from_millis(100)),
    (60, Duration::from_secs(1)),
    (150, Duration::from_secs(10)),
];

/// The attempts at an event in this process. The broker's count is no measure: it also counts deliveries of
/// messages that only waited in a queue.
#[derive(Clone, Copy, Default)]
struct Attempts {
    has_failed: bool,
    waited: u32,
}

/// The outcome of handling several messages in one transaction.
enum BatchOutcome {
    Done,
    /// One of them failed, or is not the next of its aggregate: they are handled in smaller parts.
    Split,
    /// The database fails, or keys are missing.
    Outage,
}

/// Halves messages by their aggregates, each half in order. Messages of a single aggregate are returned as they are.
fn split_by_aggregate(
    messages: Vec<Message>,
) -> Result<(Vec<Message>, Vec<Message>), Vec<Message>> {
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
            attempts: HashMap::new(),
        }
    }

    pub(crate) async fn run(mut self, mut messages: mpsc::Receiver<Message>) {
        let mut batch = Vec::new();
        let mut throttle = Throttle::new(TRANSACTION_INTERVAL);
        // Takes what is there, and never waits for more.
        while messages.recv_many(&mut batch, MAX_BATCH).await > 0 {
            let is_whole = batch.len() == MAX_BATCH;
            if self.shutdown.is_cancelled() {
                self.return_to_broker(&batch).await;
                batch.clear();
                continue;
            }
            self.handle_all(std::mem::take(&mut batch)).await;
            if !is_whole {
                throttle.wait().await;
            }
        }
    }

    /// Handles messages in one transaction. Where that fails, halves them by aggregates until those that fail are
    /// alone.
    async fn handle_all(&mut self, messages: Vec<Message>) {
        let mut parts = vec![messages];
        while let Some(mut part) = parts.pop() {
            match self.handle_batch(&part).await {
                BatchOutcome::Done => {}
                BatchOutcome::Outage if self.shutdown.is_cancelled() => {
                    self.return_to_broker(&part).await;
                }
                BatchOutcome::Outage => {
                    // Waits for the missing dependency.
                    let rest = part.split_off(1);
                    self.handle_one(&part[0]).await;
                    parts.push(rest);
                }
                BatchOutcome::Split => match split_by_aggregate(part) {
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
    async fn return_to_broker(&self, messages: &[Message]) {
        for message in messages {
            self.acknowledge(message, AckKind::Nak(None)).await;
        }
    }

    async fn handle_one(&mut self, message: &Message) {
        let read = match Received::read(message) {
            Ok(event) => self.open(message, event).await,
            Err(error) => Err(error.into()),
        };
        match read {
            Ok(event) => self.handle(message, &event).await,
            Err(Unread::Keys(_)) => self.acknowledge(message, AckKind::Nak(None)).await,
            Err(Unread::Malformed(error)) => {
                let reason = error.to_string();
                dead_letter(&self.consumer, &self.broker, message, reason).await;
            }
        }
    }

    /// Opens the personal fields of an event. Waits for missing keys until the shutdown: the event is not at fault.
    async fn open(&self, message: &Message, event: Unopened) -> Result<Received, Unread> {
        let mut pause = FIRST_PAUSE;
        loop {
            match event.clone().open(&self.broker.keys).await {
                Err(Unread::Keys(error)) if !self.shutdown.is_cancelled() => {
                    if pause == FIRST_PAUSE {
                        warn!(consumer = self.consumer.name, subject = %message.subject, %error, "an event's personal fields can't be read; trying again");
                    }
                    pause = self.pause(message, pause).await;
                }
                outcome => return outcome,
            }
        }
    }

    /// Waits for a dependency of every event, and returns the next pause.
    async fn pause(&self, message: &Message, pause: Duration) -> Duration {
        self.acknowledge(message, AckKind::Progress).await;
        tokio::time::sleep(pause).await;
        (pause * 2).min(LONGEST_PAUSE)
    }

    /// Handles several messages in one transaction if each has the next event of its aggregate. Where one has
    /// not, or fails, none takes effect.
    async fn handle_batch(&mut self, messages: &[Message]) -> BatchOutcome {
        if messages.len() < 2 {
            return BatchOutcome::Split;
        }
        let read: Result<Vec<Unopened>, _> = messages.iter().map(Received::read).collect();
        let Ok(events) = read else {
            return BatchOutcome::Split;
        };
        let opened = match Unopened::open_all(events, &self.broker.keys).await {
            Ok(opened) => opened,
            Err(error) => {
                debug!(%error, "keys are missing; the events are tried again once they are there");
                return BatchOutcome::Outage;
            }
        };
        let Ok(events) = opened.into_iter().collect::<Result<Vec<Received>, _>>() else {
            return BatchOutcome::Split;
        };
        let span = info_span!(
            "consume",
            consumer = self.consumer.name,
            events = events.len()
        );
        match self.commit_batch(&events).instrument(span).await {
            Ok(true) => {}
            Ok(false) => return BatchOutcome::Split,
            Err(Failure::Outage(error)) => {
                debug!(%error, "the database fails; the events are tried again once it is back");
                return BatchOutcome::Outage;
            }
            Err(failure) => {
                debug!(%failure, "a batch of events failed; it is handled in halves");
                return BatchOutcome::Split;
            }
        }
        let (name, count) = (self.consumer.name.clone(), events.len() as u64);
        counter!("tiffin_consumed_total", "consumer" => name).increment(count);
        for (message, event) in messages.iter().zip(&events) {
            self.attempts.remove(&event.envelope.id);
            self.acknowledge(message, AckKind::Ack).await;
        }
        BatchOutcome::Done
    }

    async fn commit_batch(&self, events: &[Received]) -> Result<bool, Failure> {
        let mut tx = tiffin_database::begin(&self.consumer.pool).await?;
        let is_done = self.consumer.apply_batch(&mut tx, events).await?;
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
        let attempts = self.attempts.remove(&id).unwrap_or_default();
        let again = async {
            match self.apply(message, event).await {
                Ok(Applied::Now { freed }) => {
                    let name = self.consumer.name.clone();
                    counter!("tiffin_consumed_total", "consumer" => name).increment(1);
                    self.acknowledge(message, AckKind::Ack).await;
                    if freed {
                        self.apply_parked(event.envelope.subject).await;
                    }
                    None
                }
                Ok(Applied::Duplicate | Applied::Parked) => {
                    self.acknowledge(message, AckKind::Ack).await;
                    None
                }
                Ok(Applied::Gap { reached }) => {
                    self.wait_for_predecessor(message, event, reached, attempts)
                        .await
                }
                Err(Failure::Reject(reason)) => {
                    dead_letter(&self.consumer, &self.broker, message, reason).await;
                    None
                }
                Err(failure @ Failure::UnknownType(_)) => {
                    postpone(&self.consumer, &self.broker, message, &failure).await;
                    None
                }
                Err(failure @ (Failure::Retry(_) | Failure::Outage(_))) => {
                    self.back_off(message, &failure, attempts).await
                }
            }
        }
        .instrument(span)
        .await;
        if let Some(attempts) = again {
            self.attempts.insert(id, attempts);
        }
    }

    /// Applies the events that were parked behind a dead letter. Where that fails, a later poll tries again.
    async fn apply_parked(&self, aggregate: Uuid) {
        if let Err(error) = settle::apply_parked(&self.consumer, &self.broker, aggregate).await {
            warn!(consumer = self.consumer.name, %aggregate, %error, "parked events can't be applied; a later poll tries again");
        }
    }

    async fn acknowledge(&self, message: &Message, kind: AckKind) {
        acknowledge(&self.consumer.name, message, kind).await;
    }

    /// Has the event delivered once more after a pause. If it failed before, puts it aside for later attempts.
    async fn back_off(
        &self,
        message: &Message,
        failure: &Failure,
        attempts: Attempts,
    ) -> Option<Attempts> {
        if attempts.has_failed {
            postpone(&self.consumer, &self.broker, message, failure).await;
            return None;
        }
        warn!(%failure, "an event failed and is tried again");
        self.acknowledge(message, AckKind::Nak(Some(SECOND_TRY_PAUSE)))
            .await;
        Some(Attempts {
            has_failed: true,
            ..attempts
        })
    }

    /// Applies the event. While the database fails, waits and tries again: that is not the event's fault.
    async fn apply(&self, message: &Message, event: &Received) -> Result<Applied, Failure> {
        let mut pause = FIRST_PAUSE;
        loop {
            match self.consumer.apply(event).await {
                Err(Failure::Outage(error)) if !self.shutdown.is_cancelled() => {
                    debug!(%error, "the database fails; the event is tried again");
                    pause = self.pause(message, pause).await;
                }
                outcome => return outcome,
            }
        }
    }

    /// An event came before an earlier one of its aggregate: it waits, unless the earlier ones are
    /// gone from the stream for good (the events of a closed account are deleted one by one).
    async fn wait_for_predecessor(
        &self,
        message: &Message,
        event: &Received,
        reached: Option<i64>,
        attempts: Attempts,
    ) -> Option<Attempts> {
        let waited = attempts.waited + 1;
        // A search in the stream costs a request for each sequence, and most predecessors are just late.
        if (waited == 5 || waited.is_multiple_of(20))
            && !self.is_predecessor_in_stream(event, reached).await
        {
            let predecessor = event.envelope.sequence - 1;
            if self.consumer.apply_after(event, predecessor).await.is_ok() {
                self.acknowledge(message, AckKind::Ack).await;
                return None;
            }
        }
        let Some((_, pause)) = PREDECESSOR_PAUSES.iter().find(|(upto, _)| waited <= *upto) else {
            let reason = format!("sequence {} did not come", event.envelope.sequence - 1);
            dead_letter(&self.consumer, &self.broker, message, reason).await;
            return None;
        };
        self.acknowledge(message, AckKind::Nak(Some(*pause))).await;
        Some(Attempts { waited, ..attempts })
    }

    /// True if the stream still holds the event's missing predecessor.
    async fn is_predecessor_in_stream(&self, event: &Received, reached: Option<i64>) -> bool {
        let stream = self.consumer.stream;
        match predecessor::is_in_stream(&self.broker, stream, event, reached).await {
            Ok(is_there) => is_there,
            Err(error) => {
                warn!(%error, "the stream can't be searched for a missing event; the event waits for it");
                true
            }
        }
    }
}
