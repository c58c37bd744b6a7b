//! One consumer's part of a rebuild: its events, in the order of each aggregate, as far as the
//! serving consumer has handled them. The rest is left to that consumer: dead letters, the events that are
//! parked behind them, and events that have only just come.

use std::{
    collections::{BTreeMap, HashMap, HashSet, VecDeque},
    mem,
    sync::Arc,
};

use sqlx::{Connection, PgConnection};
use tracing::warn;
use uuid::Uuid;

use super::{ControlError, projected_sequences::ProjectedSequences, refusal::Refusal};
use crate::{
    Consumer, Failure, Received,
    consume::{
        apply::{self, sequence_of},
        received::{StoredMessage, Unopened},
    },
    seal::Keys,
};

/// The most events that may wait for the serving consumer. With more it is too far behind.
const MAX_WAITING: usize = 100_000;
/// Aggregates whose progress in the serving consumer is remembered from batch to batch.
const MAX_REMEMBERED: usize = 250_000;

pub(super) struct Projection<'a> {
    pub consumer: &'a Consumer,
    /// The stream sequence up to which everything is read.
    pub position: u64,
    /// The last projected sequence of each aggregate. Those of a batch, and of all events that wait in
    /// [`Projection::finish`], are loaded.
    projected: ProjectedSequences,
    /// The last sequence of each aggregate that the serving consumer had handled when it was looked up.
    serving: HashMap<Uuid, i64>,
    /// Events that came before an earlier one of their aggregate, or that the serving consumer has not
    /// handled, by sequence and stream sequence.
    waiting: HashMap<Uuid, BTreeMap<(i64, u64), Received>>,
    /// Aggregates with an event that can't be projected, and why.
    failed: HashMap<Uuid, String>,
    /// Events that were projected one by one, which is many times slower.
    one_by_one: usize,
    discarded: HashSet<Uuid>,
}

/// Events that were read together.
pub(super) struct Batch {
    /// The stream sequence of the last message.
    last: Option<u64>,
    events: Vec<Received>,
}

impl Batch {
    /// Reads messages. No consumer has handled what can't be read: that is left out.
    pub(super) async fn read(messages: &[StoredMessage], keys: &Keys) -> Result<Self, Failure> {
        let mark: Arc<str> = "rebuild".into();
        let read = messages.iter().filter_map(|message| message.read().ok());
        let opened = Unopened::open_all(read.collect(), keys).await?;
        let events = opened.into_iter().flatten().map(|event| Received {
            replay: Some(mark.clone()),
            ..event
        });
        Ok(Self {
            last: messages.last().map(|message| message.stream_sequence),
            events: events.collect(),
        })
    }
}

/// Events that can be projected now.
#[derive(Default)]
struct ReadyEvents {
    ready: VecDeque<Received>,
    /// Discarded ones, and those whose sequence another one has.
    unused: Vec<Received>,
}

impl<'a> Projection<'a> {
    /// A projection that goes on after `position`, from the sequences that were projected by then.
    pub(super) async fn new(
        tx: &mut PgConnection,
        consumer: &'a Consumer,
        position: u64,
        projected: ProjectedSequences,
    ) -> sqlx::Result<Self> {
        let discarded = discarded(tx, consumer).await?;
        Ok(Self {
            consumer,
            position,
            projected,
            serving: HashMap::new(),
            waiting: HashMap::new(),
            failed: HashMap::new(),
            one_by_one: 0,
            discarded,
        })
    }

    /// Writes the sequences that are only in memory.
    pub(super) async fn save(&mut self, tx: &mut PgConnection) -> sqlx::Result<()> {
        self.projected.save(tx).await
    }

    /// Writes the sequences that the serving tables hold: those that are projected, but for aggregates with
    /// an event that can't be.
    pub(super) async fn save_serving(&mut self, tx: &mut PgConnection) -> sqlx::Result<()> {
        let failed = self.failed.keys().copied().collect();
        for (aggregate, sequence) in
            apply::handled_sequences(&mut *tx, &self.consumer.name, failed).await?
        {
            self.projected.set(aggregate, sequence);
        }
        self.projected.save(tx).await
    }

    /// The stream sequence to go on from later: before everything that waits.
    pub(super) fn resume_from(&self) -> u64 {
        let waiting = self.waiting.values().flat_map(BTreeMap::keys);
        let first = waiting
            .map(|(_, sequence)| sequence.saturating_sub(1))
            .min();
        first.unwrap_or(self.position).min(self.position)
    }

    /// True if every event up to the position is projected.
    pub(super) fn is_settled(&self) -> bool {
        self.waiting.is_empty() && self.failed.is_empty()
    }

    pub(super) fn failures(&self) -> impl Iterator<Item = (Uuid, &str)> {
        let failed = self.failed.iter();
        failed.map(|(aggregate, reason)| (*aggregate, reason.as_str()))
    }

    /// The number of events that were projected one by one, because they could not be projected together.
    pub(super) fn one_by_one(&self) -> usize {
        self.one_by_one
    }

    /// The number of aggregates with events that the serving consumer has not handled.
    pub(super) fn behind(&self) -> usize {
        let is_behind = |aggregate| !self.failed.contains_key(aggregate);
        self.waiting.keys().filter(|one| is_behind(one)).count()
    }

    /// Projects a batch, in a transaction that the caller commits.
    pub(super) async fn project_batch(
        &mut self,
        tx: &mut PgConnection,
        Batch { last, events }: Batch,
    ) -> Result<(), ControlError> {
        self.position = last.unwrap_or(self.position);
        let sequences = events
            .iter()
            .map(|event| (event.envelope.subject, event.envelope.sequence));
        let sequences = sequences.collect();
        self.look_up(tx, sequences).await?;
        let mut queue = ReadyEvents::default();
        for event in events {
            self.enqueue(event, &mut queue);
        }
        self.project(tx, queue).await?;
        let waiting: usize = self.waiting.values().map(BTreeMap::len).sum();
        if waiting > MAX_WAITING {
            let consumer = self.consumer.name.clone();
            return Err(Refusal::Behind { consumer, waiting }.into());
        }
        Ok(())
    }

    /// Projects, at the end of the stream and while the serving consumer is paused, the events whose predecessors are
    /// gone for good, as the serving consumer did.
    pub(super) async fn finish(&mut self, tx: &mut PgConnection) -> Result<(), ControlError> {
        let sequences = self.waiting.keys().map(|aggregate| (*aggregate, i64::MAX));
        self.look_up(tx, sequences.collect()).await?;
        loop {
            let mut queue = ReadyEvents::default();
            for aggregate in self.waiting.keys().copied().collect::<Vec<_>>() {
                self.enqueue_waiting(aggregate, &mut queue);
                while let Some(first) = self.first_waiting(aggregate)
                    && first <= sequence_of(&self.serving, aggregate)
                    && !self.failed.contains_key(&aggregate)
                {
                    self.projected.set(aggregate, first - 1);
                    self.enqueue_waiting(aggregate, &mut queue);
                }
            }
            if queue.ready.is_empty() {
                return Ok(());
            }
            self.project(tx, queue).await?;
        }
    }

    fn first_waiting(&self, aggregate: Uuid) -> Option<i64> {
        let ((first, _), _) = self.waiting.get(&aggregate)?.first_key_value()?;
        Some(*first)
    }

    /// Loads the projected sequences of these aggregates. Looks up those of the serving consumer where it is not known
    /// to be as far.
    async fn look_up(
        &mut self,
        tx: &mut PgConnection,
        mut sequences: Vec<(Uuid, i64)>,
    ) -> sqlx::Result<()> {
        let aggregates = sequences.iter().map(|(id, _)| *id).collect();
        self.projected.load(tx, aggregates).await?;
        if self.serving.len() > MAX_REMEMBERED {
            self.serving.clear();
        }
        sequences
            .retain(|(aggregate, sequence)| sequence_of(&self.serving, *aggregate) < *sequence);
        let aggregates = sequences.into_iter().map(|(id, _)| id).collect();
        let reached = apply::handled_sequences(tx, &self.consumer.name, aggregates).await?;
        self.serving.extend(reached);
        Ok(())
    }

    /// Puts an event into the queue if it is the next of its aggregate.
    fn enqueue(&mut self, event: Received, queue: &mut ReadyEvents) {
        let (aggregate, sequence) = (event.envelope.subject, event.envelope.sequence);
        let reached = self.projected.of(aggregate);
        let is_discarded = self.discarded.contains(&event.envelope.id);
        if sequence <= reached {
            queue.unused.push(event);
        } else if sequence > sequence_of(&self.serving, aggregate)
            || sequence > reached + 1 && !is_discarded
        {
            self.keep_waiting(event);
        } else {
            self.push_ready(event, queue);
            self.enqueue_waiting(aggregate, queue);
        }
    }

    fn push_ready(&mut self, event: Received, queue: &mut ReadyEvents) {
        let envelope = &event.envelope;
        self.projected.set(envelope.subject, envelope.sequence);
        if self.discarded.contains(&event.envelope.id) {
            queue.unused.push(event);
        } else {
            queue.ready.push_back(event);
        }
    }

    fn keep_waiting(&mut self, event: Received) {
        let key = (event.envelope.sequence, event.stream_sequence);
        let waiting = self.waiting.entry(event.envelope.subject).or_default();
        waiting.insert(key, event);
    }

    /// Puts the events into the queue that waited for the sequence that is projected now.
    fn enqueue_waiting(&mut self, aggregate: Uuid, queue: &mut ReadyEvents) {
        while let Some(waiting) = self.waiting.get_mut(&aggregate) {
            let Some(first) = waiting.first_entry() else {
                self.waiting.remove(&aggregate);
                break;
            };
            let ((sequence, _), reached) = (*first.key(), self.projected.of(aggregate));
            if sequence > reached + 1 || sequence > sequence_of(&self.serving, aggregate) {
                break;
            }
            let event = first.remove();
            if sequence <= reached {
                queue.unused.push(event);
            } else {
                self.push_ready(event, queue);
            }
        }
    }

    /// Projects a queue at once, or one by one where that fails.
    async fn project(
        &mut self,
        tx: &mut PgConnection,
        queue: ReadyEvents,
    ) -> Result<(), ControlError> {
        let ReadyEvents { ready, unused } = queue;
        let ready = Vec::from(ready);
        if ready.is_empty() {
            return Ok(());
        }
        let Some(reason) = self.try_all(tx, &ready).await? else {
            return Ok(());
        };
        if self.one_by_one == 0 {
            let consumer = &self.consumer.name;
            warn!(
                consumer,
                reason, "events can't be projected together; each is projected alone"
            );
        }
        self.one_by_one += ready.len();
        // Back to the state before them: the first event of each aggregate is set last.
        for event in ready.iter().rev() {
            let before = event.envelope.sequence - 1;
            self.projected.set(event.envelope.subject, before);
        }
        let mut events: Vec<Received> = ready.into_iter().chain(unused).collect();
        events.sort_by_key(|event| event.stream_sequence);
        for event in events {
            self.project_one(tx, event).await?;
        }
        Ok(())
    }

    /// Projects one event, and the events that waited for it. After one that fails, the aggregate stays where it is
    /// until another event with that sequence comes.
    async fn project_one(
        &mut self,
        tx: &mut PgConnection,
        event: Received,
    ) -> Result<(), ControlError> {
        let mut queue = ReadyEvents::default();
        self.enqueue(event, &mut queue);
        while let Some(event) = queue.ready.pop_front() {
            let Some(reason) = self.try_all(tx, std::slice::from_ref(&event)).await? else {
                continue;
            };
            let (aggregate, sequence) = (event.envelope.subject, event.envelope.sequence);
            self.failed.insert(aggregate, reason);
            self.projected.set(aggregate, sequence - 1);
            let ReadyEvents { ready, unused } = mem::take(&mut queue);
            for other in ready.into_iter().chain(unused) {
                if other.envelope.sequence >= sequence {
                    self.keep_waiting(other);
                }
            }
            self.enqueue_waiting(aggregate, &mut queue);
        }
        Ok(())
    }

    /// Projects the events together; if that fails, none of them, and the error says why.
    async fn try_all(
        &mut self,
        tx: &mut PgConnection,
        events: &[Received],
    ) -> Result<Option<String>, ControlError> {
        let mut step = tx.begin().await?;
        match self.consumer.project(&mut step, events).await {
            Ok(()) => {
                step.commit().await?;
                if !self.failed.is_empty() {
                    for event in events {
                        self.failed.remove(&event.envelope.subject);
                    }
                }
                Ok(None)
            }
            Err(failure @ Failure::Outage(_)) => Err(failure.into()),
            Err(failure) => {
                step.rollback().await?;
                Ok(Some(failure.to_string()))
            }
        }
    }
}

/// The events that operators discarded, by id: a stream that was lost and republished has other stream
/// sequences.
async fn discarded(tx: &mut PgConnection, consumer: &Consumer) -> sqlx::Result<HashSet<Uuid>> {
    let ids = sqlx::query_scalar!(
        r#"select event_id as "id!" from bus.discarded
         where consumer = $1 and event_id is not null"#,
        consumer.name
    )
    .fetch_all(tx)
    .await?;
    Ok(ids.into_iter().collect())
}
