//! Handing a replay's rounds to its consumer. What that has handled is skipped, one look for many; what
//! is new takes effect together with the checkpoint, or one by one where that fails.

use std::{
    collections::{HashMap, HashSet},
    time::{Duration, Instant},
};

use uuid::Uuid;

use super::{Control, ControlError, REASONS, RunState, runs, runs::Step};
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
/// Of a round that fails together, the messages that are handed over together again; only of those that
/// fail again, each is on its own.
const PART: usize = 100;

pub(super) struct HandOver<'a> {
    control: &'a Control,
    consumer: &'a Consumer,
    run: Uuid,
    /// What its events are marked with.
    mark: String,
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
            mark: run.to_string(),
            reached: HashMap::new(),
            position: 0,
            step: Step::default(),
            noted: Instant::now(),
            failures: Vec::new(),
        }
    }

    /// Hands over a round. Returns the state that the run is in, as far as that is known.
    pub(super) async fn round(&mut self, round: &[Stored]) -> Result<RunState, ControlError> {
        if let Some(state) = self.together(round).await? {
            return Ok(state);
        }
        if round.len() <= PART {
            return self.one_by_one(round).await;
        }
        for part in round.chunks(PART) {
            let state = Box::pin(self.round(part)).await?;
            if state != RunState::Running {
                return Ok(state);
            }
        }
        Ok(RunState::Running)
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
    async fn new_ones<'m>(
        &mut self,
        messages: &'m [Stored],
    ) -> Result<Vec<&'m Stored>, ControlError> {
        if self.reached.len() > REMEMBERED {
            self.reached.clear();
        }
        let versions: Vec<_> = messages.iter().map(Stored::version).collect();
        let behind: HashSet<Uuid> = versions
            .iter()
            .flatten()
            .filter(|(aggregate, sequence)| version_of(&self.reached, *aggregate) < *sequence)
            .map(|(aggregate, _)| *aggregate)
            .collect();
        let reached = apply::reached(&self.control.pool, &self.consumer.name, behind).await?;
        self.reached.extend(reached);
        let mut new = Vec::new();
        for (message, version) in messages.iter().zip(versions) {
            let was_handled = version.is_some_and(|(aggregate, sequence)| {
                sequence <= version_of(&self.reached, aggregate)
            });
            if !was_handled {
                new.push(message);
            }
        }
        Ok(new)
    }

    /// Has what is new of them take effect in one transaction with the checkpoint. `None` where one of
    /// them can't be read, fails or has to wait: then none did.
    async fn together(&mut self, messages: &[Stored]) -> Result<Option<RunState>, ControlError> {
        let new = self.new_ones(messages).await?;
        let Ok(events) = new.into_iter().map(|message| self.read(message)).collect() else {
            return Ok(None);
        };
        let events: Vec<Received> = events;
        if events.is_empty() {
            self.went_through(messages, 0);
            if self.noted.elapsed() < UNNOTED {
                return Ok(Some(RunState::Running));
            }
            return self.note().await.map(Some);
        }
        let mut tx = self.control.pool.begin().await?;
        let applied = self
            .consumer
            .apply_together(&mut tx, &self.reached, &events);
        match applied.await {
            Ok(true) => {}
            Ok(false) | Err(Failure::Retry(_) | Failure::Reject(_)) => {
                tx.rollback().await?;
                return Ok(None);
            }
            Err(Failure::Outage(reason)) => return Err(Failure::Outage(reason).into()),
        }
        self.went_through(messages, events.len());
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

    /// Counts messages of which so many took effect, and the others had before.
    fn went_through(&mut self, messages: &[Stored], handled: usize) {
        let count = |messages: usize| i64::try_from(messages).unwrap_or(i64::MAX);
        self.step.handled += count(handled);
        self.step.skipped += count(messages.len() - handled);
        self.come_to(messages);
    }

    fn come_to(&mut self, messages: &[Stored]) {
        if let Some(last) = messages.last() {
            self.position = i64::try_from(last.stream_sequence).unwrap_or(i64::MAX);
        }
    }

    fn read(&self, message: &Stored) -> Result<Received, String> {
        Ok(Received {
            replay: Some(self.mark.clone()),
            ..message.read()?
        })
    }

    async fn one_by_one(&mut self, messages: &[Stored]) -> Result<RunState, ControlError> {
        for message in messages {
            match self.read(message) {
                Ok(event) => self.one(&event).await,
                Err(reason) => self.fail(message.stream_sequence, &reason),
            }
        }
        self.come_to(messages);
        crate::fault::point(&self.consumer.name, "before_checkpoint").await;
        self.note().await
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
