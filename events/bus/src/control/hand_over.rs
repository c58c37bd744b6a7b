//! Handing a replay's batches to its consumer. What that has handled is skipped, one look for many;
//! what is new takes effect together with the checkpoint, or one by one where that fails.

use std::{
    collections::{HashMap, HashSet},
    time::{Duration, Instant},
};

use uuid::Uuid;

use super::{Control, ControlError, RunState, runs, runs::Step};
use crate::{
    Consumer, Failure, Received,
    apply::{self, version_of},
    received::Stored,
    settle::{self, Fed},
};

/// How long what was skipped may go without a checkpoint: a killed process skips it once more.
const UNNOTED: Duration = Duration::from_millis(200);
/// Aggregates whose version is remembered.
const REMEMBERED: usize = 200_000;
/// How many reasons are kept.
const REASONS: usize = 20;

pub(super) struct HandOver<'a> {
    control: &'a Control,
    consumer: &'a Consumer,
    run: Uuid,
    /// How far the consumer is known to be with each aggregate. It may have come further.
    reached: HashMap<Uuid, i64>,
    /// The place up to which everything is done, and what was done since the last checkpoint.
    position: i64,
    step: Step,
    noted: Instant,
    pub failures: Vec<String>,
}

impl<'a> HandOver<'a> {
    pub(super) fn new(control: &'a Control, consumer: &'a Consumer, run: Uuid) -> Self {
        Self {
            control,
            consumer,
            run,
            reached: HashMap::new(),
            position: 0,
            step: Step::default(),
            noted: Instant::now(),
            failures: Vec::new(),
        }
    }

    /// Hands over a batch. Returns the state that the run is in, as far as that is known.
    pub(super) async fn batch(&mut self, batch: Vec<Stored>) -> Result<RunState, ControlError> {
        let Some(last) = batch.last() else {
            return Ok(RunState::Running);
        };
        self.position = i64::try_from(last.stream_sequence).unwrap_or(i64::MAX);
        let new = self.new_ones(batch).await?;
        if new.is_empty() {
            if self.noted.elapsed() < UNNOTED {
                return Ok(RunState::Running);
            }
            return self.note().await;
        }
        let mut events = Vec::with_capacity(new.len());
        for message in new {
            match message.read() {
                Ok(mut event) => {
                    event.replay = Some(self.run.to_string());
                    events.push(event);
                }
                Err(reason) => self.fail(message.stream_sequence, &reason),
            }
        }
        if let Some(state) = self.together(&events).await? {
            return Ok(state);
        }
        for event in &events {
            self.one(event).await;
        }
        crate::fault::point(&self.consumer.name, "before_checkpoint").await;
        self.note().await
    }

    /// Notes how far it is, and tells whoever watches. Returns the state that the run is in.
    pub(super) async fn note(&mut self) -> Result<RunState, ControlError> {
        let (pool, now) = (&self.control.pool, self.control.clock.now());
        let state = runs::advance(pool, self.run, self.position, self.step, now).await?;
        self.went_on().await;
        Ok(state)
    }

    async fn went_on(&mut self) {
        self.step = Step::default();
        self.noted = Instant::now();
        self.control.tell(self.run).await;
    }

    /// Those that the consumer has not handled, or that nobody can read.
    async fn new_ones(&mut self, batch: Vec<Stored>) -> Result<Vec<Stored>, ControlError> {
        let versions: Vec<_> = batch.iter().map(Stored::version).collect();
        let behind: HashSet<Uuid> = versions
            .iter()
            .flatten()
            .filter(|(aggregate, sequence)| version_of(&self.reached, *aggregate) < *sequence)
            .map(|(aggregate, _)| *aggregate)
            .collect();
        if self.reached.len() > REMEMBERED {
            self.reached.clear();
        }
        let reached = apply::reached(&self.control.pool, &self.consumer.name, behind).await?;
        self.reached.extend(reached);
        let mut new = Vec::new();
        for (message, version) in batch.into_iter().zip(versions) {
            match version {
                Some((aggregate, sequence)) if version_of(&self.reached, aggregate) >= sequence => {
                    self.step.skipped += 1;
                }
                _ => new.push(message),
            }
        }
        Ok(new)
    }

    /// Has them take effect in one transaction with the checkpoint. `None` where one of them fails or
    /// has to wait: then none did.
    async fn together(&mut self, events: &[Received]) -> Result<Option<RunState>, ControlError> {
        let mut tx = self.control.pool.begin().await?;
        let applied = self.consumer.apply_together(&mut tx, &self.reached, events);
        match applied.await {
            Ok(true) => {}
            Ok(false) | Err(Failure::Retry(_) | Failure::Reject(_)) => {
                tx.rollback().await?;
                return Ok(None);
            }
            Err(Failure::Outage(reason)) => return Err(Failure::Outage(reason).into()),
        }
        self.step.handled += i64::try_from(events.len()).unwrap_or(i64::MAX);
        let now = self.control.clock.now();
        let state = runs::advance(&mut *tx, self.run, self.position, self.step, now).await?;
        crate::fault::point(&self.consumer.name, "before_checkpoint").await;
        tx.commit().await?;
        let versions = events.iter().map(|event| &event.envelope);
        self.reached
            .extend(versions.map(|envelope| (envelope.subject, envelope.sequence)));
        self.went_on().await;
        Ok(Some(state))
    }

    async fn one(&mut self, event: &Received) {
        match settle::feed(self.consumer, &self.control.broker, event).await {
            Ok(Fed::Now) => self.step.handled += 1,
            Ok(Fed::Before) => self.step.skipped += 1,
            Ok(Fed::Waits) => {
                let before = event.envelope.sequence - 1;
                let reason = format!("version {before} of it comes first");
                self.fail(event.stream_sequence, &reason);
            }
            Err(error) => self.fail(event.stream_sequence, &error.to_string()),
        }
    }

    fn fail(&mut self, place: u64, reason: &str) {
        self.step.failed += 1;
        if self.failures.len() < REASONS {
            self.failures.push(format!("{place}: {reason}"));
        }
    }
}
