//! Reading a frozen part of a stream, a batch at a time, in order.

use std::time::Duration;

use async_nats::jetstream::{
    consumer::{
        DeliverPolicy,
        pull::{Ordered, OrderedConfig},
    },
    stream::Stream as Handle,
};
use futures_util::StreamExt;
use tiffin_events::Stream;
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio_util::task::AbortOnDropHandle;

use super::{ControlError, Selection, refused};
use crate::{Broker, BrokerError, received::Stored};

/// Messages a batch.
pub(crate) const BATCH: usize = 500;
/// Bytes after which a batch is full, and what is handed out at once.
const BATCH_BYTES: usize = 256 << 10;
const MOST_BYTES: usize = 16 << 20;
/// Batches that are read ahead.
const AHEAD: usize = 64;
/// How long the broker may take for a batch.
const SILENCE: Duration = Duration::from_secs(30);

type Batch = Result<Vec<Stored>, BrokerError>;

/// The messages of a selection, read ahead by a task of their own.
pub(crate) struct Reader {
    batches: Receiver<Batch>,
    _task: AbortOnDropHandle<()>,
}

impl Reader {
    /// From `from` to `to`, both included, of these subjects; `size` of them a batch.
    pub(crate) async fn open(
        broker: &Broker,
        stream: Stream,
        subjects: &[String],
        (from, to): (u64, u64),
        size: usize,
    ) -> Result<Self, BrokerError> {
        let handle = handle(broker, stream).await?;
        let mut consumer = handle
            .create_consumer(config(stream, subjects, from))
            .await
            .map_err(BrokerError::from)?;
        let info = consumer.info().await.map_err(BrokerError::from)?;
        let pending = info.num_pending;
        let source = Source {
            messages: consumer.messages().await.map_err(BrokerError::from)?,
            to,
            pending,
            size,
        };
        let (sender, batches) = mpsc::channel(AHEAD);
        let task = tokio::spawn(source.read(sender));
        Ok(Self {
            batches,
            _task: AbortOnDropHandle::new(task),
        })
    }

    /// The next messages: batches until there are `least` of them, or many bytes; none at the end.
    pub(crate) async fn next(&mut self, least: usize) -> Batch {
        let (mut messages, mut bytes) = (Vec::new(), 0);
        while messages.len() < least && bytes < MOST_BYTES {
            let batch = self.batches.recv().await;
            let batch = batch.ok_or_else(|| BrokerError("the reading ended".to_owned()))??;
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

/// What the task reads from.
struct Source {
    messages: Ordered,
    to: u64,
    /// Messages left that match, whether they are selected or come later.
    pending: u64,
    size: usize,
}

impl Source {
    /// Reads for as long as somebody takes it; at the end, batches are empty.
    async fn read(mut self, batches: Sender<Batch>) {
        loop {
            let batch = tokio::time::timeout(SILENCE, self.batch()).await;
            let batch =
                batch.unwrap_or_else(|_| Err(BrokerError("the broker is silent".to_owned())));
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
            let message = self
                .messages
                .next()
                .await
                .ok_or_else(|| BrokerError("the broker ended the stream".to_owned()))?
                .map_err(BrokerError::from)?;
            let info = message.info().map_err(BrokerError::from)?;
            self.pending = info.pending;
            if info.stream_sequence >= self.to {
                self.pending = 0;
            }
            if info.stream_sequence <= self.to {
                bytes += message.payload.len();
                batch.push(Stored::of(&message, &info));
            }
        }
        Ok(batch)
    }
}

/// How many messages are selected, exactly, whatever arrives meanwhile.
pub(crate) async fn count(
    broker: &Broker,
    stream: Stream,
    subjects: &[String],
    (from, to): (u64, u64),
) -> Result<u64, BrokerError> {
    for _ in 0..10 {
        let before = from_on(broker, stream, subjects, from).await?;
        let later = from_on(broker, stream, subjects, to.saturating_add(1)).await?;
        if before == from_on(broker, stream, subjects, from).await? {
            return Ok(before.saturating_sub(later));
        }
    }
    Err(BrokerError("the stream can't be counted".to_owned()))
}

/// The last place of a stream that is taken.
pub(crate) async fn last(broker: &Broker, stream: Stream) -> Result<u64, BrokerError> {
    let mut handle = broker
        .jetstream
        .get_stream(stream.name())
        .await
        .map_err(BrokerError::from)?;
    let info = handle.info().await.map_err(BrokerError::from)?;
    Ok(info.state.last_sequence)
}

/// The subjects a selection is of: its filter, within what the consumer takes.
pub(crate) fn subjects(
    taken: &[String],
    selection: &Selection,
) -> Result<Vec<String>, ControlError> {
    if selection.from == 0 || selection.from > selection.to {
        return refused(format!(
            "the window from {} to {} holds nothing",
            selection.from, selection.to
        ));
    }
    let Some(filter) = &selection.filter else {
        return Ok(taken.to_vec());
    };
    if taken.iter().any(|subject| covers(subject, filter)) {
        return Ok(vec![filter.clone()]);
    }
    refused(format!(
        "the consumer takes {} and nothing of {filter}",
        taken.join(", ")
    ))
}

/// Whether every subject of `inner` is one of `outer` (of `*` and words alone).
fn covers(outer: &str, inner: &str) -> bool {
    let (outer, inner) = (outer.split('.'), inner.split('.'));
    outer.clone().count() == inner.clone().count()
        && outer.zip(inner).all(|(outer, inner)| {
            outer == "*" && inner != ">" && !inner.is_empty() || outer == inner
        })
}

async fn from_on(
    broker: &Broker,
    stream: Stream,
    subjects: &[String],
    from: u64,
) -> Result<u64, BrokerError> {
    let handle = handle(broker, stream).await?;
    let mut consumer = handle
        .create_consumer(config(stream, subjects, from))
        .await
        .map_err(BrokerError::from)?;
    let pending = consumer
        .info()
        .await
        .map_err(BrokerError::from)?
        .num_pending;
    let name = consumer.cached_info().name.clone();
    // It would go by itself, a little later.
    drop(handle.delete_consumer(&name).await);
    Ok(pending)
}

async fn handle(broker: &Broker, stream: Stream) -> Result<Handle<()>, BrokerError> {
    let name = stream.name();
    let found = broker.jetstream.get_stream_no_info(name).await;
    found.map_err(BrokerError::from)
}

fn config(stream: Stream, subjects: &[String], from: u64) -> OrderedConfig {
    let every = stream.subjects();
    let is_every = every.iter().all(|one| subjects.iter().any(|it| it == one));
    // The broker reads much faster where it need not look at subjects.
    let (filter_subject, filter_subjects) = match subjects {
        _ if is_every => (String::new(), Vec::new()),
        [only] => (only.clone(), Vec::new()),
        some => (String::new(), some.to_vec()),
    };
    OrderedConfig {
        filter_subject,
        filter_subjects,
        deliver_policy: DeliverPolicy::ByStartSequence {
            start_sequence: from.max(1),
        },
        ..OrderedConfig::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_is_taken_within_what_the_consumer_takes_and_refused_beside_it() {
        let taken = ["tiffin.order.*.*".to_owned()];
        let of = |filter: Option<&str>, from, to| {
            let selection = Selection {
                from,
                to,
                filter: filter.map(ToOwned::to_owned),
            };
            subjects(&taken, &selection).ok()
        };
        assert_eq!(of(None, 1, 1), Some(taken.to_vec()));
        let placed = "tiffin.order.*.placed";
        assert_eq!(of(Some(placed), 1, 9), Some(vec![placed.to_owned()]));
        assert_eq!(of(Some("tiffin.user.*.*"), 1, 9), None);
        assert_eq!(of(Some("tiffin.order.>"), 1, 9), None);
        assert_eq!(of(Some("tiffin.order.*."), 1, 9), None);
        assert_eq!(of(None, 9, 1), None);
        assert_eq!(of(None, 0, 1), None);
    }
}
