//! Reading a frozen part of a stream, a batch at a time, in order.

use std::time::Duration;

use async_nats::jetstream::{
    consumer::{AckPolicy, DeliverPolicy, pull},
    stream::Stream as StreamHandle,
};
use futures_util::StreamExt;
use tiffin_events::Stream;
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio_util::task::AbortOnDropHandle;
use tracing::debug;

use super::received::StoredMessage;
use crate::{Broker, BrokerError, broker::reader_name};

/// The usual number of messages in a batch.
pub(crate) const BATCH: usize = 500;
/// Bytes after which a batch is full.
const BATCH_BYTES: usize = 128 << 10;
/// Bytes after which no further batch is added to those that are returned together.
const MAX_BYTES: usize = 16 << 20;
/// Batches that are read ahead: about what a replay's largest round takes.
const READ_AHEAD: usize = 192;
/// Messages that the broker is asked for at once. With few, it would wait to be asked again.
const MAX_PULL: u64 = 2_000;
/// The time-out of a batch, and the time after which the broker deletes an unused consumer.
const BATCH_TIMEOUT: Duration = Duration::from_secs(30);
/// The pause before a reading that was interrupted is opened again.
const REOPEN_PAUSE: Duration = Duration::from_millis(100);
/// The interval of the broker's heartbeats while nothing comes. Two missing ones end the reading of a
/// consumer that is gone, well before [`BATCH_TIMEOUT`].
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(5);

type Batch = Result<Vec<StoredMessage>, BrokerError>;

/// The messages of a selection. A task reads ahead.
pub(crate) struct StreamReader {
    batches: Receiver<Batch>,
    _task: AbortOnDropHandle<()>,
}

impl StreamReader {
    /// From `from` to `to`, both included, of these subjects; `size` of them a batch.
    pub(crate) async fn open(
        broker: &Broker,
        stream: Stream,
        subjects: &[String],
        (from, to): (u64, u64),
        size: usize,
    ) -> Result<Self, BrokerError> {
        let handle = handle(broker, stream).await?;
        let config = config(stream, subjects);
        let source = Source::open(handle, config, (from, to), size).await?;
        let (sender, batches) = mpsc::channel(READ_AHEAD);
        let task = tokio::spawn(source.read(sender));
        Ok(Self {
            batches,
            _task: AbortOnDropHandle::new(task),
        })
    }

    /// The next messages: batches until there are `least` of them, or many bytes; none at the end.
    pub(crate) async fn next(&mut self, least: usize) -> Batch {
        let (mut messages, mut bytes) = (Vec::new(), 0);
        while messages.len() < least && bytes < MAX_BYTES {
            let batch = self.batches.recv().await;
            let batch = batch.ok_or(BrokerError::Ended("the reading"))??;
            if batch.is_empty() {
                break;
            }
            bytes += batch
                .iter()
                .map(|message| message.body.len())
                .sum::<usize>();
            messages.extend(batch);
        }
        Ok(messages)
    }
}

/// The source of the reading task.
struct Source {
    stream: StreamHandle<()>,
    config: pull::Config,
    messages: pull::Stream,
    /// The number of messages that this consumer delivered.
    received: u64,
    /// The stream sequence from which the next message is searched, and the last selected one.
    from: u64,
    to: u64,
    /// Messages left that match, whether they are selected or come later.
    pending: u64,
    size: usize,
}

impl Source {
    async fn open(
        stream: StreamHandle<()>,
        config: pull::Config,
        (from, to): (u64, u64),
        size: usize,
    ) -> Result<Self, BrokerError> {
        let mut consumer = stream
            .create_consumer(starting_at(config.clone(), from))
            .await?;
        let info = consumer.info().await?;
        let pending = info.num_pending;
        let at_once = MAX_PULL
            .min(pending)
            .min(to.saturating_sub(from).saturating_add(1));
        let messages = consumer
            .stream()
            .max_messages_per_batch(usize::try_from(at_once.max(1)).unwrap_or(1))
            .heartbeat(HEARTBEAT_INTERVAL)
            .messages()
            .await?;
        Ok(Self {
            stream,
            config,
            messages,
            received: 0,
            from,
            to,
            pending,
            size,
        })
    }

    /// Reads while the receiver exists; batches are empty at the end.
    async fn read(mut self, batches: Sender<Batch>) {
        loop {
            let batch = tokio::time::timeout(BATCH_TIMEOUT, self.batch()).await;
            let batch = batch.unwrap_or_else(|_| Err(BrokerError::Silent));
            let failed = batch.is_err();
            if batches.send(batch).await.is_err() || failed {
                return;
            }
        }
    }

    async fn batch(&mut self) -> Batch {
        let left = usize::try_from(self.pending).unwrap_or(self.size);
        let mut batch = Vec::with_capacity(self.size.min(left));
        let mut bytes = 0;
        while batch.len() < self.size && bytes < BATCH_BYTES && self.pending > 0 {
            let Some(message) = self.next().await? else {
                self.reopen().await;
                continue;
            };
            if message.stream_sequence >= self.to {
                self.pending = 0;
            }
            if message.stream_sequence <= self.to {
                bytes += message.body.len();
                batch.push(message);
            }
        }
        Ok(batch)
    }

    /// The next message; `None` where the broker lost it, or the consumer.
    async fn next(&mut self) -> Result<Option<StoredMessage>, BrokerError> {
        let message = match self.messages.next().await {
            Some(Ok(message)) => message,
            Some(Err(error)) => {
                debug!(%error, "reading a stream is interrupted; another consumer continues it");
                return Ok(None);
            }
            None => return Ok(None),
        };
        let info = message.info()?;
        if info.consumer_sequence != self.received + 1 {
            return Ok(None);
        }
        let (sequence, attempts) = (info.stream_sequence, info.delivered);
        (self.received, self.from, self.pending) = (self.received + 1, sequence + 1, info.pending);
        Ok(Some(StoredMessage::from_message(
            message.message,
            sequence,
            attempts,
        )))
    }

    /// Continues from the same stream sequence with another consumer.
    async fn reopen(&mut self) {
        tokio::time::sleep(REOPEN_PAUSE).await;
        let (stream, config) = (self.stream.clone(), self.config.clone());
        match Self::open(stream, config, (self.from, self.to), self.size).await {
            Ok(other) => *self = other,
            Err(error) => {
                debug!(%error, "a consumer to read a stream can't be created; trying again");
            }
        }
    }
}

/// The exact number of selected messages, without those that arrive meanwhile.
pub(crate) async fn count(
    broker: &Broker,
    stream: Stream,
    subjects: &[String],
    (from, to): (u64, u64),
) -> Result<u64, BrokerError> {
    for _ in 0..10 {
        let before = count_from(broker, stream, subjects, from).await?;
        let later = count_from(broker, stream, subjects, to.saturating_add(1)).await?;
        if before == count_from(broker, stream, subjects, from).await? {
            return Ok(before.saturating_sub(later));
        }
    }
    Err(BrokerError::Uncountable(stream))
}

/// The last stream sequence of a stream.
pub(crate) async fn last(broker: &Broker, stream: Stream) -> Result<u64, BrokerError> {
    let mut handle = broker.jetstream.get_stream(stream.name()).await?;
    let info = handle.info().await?;
    Ok(info.state.last_sequence)
}

async fn count_from(
    broker: &Broker,
    stream: Stream,
    subjects: &[String],
    from: u64,
) -> Result<u64, BrokerError> {
    let handle = handle(broker, stream).await?;
    let mut consumer = handle
        .create_consumer(starting_at(config(stream, subjects), from))
        .await?;
    let pending = consumer.info().await?.num_pending;
    let name = consumer.cached_info().name.clone();
    // Otherwise the broker deletes it a little later.
    drop(handle.delete_consumer(&name).await);
    Ok(pending)
}

async fn handle(broker: &Broker, stream: Stream) -> Result<StreamHandle<()>, BrokerError> {
    let name = stream.name();
    let found = broker.jetstream.get_stream_no_info(name).await;
    Ok(found?)
}

/// The configuration of a consumer that only reads and that the broker deletes soon after.
fn config(stream: Stream, subjects: &[String]) -> pull::Config {
    let every = stream.subjects();
    let is_every = every.iter().all(|one| subjects.iter().any(|it| it == one));
    // The broker reads much faster where it need not look at subjects.
    let (filter_subject, filter_subjects) = match subjects {
        _ if is_every => (String::new(), Vec::new()),
        [only] => (only.clone(), Vec::new()),
        some => (String::new(), some.to_vec()),
    };
    pull::Config {
        name: Some(reader_name()),
        filter_subject,
        filter_subjects,
        ack_policy: AckPolicy::None,
        memory_storage: true,
        num_replicas: 1,
        inactive_threshold: BATCH_TIMEOUT,
        ..pull::Config::default()
    }
}

fn starting_at(config: pull::Config, from: u64) -> pull::Config {
    let deliver_policy = DeliverPolicy::ByStartSequence {
        start_sequence: from.max(1),
    };
    pull::Config {
        deliver_policy,
        ..config
    }
}
