//! Carries out commands.

use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{
    Answer, Command, ConsumerDescription, Control, ControlError, Description, OperationKind,
    OperationState, dry_run, operations, rebuild, replay, republish, roll_back,
};
use crate::{Relay, consume::settle, size};

impl Control {
    pub(super) async fn execute(
        &self,
        command: Command,
        tasks: &TaskTracker,
        shutdown: &CancellationToken,
    ) -> Result<Answer, ControlError> {
        match command {
            Command::Describe => self.describe().await.map(Answer::Service),
            Command::Replay {
                id,
                consumer,
                selection,
                rate,
            } => {
                let consumer = self.consumer(&consumer)?;
                let operation = replay::begin(self, consumer, id, &selection, rate).await?;
                self.spawn(operation.id, tasks, shutdown);
                Ok(Answer::Operation(operation))
            }
            Command::DryRun {
                consumer,
                selection,
            } => dry_run::run(self, self.consumer(&consumer)?, &selection)
                .await
                .map(Answer::Changes),
            Command::Rebuild {
                id,
                consumer,
                from_first_event,
            } => {
                let named = (id, OperationKind::Rebuild);
                let consumer = self.consumer(&consumer)?;
                let operation = rebuild::begin(self, consumer, named, from_first_event).await?;
                self.spawn(operation.id, tasks, shutdown);
                Ok(Answer::Operation(operation))
            }
            Command::Verify {
                id,
                consumer,
                from_first_event,
            } => {
                let named = (id, OperationKind::Verify);
                let consumer = self.consumer(&consumer)?;
                let operation = rebuild::begin(self, consumer, named, from_first_event).await?;
                self.spawn(operation.id, tasks, shutdown);
                Ok(Answer::Operation(operation))
            }
            Command::RollBack { consumer } => {
                roll_back::run(self, self.consumer(&consumer)?).await?;
                Ok(done(
                    "The replaced read model is in use again, with the events since then.",
                ))
            }
            Command::Republish { id } => {
                let operation = republish::begin(self, id).await?;
                self.spawn(operation.id, tasks, shutdown);
                Ok(Answer::Operation(operation))
            }
            Command::Pause { id } => {
                operations::change_state(
                    &self.pool,
                    id,
                    OperationState::Running,
                    OperationState::Paused,
                )
                .await?;
                self.status(id).await
            }
            Command::Resume { id } => {
                operations::change_state(
                    &self.pool,
                    id,
                    OperationState::Paused,
                    OperationState::Running,
                )
                .await?;
                self.spawn(id, tasks, shutdown);
                self.status(id).await
            }
            Command::Cancel { id } => {
                operations::cancel(&self.pool, id).await?;
                self.status(id).await
            }
            Command::Status { id } => self.status(id).await,
            Command::Retry {
                consumer,
                stream_sequence,
            } => self.retry(&consumer, stream_sequence).await.map(done),
            Command::Discard {
                consumer,
                stream_sequence,
            } => self.discard(&consumer, stream_sequence).await.map(done),
        }
    }

    /// Tries a dead letter again. Returns a sentence about the result.
    async fn retry(
        &self,
        consumer: &str,
        stream_sequence: u64,
    ) -> Result<&'static str, ControlError> {
        if let Some(batch) = self.batch_consumer(consumer) {
            batch.retry(&self.broker, stream_sequence).await?;
            return Ok("The event took effect.");
        }
        let consumer = self.consumer(consumer)?;
        let took_effect = settle::retry(consumer, &self.broker, stream_sequence).await?;
        Ok(if took_effect {
            "The event took effect. The events that were parked behind it are applied."
        } else {
            "The event had taken effect before. Nothing was changed."
        })
    }

    /// Discards a dead letter. Returns a sentence about the result.
    async fn discard(
        &self,
        consumer: &str,
        stream_sequence: u64,
    ) -> Result<&'static str, ControlError> {
        if self.batch_consumer(consumer).is_some() {
            return Ok("The dead letter is discarded. No events were parked behind it.");
        }
        let consumer = self.consumer(consumer)?;
        settle::discard(consumer, &self.broker, stream_sequence).await?;
        Ok("The dead letter is discarded. The events that were parked behind it are applied.")
    }

    pub(super) async fn describe(&self) -> Result<Description, ControlError> {
        let waiting = sqlx::query_scalar!(
            r#"select count(*) as "waiting!" from bus.outbox where published_at is null"#
        )
        .fetch_one(&self.pool)
        .await?;
        let mut consumers = Vec::new();
        for consumer in self.consumers.iter() {
            let waits = sqlx::query!(
                r#"select (select count(*) from bus.blocked where consumer = $1) as "blocked!",
                          (select count(*) from bus.parked where consumer = $1) as "parked!""#,
                consumer.name,
            )
            .fetch_one(&self.pool)
            .await?;
            consumers.push(ConsumerDescription {
                name: consumer.name.clone(),
                stream: consumer.stream.name().to_owned(),
                subjects: consumer.subjects.clone(),
                tables: consumer.tables.iter().map(ToString::to_string).collect(),
                blocked: waits.blocked,
                parked: waits.parked,
            });
        }
        Ok(Description {
            service: self.service.to_owned(),
            outbox_waiting: waiting,
            outbox_lag_seconds: Relay::lag(&self.pool).await?.as_secs_f64(),
            size: Some(size::of(&self.pool).await?),
            consumers,
        })
    }
}

/// The answer to a command that is carried out.
fn done(message: &str) -> Answer {
    Answer::Done {
        message: message.to_owned(),
    }
}
