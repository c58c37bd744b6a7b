//! Moves the oldest messages of streams to the archive, a segment at a time.

use std::time::Duration;

use async_nats::{
    HeaderMap,
    jetstream::{
        Message as Delivered,
        stream::{Info, Stream as Handle},
    },
};
use futures_util::TryStreamExt;
use tiffin_archive::{Archive, ArchiveError, Headers, Message, SEGMENT_BYTES, Segment};
use tiffin_events::Stream;
use time::OffsetDateTime;
use tokio::time::timeout;
use tracing::{info, warn};

use crate::{
    Broker, BrokerError,
    consume::stream_reader::{self, BATCH_TIMEOUT, held::HeldPart},
    fault,
};

/// The part of a stream that stays out of the archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The age from which on a message is archived.
    pub max_age: Duration,
    /// The part of a stream's cap, in percent, above which its oldest messages are archived, whatever their age.
    pub max_percent: u64,
    /// The size of the bodies below which a segment waits for more.
    pub min_segment_bytes: usize,
}

impl Default for Window {
    /// A month, half of the cap, and a megabyte.
    fn default() -> Self {
        Self {
            max_age: Duration::from_hours(30 * 24),
            max_percent: 50,
            min_segment_bytes: 1 << 20,
        }
    }
}

/// The time after which a segment is written, however small it is.
const MAX_WAIT: Duration = Duration::from_hours(24);

/// Archives one segment of a stream, if enough messages left the window, and removes from the stream what is
/// archived. Messages stay that a consumer has not handled. A process that dies in between leaves both; the next
/// step removes what is archived. Returns the segment.
pub async fn step(
    broker: &Broker,
    archive: &Archive,
    stream: Stream,
    window: Window,
    now: OffsetDateTime,
) -> Result<Option<Segment>, BrokerError> {
    let mut handle = broker.jetstream.get_stream(stream.name()).await?;
    let info = handle.info().await?.clone();
    let handled = handled(&handle, &info).await?;
    let end = archive.end(stream).await?.unwrap_or_default();
    remove_archived(&handle, &info, stream, end.min(handled)).await?;
    let first = info.state.first_sequence;
    if end + 1 < first {
        warn!(%stream, from = end + 1, to = first - 1, "messages left the stream before they were archived");
    }
    let range = (first.max(end + 1), handled);
    let messages = read(broker, stream, range, &info, window, now).await?;
    if !is_worth_it(&messages, window, now) {
        return Ok(None);
    }
    let last = messages
        .last()
        .map_or(end, |message| message.stream_sequence);
    fault::point("archiver", "before_append").await;
    let segment = match archive.append(stream, end + 1..=last, &messages).await {
        Ok(segment) => segment,
        // Another process archived it.
        Err(ArchiveError::Overtaken { .. }) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    info!(
        %stream,
        segment = segment.number,
        first = segment.first,
        last = segment.last,
        bytes = segment.bytes,
        "a part of the stream was archived"
    );
    fault::point("archiver", "before_purge").await;
    remove_archived(&handle, &info, stream, segment.last).await?;
    Ok(Some(segment))
}

/// The last stream sequence that every consumer has handled.
async fn handled(handle: &Handle, info: &Info) -> Result<u64, BrokerError> {
    let mut handled = info.state.last_sequence;
    let mut consumers = handle.consumers();
    while let Some(consumer) = consumers.try_next().await? {
        let is_idle = consumer.num_pending == 0 && consumer.num_ack_pending == 0;
        // The others only read, and go on in the archive.
        if consumer.config.durable_name.is_some() && !is_idle {
            handled = handled.min(consumer.ack_floor.stream_sequence);
        }
    }
    Ok(handled)
}

/// Removes from a stream what is archived. A stream that an earlier release made denies it.
async fn remove_archived(
    handle: &Handle,
    info: &Info,
    stream: Stream,
    end: u64,
) -> Result<(), BrokerError> {
    if info.config.deny_purge || end < info.state.first_sequence.max(1) {
        return Ok(());
    }
    let purged = handle.purge().sequence(end + 1).await?;
    info!(%stream, to = end, messages = purged.purged, "archived messages left the stream");
    Ok(())
}

/// The next messages that left the window, as many as a segment has.
async fn read(
    broker: &Broker,
    stream: Stream,
    (from, to): (u64, u64),
    info: &Info,
    window: Window,
    now: OffsetDateTime,
) -> Result<Vec<Message>, BrokerError> {
    let mut messages = Vec::new();
    if from > to {
        return Ok(messages);
    }
    let subjects: Vec<String> = stream.subjects().iter().map(ToString::to_string).collect();
    let handle = stream_reader::handle(broker, stream).await?;
    let config = stream_reader::config(stream, &subjects);
    let mut part = HeldPart::open(&handle, config, (from, to)).await?;
    let (mut bytes, mut excess) = (0, excess(info, window));
    while part.pending > 0 && bytes < SEGMENT_BYTES {
        let next = timeout(BATCH_TIMEOUT, part.next_message()).await;
        let Some(delivered) = next.map_err(|_| BrokerError::Silent)?? else {
            // What was read is not lost; the next step reads it again.
            return Err(BrokerError::Ended("the reading"));
        };
        let message = message_of(delivered)?;
        let is_old = now - message.stored_at >= window.max_age;
        if message.stream_sequence > to || !(is_old || excess > 0) {
            break;
        }
        bytes += message.body.len();
        excess = excess.saturating_sub(message.body.len() as u64);
        messages.push(message);
    }
    Ok(messages)
}

/// The bytes by which a stream is too full.
fn excess(info: &Info, window: Window) -> u64 {
    let cap = u64::try_from(info.config.max_bytes).unwrap_or_default();
    let bytes = info.state.bytes;
    if cap == 0 {
        0
    } else {
        bytes.saturating_sub(cap / 100 * window.max_percent)
    }
}

/// True if the messages are enough for a segment, or have waited long.
fn is_worth_it(messages: &[Message], window: Window, now: OffsetDateTime) -> bool {
    let bytes: usize = messages.iter().map(|message| message.body.len()).sum();
    let waited = messages
        .first()
        .is_some_and(|first| now - first.stored_at >= window.max_age + MAX_WAIT);
    !messages.is_empty() && (bytes >= window.min_segment_bytes || waited)
}

fn message_of(delivered: Delivered) -> Result<Message, BrokerError> {
    let info = delivered.info()?;
    let (stream_sequence, stored_at) = (info.stream_sequence, info.published);
    let message = delivered.message;
    Ok(Message {
        stream_sequence,
        stored_at,
        subject: message.subject.to_string(),
        headers: message.headers.as_ref().map(sorted).unwrap_or_default(),
        body: message.payload,
    })
}

/// The headers by name: the client keeps no order.
fn sorted(headers: &HeaderMap) -> Headers {
    let mut pairs: Vec<_> = headers
        .iter()
        .flat_map(|(name, values)| {
            let name = name.to_string();
            values
                .iter()
                .map(move |value| (name.clone(), value.to_string()))
        })
        .collect();
    pairs.sort();
    pairs.into_iter().collect()
}
