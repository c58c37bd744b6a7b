//! Reading a frozen part of a stream, a batch at a time, in order: from the archive, and on in the stream.

mod archived;
pub(crate) mod held;
#[cfg(test)]
mod tests;

use std::time::Duration;

use async_nats::jetstream::{
    consumer::{AckPolicy, DeliverPolicy, pull},
    stream::Stream as StreamHandle,
};
use tiffin_events::Stream;
use tokio::{
    sync::mpsc::{self, Receiver, Sender},
    time::timeout,
};
use tokio_util::task::AbortOnDropHandle;
use tracing::debug;

use self::{archived::ArchivedPart, held::HeldPart};
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
/// The time without a message after which a reading looks whether the stream still holds what it waits for.
const QUIET_TIME: Duration = Duration::from_secs(1);
/// The time-out of a batch, and the time after which the broker deletes an unused consumer.
pub(crate) const BATCH_TIMEOUT: Duration = Duration::from_secs(30);
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
        let (broker, subjects) = (broker.clone(), subjects.to_vec());
        let source = Source::open(broker, stream, subjects, (from, to), size).await?;
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

/// The source of the reading task: first what only the archive holds, then the stream.
struct Source {
    broker: Broker,
    stream: Stream,
    subjects: Vec<String>,
    /// The stream sequence from which the next message is searched, and the last selected one.
    from: u64,
    to: u64,
    size: usize,
    archived: Option<ArchivedPart>,
    held: Option<HeldPart>,
}

impl Source {
    async fn open(
        broker: Broker,
        stream: Stream,
        subjects: Vec<String>,
        (from, to): (u64, u64),
        size: usize,
    ) -> Result<Self, BrokerError> {
        let mut source = Self {
            broker,
            stream,
            subjects,
            from,
            to,
            size,
            archived: None,
            held: None,
        };
        source.open_part().await?;
        Ok(source)
    }

    /// Opens the part that the next message is in.
    async fn open_part(&mut self) -> Result<(), BrokerError> {
        let selected = (self.from, self.to);
        (self.archived, self.held) = (None, None);
        self.archived =
            ArchivedPart::open(&self.broker, self.stream, &self.subjects, selected).await?;
        if self.archived.is_none() {
            let config = config(self.stream, &self.subjects);
            let handle = handle(&self.broker, self.stream).await?;
            self.held = Some(HeldPart::open(&handle, config, selected).await?);
        }
        Ok(())
    }

    /// Reads while the receiver exists; batches are empty at the end.
    async fn read(mut self, batches: Sender<Batch>) {
        loop {
            let batch = timeout(BATCH_TIMEOUT, self.batch()).await;
            let batch = batch.unwrap_or_else(|_| Err(BrokerError::Silent));
            let failed = batch.is_err();
            if batches.send(batch).await.is_err() || failed {
                return;
            }
        }
    }

    async fn batch(&mut self) -> Batch {
        loop {
            if let Some(part) = &mut self.archived {
                let batch = part.batch(self.size).await?;
                if let Some(last) = batch.last() {
                    self.from = last.stream_sequence + 1;
                    return Ok(batch);
                }
                self.from = part.to + 1;
                self.reopen().await;
                continue;
            }
            let from = self.from;
            let batch = self.held_batch().await?;
            if from > self.to || still_holds(&self.broker, self.stream, from).await? {
                return Ok(batch);
            }
            // Some of it may have moved to the archive before it was read.
            self.from = from;
            self.reopen().await;
        }
    }

    /// The next messages of the stream; none at the end.
    async fn held_batch(&mut self) -> Batch {
        let (mut batch, mut bytes) = (Vec::new(), 0);
        while batch.len() < self.size && bytes < BATCH_BYTES {
            let Some(held) = &mut self.held else {
                // The part has moved to the archive.
                return Ok(batch);
            };
            if held.pending == 0 {
                break;
            }
            let next = match timeout(QUIET_TIME, held.next()).await {
                Ok(next) => next?,
                // What it waits for may have moved to the archive, and never comes.
                Err(_) if still_holds(&self.broker, self.stream, self.from).await? => continue,
                Err(_) => None,
            };
            let Some(message) = next else {
                self.reopen().await;
                continue;
            };
            self.from = message.stream_sequence + 1;
            if message.stream_sequence >= self.to {
                held.pending = 0;
            }
            if message.stream_sequence <= self.to {
                bytes += message.body.len();
                batch.push(message);
            }
        }
        Ok(batch)
    }

    /// Continues from the same stream sequence, with another consumer or from the archive.
    async fn reopen(&mut self) {
        loop {
            match self.open_part().await {
                Ok(()) => return,
                Err(error) => {
                    debug!(%error, "a part of a stream can't be opened; trying again");
                    tokio::time::sleep(REOPEN_PAUSE).await;
                }
            }
        }
    }
}

/// True if nothing from a stream sequence on has left the stream.
async fn still_holds(broker: &Broker, stream: Stream, from: u64) -> Result<bool, BrokerError> {
    let is_shared = broker.archive.is_some() && stream.is_archived();
    Ok(!is_shared || broker.first_sequence(stream).await? <= from)
}

/// The exact number of selected messages, without those that arrive meanwhile.
pub(crate) async fn count(
    broker: &Broker,
    stream: Stream,
    subjects: &[String],
    (from, to): (u64, u64),
) -> Result<u64, BrokerError> {
    for _ in 0..10 {
        let archived = archived::range(broker, stream, (from, to)).await?;
        let held_from = archived.map_or(from, |(_, last)| last + 1);
        let before = count_from(broker, stream, subjects, held_from).await?;
        let later = count_from(broker, stream, subjects, to.saturating_add(1)).await?;
        let is_same = before == count_from(broker, stream, subjects, held_from).await?
            && archived == archived::range(broker, stream, (from, to)).await?;
        if is_same {
            let held = before.saturating_sub(later);
            return Ok(held + count_archived(broker, stream, subjects, archived).await?);
        }
    }
    Err(BrokerError::Uncountable(stream))
}

async fn count_archived(
    broker: &Broker,
    stream: Stream,
    subjects: &[String],
    range: Option<(u64, u64)>,
) -> Result<u64, BrokerError> {
    let (Some(archive), Some((from, to))) = (&broker.archive, range) else {
        return Ok(0);
    };
    let filter = archived::filter(stream, subjects)?;
    Ok(archive.count(stream, from..=to, filter).await?)
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

pub(crate) async fn handle(
    broker: &Broker,
    stream: Stream,
) -> Result<StreamHandle<()>, BrokerError> {
    let name = stream.name();
    let found = broker.jetstream.get_stream_no_info(name).await;
    Ok(found?)
}

/// The configuration of a consumer that only reads and that the broker deletes soon after.
pub(crate) fn config(stream: Stream, subjects: &[String]) -> pull::Config {
    // The broker reads much faster where it need not look at subjects.
    let (filter_subject, filter_subjects) = match subjects {
        _ if is_every(stream, subjects) => (String::new(), Vec::new()),
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

/// True if these are all subjects of the stream.
fn is_every(stream: Stream, subjects: &[String]) -> bool {
    let every = stream.subjects();
    every.iter().all(|one| subjects.iter().any(|it| it == one))
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
