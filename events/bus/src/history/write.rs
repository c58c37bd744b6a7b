//! Writes exported events into an empty stream, as history: no consumer acts on them.

use async_nats::{HeaderMap, jetstream::context::PublishErrorKind};
use tiffin_events::{Envelope, IMPORT_HEADER, Stream};
use uuid::Uuid;

use crate::{
    Broker, BrokerError,
    history::read::{self, Logged},
};

/// The reason why events were not stored.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The stream does not end where these events go on.
    #[error("something else was published to {0}")]
    Moved(Stream),
    #[error("{stream} had {id} before")]
    Duplicate { stream: Stream, id: String },
    #[error(transparent)]
    Broker(#[from] BrokerError),
}

/// Stores events after the stream sequence `last`, in their order, marked with the import's id. The broker refuses
/// the first that would lie elsewhere: something else was published meanwhile. Returns the last stream sequence.
pub async fn append(
    broker: &Broker,
    stream: Stream,
    events: &[Logged],
    import: Uuid,
    last: u64,
) -> Result<u64, WriteError> {
    let mut last = last;
    for event in events {
        let mut headers = HeaderMap::new();
        headers.insert(IMPORT_HEADER, import.to_string());
        if let Some(id) = event.envelope["id"].as_str() {
            headers.insert("Nats-Msg-Id", id);
        }
        headers.insert("Nats-Expected-Last-Sequence", last.to_string());
        let body = serde_json::to_vec(&event.envelope).map_err(BrokerError::from)?;
        let stored = broker
            .jetstream
            .publish_with_headers(event.subject.clone(), headers, body.into())
            .await
            .map_err(BrokerError::from)?
            .await;
        let stored = stored.map_err(|error| match error.kind() {
            PublishErrorKind::WrongLastSequence => WriteError::Moved(stream),
            _ => WriteError::Broker(error.into()),
        })?;
        if stored.duplicate {
            let id = event.envelope["id"].to_string();
            return Err(WriteError::Duplicate { stream, id });
        }
        last = stored.sequence;
    }
    Ok(last)
}

/// The reason why a line of an export can't be imported.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error("it is an event of {0}")]
    OtherStream(String),
    #[error("it is no event: {0}")]
    Envelope(serde_json::Error),
    #[error("{stream} does not take {subject}")]
    OtherSubject { stream: Stream, subject: String },
}

/// The messages that an import has stored after a stream sequence, up to the first of anything else.
pub async fn stored_by(
    broker: &Broker,
    stream: Stream,
    import: Uuid,
    last: u64,
) -> Result<Vec<Logged>, BrokerError> {
    let end = read::last(broker, stream).await?;
    let mut own = Vec::new();
    for sequence in last + 1..=end {
        match read::imported(broker, stream, sequence, import).await? {
            Some(event) => own.push(event),
            None => break,
        }
    }
    Ok(own)
}

impl Logged {
    /// Reads a line of an export of `stream`.
    pub fn read(stream: Stream, line: &[u8]) -> Result<Self, LineError> {
        #[derive(serde::Deserialize)]
        struct Line {
            stream: String,
            seq: u64,
            subject: String,
            event: serde_json::Value,
        }
        let line: Line = serde_json::from_slice(line)?;
        if line.stream != stream.name() {
            return Err(LineError::OtherStream(line.stream));
        }
        serde_json::from_value::<Envelope>(line.event.clone()).map_err(LineError::Envelope)?;
        let family = tiffin_events::subject::family(&line.subject);
        if !stream
            .subjects()
            .iter()
            .any(|taken| tiffin_events::subject::family(taken) == family)
        {
            return Err(LineError::OtherSubject {
                stream,
                subject: line.subject,
            });
        }
        Ok(Self {
            stream: stream.name(),
            seq: line.seq,
            subject: line.subject,
            envelope: line.event,
            stored_at: None,
        })
    }
}
