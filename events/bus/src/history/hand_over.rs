//! Handing a replay's rounds to its consumer: what is new takes effect together with the checkpoint, or
//! one by one where that fails.

use std::time::{Duration, Instant};

use uuid::Uuid;

use super::{
    Control, ControlError, MAX_REASONS, Operation, OperationState, operations, operations::Step,
    rounds::Round,
};
use crate::{
    Consumer, Failure, Received,
    consume::settle::{self, Delivered},
};

/// The longest time between checkpoints of skipped events. After a kill, at most that much is skipped again.
const CHECKPOINT_INTERVAL: Duration = Duration::from_millis(200);
/// The shortest time between two progress frames. The last one is always sent.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);
/// The size of the parts that a failed round is split into. Only the messages of a part that fails again
/// are handed over one by one.
const PART_SIZE: usize = 100;

pub(super) struct HandOver<'a> {
    control: &'a Control,
    consumer: &'a Consumer,
    operation: Uuid,
    /// The stream sequence up to which everything is done, and what was done since the last checkpoint.
    position: i64,
    step: Step,
    saved: Instant,
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
            saved: Instant::now(),
            reported: None,
            failures: Vec::new(),
        }
    }

    /// Hands over a round. Returns the state that the operation is in, as far as that is known.
    pub(super) async fn round(&mut self, round: &Round) -> Result<OperationState, ControlError> {
        if round.new.is_empty() && round.unreadable.is_empty() {
            self.advance_to(round, round.last);
            if self.saved.elapsed() < CHECKPOINT_INTERVAL {
                return Ok(OperationState::Running);
            }
            return self.save_progress().await;
        }
        if round.unreadable.is_empty()
            && let Some(state) = self.apply_batch(round, &round.new, round.last).await?
        {
            return Ok(state);
        }
        for part in round.new.chunks(PART_SIZE) {
            let upto = part.last().map_or(round.last, |last| last.stream_sequence);
            let state = match self.apply_batch(round, part, upto).await? {
                Some(state) => state,
                None => self.one_by_one(round, part, upto).await?,
            };
            if state != OperationState::Running {
                return Ok(state);
            }
        }
        self.advance_to(round, round.last);
        self.save_progress().await
    }

    /// Saves the progress and sends it to watchers. Returns the state of the operation.
    pub(super) async fn save_progress(&mut self) -> Result<OperationState, ControlError> {
        let (pool, now) = (&self.control.pool, self.control.clock.now());
        let state =
            operations::save_progress(pool, self.operation, self.position, self.step, now).await?;
        self.report_progress().await;
        Ok(state)
    }

    async fn report_progress(&mut self) {
        self.step = Step::default();
        self.saved = Instant::now();
        if self
            .reported
            .is_none_or(|at| at.elapsed() > REPORT_INTERVAL)
        {
            self.reported = Some(self.saved);
            self.control.report(self.operation).await;
        }
    }

    /// Has events of a round take effect in one transaction with the checkpoint. `None` where one of them
    /// fails or has to wait: then none did.
    async fn apply_batch(
        &mut self,
        round: &Round,
        events: &[Received],
        upto: u64,
    ) -> Result<Option<OperationState>, ControlError> {
        let mut tx = tiffin_database::begin(&self.control.pool).await?;
        match self.consumer.apply_batch(&mut tx, events).await {
            Ok(true) => {}
            Err(failure @ Failure::Outage(_)) => return Err(failure.into()),
            Ok(false) | Err(_) => {
                tx.rollback().await?;
                return Ok(None);
            }
        }
        self.step.handled += i64::try_from(events.len()).unwrap_or(i64::MAX);
        self.advance_to(round, upto);
        let now = self.control.clock.now();
        let state =
            operations::save_progress(&mut *tx, self.operation, self.position, self.step, now)
                .await?;
        crate::fault::point(&self.consumer.name, "before_checkpoint").await;
        tx.commit().await?;
        self.report_progress().await;
        Ok(Some(state))
    }

    async fn one_by_one(
        &mut self,
        round: &Round,
        events: &[Received],
        upto: u64,
    ) -> Result<OperationState, ControlError> {
        for event in events {
            self.deliver(event).await;
        }
        self.advance_to(round, upto);
        crate::fault::point(&self.consumer.name, "before_checkpoint").await;
        self.save_progress().await
    }

    /// Everything up to a stream sequence is done: counts what needed no handing over.
    fn advance_to(&mut self, round: &Round, sequence: u64) {
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

    async fn deliver(&mut self, event: &Received) {
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
        if self.failures.len() < MAX_REASONS {
            self.failures.push(format!("{sequence}: {reason}"));
        }
    }
}
