//! Consumers that store events in batches.

mod store;

use std::{collections::HashMap, fmt, sync::Arc, time::Duration};

use async_nats::jetstream::{
    self,
    consumer::{AckPolicy, DeliverPolicy, PullConsumer, pull},
};
use futures_util::{StreamExt, future::BoxFuture};
use sqlx::{PgConnection, PgPool};
use tiffin_events::{Clock, Stream};
use tokio_util::sync::CancellationToken;
use tracing::warn;

use crate::{
    Broker, BrokerError, Failure, Received,
    consume::{acknowledge::HEARTBEAT_INTERVAL, pull_error::PullError},
};

/// Stores many messages at once, where storing one again changes nothing by the handler's own
/// comparison: positions, the event log. Personal fields stay sealed.
pub trait BatchHandler: Send + Sync + 'static {
    fn handle<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        events: &'a [Received],
    ) -> BoxFuture<'a, Result<(), Failure>>;
}

/// A durable pull consumer that stores whole batches, each in one transaction.
#[derive(Clone)]
pub struct BatchConsumer {
    /// `<service>_<stream>`.
    pub name: String,
    pub stream: Stream,
    pool: PgPool,
    deliver: DeliverPolicy,
    handler: Arc<dyn BatchHandler>,
    clock: Clock,
}

/// The number of failures of single events, by stream sequence.
type FailureCounts = HashMap<u64, usize>;

impl fmt::Debug for BatchConsumer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BatchConsumer")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

const PULL_ENDED: BrokerError = BrokerError::Ended("the pull");

/// The most messages of a batch.
const MAX_BATCH: usize = 500;
/// The time that messages gather once the first of a batch has come.
const GATHER_TIME: Duration = Duration::from_millis(200);

impl BatchConsumer {
    pub fn new(service: &str, stream: Stream, pool: PgPool, handler: impl BatchHandler) -> Self {
        Self {
            name: format!("{service}_{stream}"),
            stream,
            pool,
            // Older positions of a subject are of no use: the newest is enough.
            deliver: DeliverPolicy::LastPerSubject,
            handler: Arc::new(handler),
            clock: Clock::system(),
        }
    }

    /// Takes every message of the stream from the first on, instead of the newest of each subject.
    #[must_use]
    pub fn from_the_first(mut self) -> Self {
        self.deliver = DeliverPolicy::All;
        self
    }

    /// Runs until `shutdown`, and finishes the batch under way.
    pub async fn run(self, broker: Broker, shutdown: CancellationToken) {
        let mut failing = false;
        let mut failure_counts = FailureCounts::new();
        while !shutdown.is_cancelled() {
            let ended = self
                .pull(&broker, &shutdown, &mut failing, &mut failure_counts)
                .await;
            if let Err(error) = ended {
                if !std::mem::replace(&mut failing, true) {
                    warn!(consumer = self.name, %error, "the pull failed; trying again");
                }
                tokio::select! {
                    () = shutdown.cancelled() => {}
                    () = tokio::time::sleep(Duration::from_secs(1)) => {}
                }
            }
        }
    }

    async fn pull(
        &self,
        broker: &Broker,
        shutdown: &CancellationToken,
        failing: &mut bool,
        failure_counts: &mut FailureCounts,
    ) -> Result<(), PullError> {
        let stream = broker.jetstream.get_stream(self.stream.name()).await?;
        let config = pull::Config {
            durable_name: Some(self.name.clone()),
            deliver_policy: self.deliver,
            // Each by itself: what was on its way to a process that died or lost its connection comes after
            // what was sent later, and is not to be taken for handled with it.
            ack_policy: AckPolicy::Explicit,
            ack_wait: Duration::from_secs(10),
            max_ack_pending: 10_000,
            filter_subjects: self
                .stream
                .subjects()
                .iter()
                .map(|subject| (*subject).to_owned())
                .collect(),
            ..pull::Config::default()
        };
        let durable = self.durable(&stream, config).await?;
        let mut messages = durable
            .stream()
            .max_messages_per_batch(MAX_BATCH)
            .expires(Duration::from_secs(30))
            .heartbeat(HEARTBEAT_INTERVAL)
            .messages()
            .await?;
        *failing = false;
        loop {
            let first = tokio::select! {
                () = shutdown.cancelled() => return Ok(()),
                first = messages.next() => first,
            };
            let mut batch = vec![first.ok_or(PULL_ENDED)??];
            let gathered = tokio::time::sleep(GATHER_TIME);
            tokio::pin!(gathered);
            while batch.len() < MAX_BATCH {
                let next = tokio::select! {
                    () = &mut gathered => break,
                    next = messages.next() => next,
                };
                batch.push(next.ok_or(PULL_ENDED)??);
            }
            self.store(broker, batch, failure_counts).await?;
        }
    }

    /// The consumer at the broker. A durable of an earlier release, which acknowledged in another way,
    /// can't be changed. It is made again and delivers everything once more, which changes nothing.
    async fn durable(
        &self,
        stream: &jetstream::stream::Stream,
        config: pull::Config,
    ) -> Result<PullConsumer, BrokerError> {
        let found = stream.consumer_info(&self.name).await;
        if found.is_ok_and(|found| found.config.ack_policy != config.ack_policy) {
            stream.delete_consumer(&self.name).await?;
        }
        Ok(stream.create_consumer(config).await?)
    }

    /// Stores one batch in its own transaction.
    pub async fn deliver(&self, events: &[Received]) -> Result<(), Failure> {
        let mut tx = tiffin_database::begin(&self.pool).await?;
        self.handler.handle(&mut tx, events).await?;
        tx.commit().await?;
        Ok(())
    }
}
