//! Reading a stream's messages for people: a range of it in order, one message, its newest.

use async_nats::jetstream::consumer::DeliverPolicy;
use futures_util::StreamExt;
use serde::Serialize;
use serde_json::Value;
use tiffin_events::Stream;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    Broker, BrokerError,
    consume::{
        received::StoredMessage,
        stream_reader::{self, BATCH, StreamReader},
    },
};

/// One message as it lies in its stream.
#[derive(Clone, Debug, Serialize)]
pub struct Logged {
    pub stream: &'static str,
    pub seq: u64,
    pub subject: String,
    /// The event; a string where the message is none.
    #[serde(rename = "event")]
    pub envelope: Value,
    /// The time at which the broker stored it; `None` for a line of a file.
    #[serde(skip)]
    pub stored_at: Option<OffsetDateTime>,
}

impl Logged {
    fn of(stream: Stream, stored: &StoredMessage) -> Self {
        let envelope = serde_json::from_slice(&stored.body)
            .unwrap_or_else(|_| String::from_utf8_lossy(&stored.body).into_owned().into());
        Self {
            stream: stream.name(),
            seq: stored.stream_sequence,
            subject: stored.subject.to_string(),
            envelope,
            stored_at: Some(stored.stored_at),
        }
    }
}

/// A window of a stream, read a batch at a time.
pub struct Window {
    stream: Stream,
    reader: StreamReader,
}

impl std::fmt::Debug for Window {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Window")
            .field("stream", &self.stream)
            .finish_non_exhaustive()
    }
}

impl Window {
    /// The next messages; none at the end.
    pub async fn next(&mut self) -> Result<Vec<Logged>, BrokerError> {
        let batch = self.reader.next(BATCH).await?;
        Ok(batch
            .iter()
            .map(|stored| Logged::of(self.stream, stored))
            .collect())
    }
}

fn filters(stream: Stream, filter: Option<&str>) -> Vec<String> {
    match filter {
        Some(filter) => vec![filter.to_owned()],
        None => stream.subjects().iter().map(ToString::to_string).collect(),
    }
}

/// The messages from `from` to `to`, both included, whose subject matches.
pub async fn open(
    broker: &Broker,
    stream: Stream,
    filter: Option<&str>,
    from: u64,
    to: u64,
) -> Result<Window, BrokerError> {
    let filters = filters(stream, filter);
    let reader = StreamReader::open(broker, stream, &filters, (from, to), BATCH).await?;
    Ok(Window { stream, reader })
}

/// The exact number of messages in a window.
pub async fn count(
    broker: &Broker,
    stream: Stream,
    filter: Option<&str>,
    from: u64,
    to: u64,
) -> Result<u64, BrokerError> {
    stream_reader::count(broker, stream, &filters(stream, filter), (from, to)).await
}

/// The last stream sequence that is taken.
pub async fn last(broker: &Broker, stream: Stream) -> Result<u64, BrokerError> {
    stream_reader::last(broker, stream).await
}

/// The message at a stream sequence; `None` if there is none.
pub async fn one(broker: &Broker, stream: Stream, seq: u64) -> Result<Option<Logged>, BrokerError> {
    let stored = StoredMessage::at(broker, stream, seq).await?;
    Ok(stored.map(|stored| Logged::of(stream, &stored)))
}

/// The message that an import stored at a stream sequence; `None` if there is none, or it is not of that
/// import.
pub(crate) async fn imported(
    broker: &Broker,
    stream: Stream,
    seq: u64,
    import: Uuid,
) -> Result<Option<Logged>, BrokerError> {
    let stored = StoredMessage::at(broker, stream, seq).await?;
    let own = stored.filter(|stored| stored.import == Some(import));
    Ok(own.map(|stored| Logged::of(stream, &stored)))
}

/// The number of messages that a stream or bucket still holds of those stored at `time` or later.
pub async fn count_since(
    broker: &Broker,
    stream: &str,
    time: OffsetDateTime,
) -> Result<u64, BrokerError> {
    let from = DeliverPolicy::ByStartTime { start_time: time };
    let (count, _) = broker.headers(stream, from, String::new()).await?;
    Ok(count)
}

/// The stream sequence of the first message stored at `time` or later; `None` where there is none.
pub async fn first_since(
    broker: &Broker,
    stream: Stream,
    time: OffsetDateTime,
) -> Result<Option<u64>, BrokerError> {
    let from = DeliverPolicy::ByStartTime { start_time: time };
    let (count, mut messages) = broker.headers(stream.name(), from, String::new()).await?;
    if count == 0 {
        return Ok(None);
    }
    let Some(first) = messages.next().await else {
        return Ok(None);
    };
    let first = first?;
    let info = first.info()?;
    Ok(Some(info.stream_sequence))
}
