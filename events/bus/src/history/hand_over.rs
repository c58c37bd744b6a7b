//! Handing a replay's rounds to its consumer: what is new takes effect together with the checkpoint, or
//! one by one where that fails.

use std::time::{Duration, Instant};

use uuid::Uuid;

use super::{
    Control, ControlError, Operation, OperationState, REASONS, operations, operations::Step,
    rounds::Round,
};
use crate::{
    Consumer, Failure, Received,
    consume::settle::{self, Delivered},
};

/// The longest time between checkpoints of skipped events. A killed process skips at most that much again.
const UNNOTED: Duration = Duration::from_millis(200);
/// The shortest time between two progress frames. The last one is always sent.
const REPORT: Duration = Duration::from_millis(100);
/// The size of the parts that a failed round is split into. Only the messages of a part that fails again
/// are handed over one by one.
const PART: usize = 100;

pub(super) struct HandOver<'a> {
    control: &'a Control,
    consumer: &'a Consumer,
    operation: Uuid,
    /// The stream sequence up to which everything is done, and what was done since the last checkpoint.
    position: i64,
    step: Step,
    noted: Instant,
    reported: Option<Instant>,
    pub failures: Vec<String>,
}

impl<'a> HandOver<'a> {
    pub(super) fn new(control: &'a Control, consumer: &'a Consumer, operation: &Operation) -> Self {
        Self {
            control,
            consumer,
            operation: operation.id,
            position: operation.position,
            step: Step::default(),
            noted: Instant::now(),
            reported: None,
            failures: Vec::new(),
        }
    }

    /// Hands over a round. Returns the state that the operation is in, as far as that is known.
    pub(super) async fn round(&mut self, round: &Round) -> Result<OperationState, ControlError> {
        if round.new.is_empty() && round.unreadable.is_empty() {
            self.come_to(round, round.last);
            if self.noted.elapsed() < UNNOTED {
                return Ok(OperationState::Running);
            }
            return self.note().await;
        }
        if round.unreadable.is_empty()
            && let Some(state) = self.together(round, &round.new, round.last).await?
        {
            return Ok(state);
        }
        for part in round.new.chunks(PART) {
            let upto = part.last().map_or(round.last, |last| last.stream_sequence);
            let state = match self.together(round, part, upto).await? {
                Some(state) => state,
                None => self.one_by_one(round, part, upto).await?,
            };
            if state != OperationState::Running {
                return Ok(state);
            }
        }
        self.come_to(round, round.last);
        self.note().await
    }

    /// Saves the progress and sends it to watchers. Returns the state of the operation.
    pub(super) async fn note(&mut self) -> Result<OperationState, ControlError> {
        let (pool, now) = (&self.control.pool, self.control.clock.now());
        let state =
            operations::advance(pool, self.operation, self.position, self.step, now).await?;
        self.went_on().await;
        Ok(state)
    }

    async fn went_on(&mut self) {
        self.step = Step::default();
        self.noted = Instant::now();
        if self.reported.is_none_or(|at| at.elapsed() > REPORT) {
            self.reported = Some(self.noted);
            self.control.report(self.operation).await;
        }
    }

    /// Has events of a round take effect in one transaction with the checkpoint. `None` where one of them
    /// fails or has to wait: then none did.
    async fn together(
        &mut self,
        round: &Round,
        events: &[Received],
        upto: u64,
    ) -> Result<Option<OperationState>, ControlError> {
        let mut tx = self.control.pool.begin().await?;
        match self.consumer.apply_batch(&mut tx, events).await {
            Ok(true) => {}
            Err(failure @ Failure::Outage(_)) => return Err(failure.into()),
            Ok(false) | Err(_) => {
                tx.rollback().await?;
                return Ok(None);
            }
        }
        self.step.handled += i64::try_from(events.len()).unwrap_or(i64::MAX);
        self.come_to(round, upto);
        let now = self.control.clock.now();
        let state =
            operations::advance(&mut *tx, self.operation, self.position, self.step, now).await?;
        crate::fault::point(&self.consumer.name, "before_checkpoint").await;
        tx.commit().await?;
        self.went_on().await;
        Ok(Some(state))
    }

    async fn one_by_one(
        &mut self,
        round: &Round,
        events: &[Received],
        upto: u64,
    ) -> Result<OperationState, ControlError> {
        for event in events {
            self.one(event).await;
        }
        self.come_to(round, upto);
        crate::fault::point(&self.consumer.name, "before_checkpoint").await;
        self.note().await
    }

    /// Everything up to a stream sequence is done: counts what needed no handing over.
    fn come_to(&mut self, round: &Round, sequence: u64) {
        let (from, upto) = (self.position, i64::try_from(sequence).unwrap_or(i64::MAX));
        let is_passed = |sequence: u64| {
            (from + 1..=upto).contains(&i64::try_from(sequence).unwrap_or(i64::MAX))
        };
        let skipped = round
            .handled
            .iter()
            .filter(|sequence| is_passed(**sequence))
            .count();
        self.step.skipped += i64::try_from(skipped).unwrap_or(i64::MAX);
        for (sequence, reason) in &round.unreadable {
            if is_passed(*sequence) {
                self.fail(*sequence, reason);
            }
        }
        self.position = upto;
    }

    async fn one(&mut self, event: &Received) {
        match settle::deliver(self.consumer, &self.control.broker, event).await {
            Ok(Delivered::Applied) => self.step.handled += 1,
            Ok(Delivered::Duplicate) => self.step.skipped += 1,
            Ok(Delivered::Waiting) => {
                let before = event.envelope.sequence - 1;
                let reason = format!("sequence {before} of its aggregate comes first");
                self.fail(event.stream_sequence, &reason);
            }
            Err(error) => self.fail(event.stream_sequence, &error.to_string()),
        }
    }

    fn fail(&mut self, sequence: u64, reason: &str) {
        self.step.failed += 1;
        if self.failures.len() < REASONS {
            self.failures.push(format!("{sequence}: {reason}"));
        }
    }
}
