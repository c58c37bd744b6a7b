//! Operators' commands to a service, sent over the broker: replay, rebuild,
//! verify, republish, settle dead letters. An operation that takes time is a row of `bus.runs`. If its
//! process is killed, another one continues it.

pub mod archiver;
mod command;
mod dry_run;
pub mod erase;
mod execute;
mod hand_over;
mod model;
mod operations;
mod projected_sequences;
mod projection;
pub mod read;
mod rebuild;
mod refusal;
mod replay;
mod republish;
mod roll_back;
mod rounds;
mod selection;
mod snapshots;
mod table_copies;
mod tables;
pub mod write;

use std::{
    collections::HashSet,
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use futures_util::StreamExt;
use sqlx::{Connection, PgConnection, PgPool, postgres::PgConnectOptions};
use tiffin_events::{Clock, subject};
use tokio::{task::JoinError, time::Instant};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::warn;
use uuid::Uuid;

pub use self::command::{
    Answer, Changes, Command, ConsumerDescription, Description, Operation, OperationKind,
    OperationState, RowChange, Selection,
};
use self::refusal::Refusal;
use crate::{
    BatchConsumer, Broker, BrokerError, Consumer, Failure,
    consume::{blocked::SettleError, settle},
};

/// The interval of polls for what killed processes left: operations that no process carries out, and parked
/// events.
const POLL_INTERVAL: Duration = Duration::from_secs(5);
/// The number of failure reasons that an operation keeps.
const MAX_REASONS: usize = 20;

/// The part of a service that carries out operators' commands. [`Control::run`] is its loop.
#[derive(Clone)]
pub struct Control {
    service: &'static str,
    pool: PgPool,
    broker: Broker,
    clock: Clock,
    consumers: Arc<[Consumer]>,
    batches: Arc<[BatchConsumer]>,
    /// Operations that this process carries out.
    in_progress: Arc<Mutex<HashSet<Uuid>>>,
}

impl fmt::Debug for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Control")
            .field("service", &self.service)
            .finish_non_exhaustive()
    }
}

/// The reason why a request was not carried out.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ControlError {
    /// The request is impossible, and nothing was changed.
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    #[error("broker: {0}")]
    Broker(#[from] BrokerError),
    #[error(transparent)]
    Handler(#[from] Failure),
    #[error("a task ended: {0}")]
    Task(#[from] JoinError),
}

impl ControlError {
    /// True if the same fails again. Otherwise the database, the broker or another service is away.
    const fn is_final(&self) -> bool {
        matches!(self, Self::Refused(_) | Self::Handler(Failure::Reject(_)))
    }
}

impl From<SettleError> for ControlError {
    fn from(error: SettleError) -> Self {
        match error {
            SettleError::Broker(error) => Self::Broker(error),
            SettleError::Handler(error) => Self::Handler(error),
            SettleError::Refused(reason) => Self::Refused(reason.into()),
        }
    }
}

impl Control {
    pub fn new(
        service: &'static str,
        pool: PgPool,
        broker: Broker,
        clock: Clock,
        consumers: &[Consumer],
    ) -> Self {
        Self {
            service,
            pool,
            broker,
            clock,
            consumers: consumers.into(),
            batches: Arc::default(),
            in_progress: Arc::default(),
        }
    }

    /// Settles dead letters of batch consumers as well.
    #[must_use]
    pub fn and_batches(mut self, batches: &[BatchConsumer]) -> Self {
        self.batches = batches.into();
        self
    }

    /// Answers until `shutdown`; operations under way then stop at their checkpoints.
    pub async fn run(self, shutdown: CancellationToken) {
        let tasks = TaskTracker::new();
        while !shutdown.is_cancelled() {
            if let Err(error) = self.listen(&tasks, &shutdown).await {
                warn!(service = self.service, %error, "operators' commands can't be received; trying again");
                tokio::select! {
                    () = shutdown.cancelled() => {}
                    () = tokio::time::sleep(POLL_INTERVAL) => {}
                }
            }
        }
        tasks.close();
        tasks.wait().await;
    }

    async fn listen(
        &self,
        tasks: &TaskTracker,
        shutdown: &CancellationToken,
    ) -> Result<(), BrokerError> {
        let commands = subject::control(self.service);
        let group = self.service.to_owned();
        let mut requests = self.broker.client.queue_subscribe(commands, group).await?;
        let status = subject::status(self.service);
        let mut status_requests = self
            .broker
            .client
            .queue_subscribe(status, self.service.to_owned())
            .await?;
        // Not at once: a process that starts opens enough connections. Not with the relay's measurements either.
        let mut poll =
            tokio::time::interval_at(Instant::now() + POLL_INTERVAL * 3 / 2, POLL_INTERVAL);
        loop {
            let message = tokio::select! {
                () = shutdown.cancelled() => {
                    // Another process gets new requests; those that came already are answered here.
                    requests.drain().await?;
                    while let Some(message) = requests.next().await {
                        self.receive(message, tasks, shutdown);
                    }
                    return Ok(());
                }
                _ = poll.tick() => {
                    self.resume_unfinished(tasks, shutdown).await;
                    continue;
                }
                Some(message) = status_requests.next() => {
                    self.answer_status(message, tasks);
                    continue;
                }
                message = requests.next() => message,
            };
            let Some(message) = message else {
                return Err(BrokerError::Ended("the subscription"));
            };
            self.receive(message, tasks, shutdown);
        }
    }

    /// Answers one command in a task.
    fn receive(
        &self,
        message: async_nats::Message,
        tasks: &TaskTracker,
        shutdown: &CancellationToken,
    ) {
        let Some(reply) = message.reply else { return };
        let (own, workers, stop) = (self.clone(), tasks.clone(), shutdown.clone());
        tasks.spawn(async move {
            let answer = own.answer(&message.payload, &workers, &stop).await;
            let body = serde_json::to_vec(&answer).unwrap_or_default();
            if let Err(error) = own.broker.client.publish(reply, body.into()).await {
                warn!(service = own.service, %error, "the answer to a command was not sent");
            }
        });
    }

    /// Answers a request for the status, which other services may send. It is no command.
    fn answer_status(&self, message: async_nats::Message, tasks: &TaskTracker) {
        let Some(reply) = message.reply else { return };
        let own = self.clone();
        tasks.spawn(async move {
            // A service that does not answer counts as behind.
            if let Ok(description) = own.describe().await
                && let Ok(body) = serde_json::to_vec(&description)
                && let Err(error) = own.broker.client.publish(reply, body.into()).await
            {
                warn!(service = own.service, %error, "the answer to a request for the status was not sent");
            }
        });
    }

    async fn answer(
        &self,
        command: &[u8],
        tasks: &TaskTracker,
        shutdown: &CancellationToken,
    ) -> Answer {
        let done = match serde_json::from_slice(command) {
            Ok(command) => self.execute(command, tasks, shutdown).await,
            Err(error) => Err(Refusal::Command(error).into()),
        };
        done.unwrap_or_else(|error| {
            let message = error.to_string();
            if error.is_final() {
                Answer::Refused { message }
            } else {
                Answer::Unavailable { message }
            }
        })
    }

    async fn status(&self, id: Uuid) -> Result<Answer, ControlError> {
        match operations::find(&self.pool, id).await? {
            Some((operation, _)) => Ok(Answer::Operation(operation)),
            None => Err(Refusal::NoOperation.into()),
        }
    }

    fn consumer(&self, name: &str) -> Result<&Consumer, Refusal> {
        let found = self.consumers.iter().find(|one| one.name == name);
        found.ok_or_else(|| Refusal::NoConsumer {
            service: self.service,
            consumer: name.to_owned(),
        })
    }

    /// The batch consumer of this name.
    fn batch_consumer(&self, name: &str) -> Option<&BatchConsumer> {
        self.batches.iter().find(|one| one.name == name)
    }

    /// Resumes operations whose process is gone, and applies events that a killed process left parked behind a settled
    /// dead letter.
    async fn resume_unfinished(&self, tasks: &TaskTracker, shutdown: &CancellationToken) {
        let (operations, unblocked) = match self.unfinished().await {
            Ok(unfinished) => unfinished,
            Err(error) => {
                tracing::debug!(service = self.service, %error, "unfinished operations can't be read; the next poll tries again");
                return;
            }
        };
        for id in operations {
            self.spawn(id, tasks, shutdown);
        }
        for (consumer, aggregate) in unblocked {
            if let Err(error) = settle::apply_parked(consumer, &self.broker, aggregate).await {
                tracing::debug!(consumer = consumer.name, %aggregate, %error, "parked events can't be applied; the next poll tries again");
            }
        }
    }

    /// Running operations, and aggregates with parked events. All reads share a connection: one that goes back to the
    /// pool is not there for the next statement yet.
    async fn unfinished(&self) -> sqlx::Result<(Vec<Uuid>, Vec<(&Consumer, Uuid)>)> {
        let mut connection = self.pool.acquire().await?;
        let operations = operations::under_way(&mut *connection).await?;
        let names: Vec<String> = self.consumers.iter().map(|one| one.name.clone()).collect();
        let unblocked = settle::unblocked_with_parked(&names, &mut *connection).await?;
        let unblocked = unblocked
            .into_iter()
            .filter_map(|(name, aggregate)| Some((self.consumer(&name).ok()?, aggregate)))
            .collect();
        Ok((operations, unblocked))
    }

    /// Carries out an operation in a task, unless this or another process does already.
    fn spawn(&self, id: Uuid, tasks: &TaskTracker, shutdown: &CancellationToken) {
        let mut in_progress = self
            .in_progress
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if !in_progress.insert(id) {
            return;
        }
        let (own, stop) = (self.clone(), shutdown.clone());
        tasks.spawn(async move {
            if let Err(error) = own.carry_out(id, &stop).await {
                warn!(service = own.service, operation = %id, %error, "the operation stopped; the next poll resumes it");
            }
            let mut in_progress = own.in_progress.lock().unwrap_or_else(PoisonError::into_inner);
            in_progress.remove(&id);
        });
    }

    async fn carry_out(&self, id: Uuid, stop: &CancellationToken) -> Result<(), ControlError> {
        // The lock belongs to its own connection and ends with it, however this process ends.
        let options = PgConnectOptions::clone(&self.pool.connect_options());
        let mut own = PgConnection::connect_with(&options).await?;
        let is_ours = sqlx::query_scalar!(
            r#"select pg_try_advisory_lock(hashtextextended($1::text, 0)) as "is_ours!""#,
            id.to_string(),
        )
        .fetch_one(&mut own)
        .await?;
        if !is_ours {
            return Ok(());
        }
        let Some((operation, spec)) = operations::find(&self.pool, id).await? else {
            return Ok(());
        };
        if operation.state != OperationState::Running {
            return Ok(());
        }
        let ended = match operation.kind {
            OperationKind::Replay => replay::run(self, &operation, &spec, stop).await,
            OperationKind::Rebuild | OperationKind::Verify => {
                rebuild::run(self, &operation, &spec, &mut own, stop).await
            }
            OperationKind::Republish => republish::run(self, &operation, stop).await,
        };
        if let Err(error) = &ended
            && error.is_final()
        {
            let report = serde_json::json!({ "error": error.to_string() });
            operations::end(&self.pool, id, OperationState::Failed, Some(report)).await?;
        }
        self.report(id).await;
        own.close().await?;
        ended
    }

    /// Sends the progress of an operation to its watchers.
    async fn report(&self, id: Uuid) {
        if let Ok(Some((operation, _))) = operations::find(&self.pool, id).await
            && let Ok(body) = serde_json::to_vec(&operation.frame())
            && let Err(error) = self
                .broker
                .client
                .publish(subject::operation(id), body.into())
                .await
        {
            tracing::debug!(%error, "the progress of an operation was not published");
        }
    }
}
