//! The loop of a [`Consumer`]: pull, spread over workers by aggregate, apply, acknowledge. Back-off and
//! dead letters live here and nowhere else.

use std::{
    hash::{BuildHasher, BuildHasherDefault, DefaultHasher},
    time::Duration,
};

use async_nats::jetstream::{
    AckKind, Message,
    consumer::{AckPolicy, DeliverPolicy, pull},
};
use futures_util::{FutureExt, StreamExt};
use tiffin_events::subject::Subject;
use tokio::{
    sync::{Notify, mpsc},
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;
use tracing::{error, info, warn};

use crate::{
    Broker, BrokerError, Consumer,
    consume::{
        acknowledge::{HEARTBEAT_INTERVAL, acknowledge},
        families,
        pull_error::PullError,
        retry,
        worker::Worker,
    },
};

/// The number of workers. Events of one aggregate share a worker and stay in order.
const WORKERS: usize = 2;
/// Messages that wait for one worker.
const WORKER_QUEUE: usize = 256;
/// The time after which the broker sends an unacknowledged message again, such as one of a killed process.
const ACK_WAIT: Duration = Duration::from_secs(10);

impl Consumer {
    /// Runs until `shutdown`, and finishes the events under way.
    pub async fn run(self, broker: Broker, shutdown: CancellationToken) {
        let widened = Notify::new();
        tokio::join!(
            self.pull_until_shutdown(&broker, &widened, &shutdown),
            retry::run(&self, &broker, &shutdown),
            families::catch_up(&self, &broker, &widened, &shutdown)
        );
    }

    /// Pulls until `shutdown`, and waits where there is no broker.
    async fn pull_until_shutdown(
        &self,
        broker: &Broker,
        widened: &Notify,
        shutdown: &CancellationToken,
    ) {
        let mut is_reported = false;
        let mut pause = Duration::from_millis(100);
        while !shutdown.is_cancelled() {
            match self.pull(broker, widened, shutdown, &mut is_reported).await {
                Ok(()) => pause = Duration::from_millis(100),
                Err(error) => {
                    if !is_reported {
                        warn!(consumer = self.name, %error, "waiting for the broker");
                        is_reported = true;
                    }
                    tokio::select! {
                        () = shutdown.cancelled() => {}
                        () = tokio::time::sleep(pause) => {}
                    }
                    pause = (pause * 2).min(Duration::from_secs(5));
                }
            }
        }
    }

    fn config(&self, filter_subjects: Vec<String>) -> pull::Config {
        pull::Config {
            durable_name: Some(self.name.clone()),
            deliver_policy: DeliverPolicy::All,
            ack_policy: AckPolicy::Explicit,
            ack_wait: ACK_WAIT,
            max_deliver: -1,
            max_ack_pending: 512,
            filter_subjects,
            ..pull::Config::default()
        }
    }

    /// Pulls until the stream of messages breaks, the durable is to take more, or `shutdown`.
    async fn pull(
        &self,
        broker: &Broker,
        widened: &Notify,
        shutdown: &CancellationToken,
        is_reported: &mut bool,
    ) -> Result<(), PullError> {
        let stream = broker.jetstream.get_stream(self.stream.name()).await?;
        let filter = families::filter(self, &stream).await?;
        let durable = stream.create_consumer(self.config(filter)).await?;
        let mut messages = durable
            .stream()
            .max_messages_per_batch(WORKERS * WORKER_QUEUE)
            .expires(Duration::from_secs(30))
            .heartbeat(HEARTBEAT_INTERVAL)
            .messages()
            .await?;
        if std::mem::take(is_reported) {
            info!(consumer = self.name, "the broker is there");
        }
        let mut tasks = JoinSet::new();
        let workers: Vec<_> = (0..WORKERS)
            .map(|_| {
                let (send, receive) = mpsc::channel(WORKER_QUEUE);
                let worker = Worker::new(self.clone(), broker.clone(), shutdown.clone());
                tasks.spawn(worker.run(receive));
                send
            })
            .collect();
        let ended = loop {
            let message = tokio::select! {
                () = shutdown.cancelled() => break Ok(()),
                () = widened.notified() => break Ok(()),
                message = messages.next() => message,
            };
            match message {
                Some(Ok(message)) => {
                    if workers[worker_of(&message)].send(message).await.is_err() {
                        break Err(BrokerError::Ended("a worker").into());
                    }
                }
                Some(Err(error)) => break Err(error.into()),
                None => break Err(BrokerError::Ended("the pull").into()),
            }
        };
        // Delivered but not begun: another process may have it at once.
        while let Some(Some(Ok(message))) = messages.next().now_or_never() {
            acknowledge(&self.name, &message, AckKind::Nak(None)).await;
        }
        drop(workers);
        while let Some(worked) = tasks.join_next().await {
            if let Err(error) = worked {
                error!(consumer = self.name, %error, "a worker ended early; the consumer goes on");
            }
        }
        ended
    }
}

/// The worker of a message's aggregate, by the id in its subject.
fn worker_of(message: &Message) -> usize {
    let aggregate = Subject::parse(&message.subject).map(|subject| subject.id);
    let hash = BuildHasherDefault::<DefaultHasher>::new().hash_one(aggregate);
    usize::try_from(hash % WORKERS as u64).unwrap_or_default()
}
