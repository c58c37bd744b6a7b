//! Putting exported events into an empty stream, as history: nobody acts on them.

use async_nats::HeaderMap;
use tiffin_events::{Envelope, IMPORT_HEADER, Stream};
use uuid::Uuid;

use crate::{
    Broker, BrokerError,
    read::{self, Logged},
};

/// Why events were not stored.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The stream is not what these events continue.
    #[error("{0}")]
    Refused(String),
    #[error(transparent)]
    Broker(#[from] BrokerError),
}

/// Stores events after those of an earlier call, in their order, marked with the import's id; what lies
/// there already must be the same event. Returns how many were stored now.
pub async fn continue_with(
    broker: &Broker,
    stream: Stream,
    events: &[Logged],
    import: Uuid,
) -> Result<u64, WriteError> {
    let mut next = read::last(broker, stream).await? + 1;
    let mut stored = 0;
    for event in events {
        if event.seq < next {
            let there = read::one(broker, stream, event.seq).await?;
            let same = there.is_some_and(|there| there.envelope["id"] == event.envelope["id"]);
            if !same {
                return Err(WriteError::Refused(format!(
                    "{stream} holds another event at {}",
                    event.seq
                )));
            }
            continue;
        }
        let mut headers = HeaderMap::new();
        headers.insert(IMPORT_HEADER, import.to_string());
        if let Some(id) = event.envelope["id"].as_str() {
            headers.insert("Nats-Msg-Id", id);
        }
        // Nobody else may write meanwhile.
        headers.insert("Nats-Expected-Last-Sequence", (next - 1).to_string());
        let body = serde_json::to_vec(&event.envelope).map_err(BrokerError::from)?;
        let acknowledged = broker
            .jetstream
            .publish_with_headers(event.subject.clone(), headers, body.into())
            .await
            .map_err(BrokerError::from)?
            .await
            .map_err(|error| WriteError::Refused(error.to_string()))?;
        next = acknowledged.sequence + 1;
        stored += 1;
    }
    Ok(stored)
}

impl Logged {
    /// Reads a line of an export of `stream`; the error says what is wrong with it.
    pub fn read(stream: Stream, line: &[u8]) -> Result<Self, String> {
        #[derive(serde::Deserialize)]
        struct Line {
            stream: String,
            seq: u64,
            subject: String,
            event: serde_json::Value,
        }
        let line: Line = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        if line.stream != stream.name() {
            return Err(format!("it is an event of {}", line.stream));
        }
        serde_json::from_value::<Envelope>(line.event.clone())
            .map_err(|error| format!("it is no event: {error}"))?;
        let family = tiffin_events::subject::family(&line.subject);
        if !stream
            .subjects()
            .iter()
            .any(|taken| tiffin_events::subject::family(taken) == family)
        {
            return Err(format!("{stream} does not take {}", line.subject));
        }
        Ok(Self {
            stream: stream.name(),
            seq: line.seq,
            subject: line.subject,
            envelope: line.event,
        })
    }
}
