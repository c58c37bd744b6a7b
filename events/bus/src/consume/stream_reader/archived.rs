//! The archived part of a stream, for readers that go on in the stream behind it.

use std::collections::VecDeque;

use tiffin_archive::{Filter, Message, Reader};
use tiffin_events::Stream;

use super::BATCH_BYTES;
use crate::{Broker, BrokerError, consume::received::StoredMessage};

/// Messages that the stream no longer holds.
pub(super) struct ArchivedPart {
    reader: Reader,
    waiting: VecDeque<Message>,
    /// The last stream sequence of the part.
    pub to: u64,
}

/// The selected stream sequences that only the archive holds; `None` if the stream holds all of them. Fails where a
/// stream that keeps its messages gave up some that the archive does not hold: it is not the archive that they moved to.
pub(super) async fn range(
    broker: &Broker,
    stream: Stream,
    (from, to): (u64, u64),
) -> Result<Option<(u64, u64)>, BrokerError> {
    if !stream.is_archived() {
        return Ok(None);
    }
    let handle = broker.jetstream.get_stream(stream.name()).await?;
    let info = handle.cached_info();
    let first = info.state.first_sequence;
    if from >= first || from > to {
        return Ok(None);
    }
    let end = match &broker.archive {
        Some(archive) => archive.end(stream).await?.unwrap_or_default(),
        None => 0,
    };
    let last_gone = to.min(first - 1);
    if end < last_gone && info.config.max_age.is_zero() {
        return Err(BrokerError::NotArchived {
            stream,
            from: from.max(end + 1),
            to: last_gone,
        });
    }
    let to = last_gone.min(end);
    Ok((from <= to).then_some((from, to)))
}

/// The filter for subjects as a consumer has them; every subject of the stream is no filter.
pub(super) fn filter(stream: Stream, subjects: &[String]) -> Result<Filter, BrokerError> {
    if super::is_every(stream, subjects) {
        return Ok(Filter::all());
    }
    Filter::of(subjects).map_err(|error| BrokerError::Client(error.into()))
}

impl ArchivedPart {
    /// The selected messages that only the archive holds; `None` if the stream holds all of them.
    pub(super) async fn open(
        broker: &Broker,
        stream: Stream,
        subjects: &[String],
        selected: (u64, u64),
    ) -> Result<Option<Self>, BrokerError> {
        let Some((from, to)) = range(broker, stream, selected).await? else {
            return Ok(None);
        };
        let Some(archive) = &broker.archive else {
            return Ok(None);
        };
        let filter = filter(stream, subjects)?;
        let reader = archive.read(stream, from..=to, filter).await?;
        Ok(Some(Self {
            reader,
            waiting: VecDeque::new(),
            to,
        }))
    }

    /// The next messages; none at the end.
    pub(super) async fn batch(&mut self, size: usize) -> Result<Vec<StoredMessage>, BrokerError> {
        if self.waiting.is_empty() {
            self.waiting = self.reader.next().await?.into();
        }
        let (mut batch, mut bytes) = (Vec::new(), 0);
        while batch.len() < size && bytes < BATCH_BYTES {
            let Some(message) = self.waiting.pop_front() else {
                break;
            };
            bytes += message.body.len();
            batch.push(StoredMessage::from_archive(message));
        }
        Ok(batch)
    }
}
