use async_nats::jetstream::Message;
use tiffin_events::{DecodeError, Envelope, Event, SPEC_VERSION};

/// The header of a replayed message: the replay's id.
pub const REPLAY_HEADER: &str = "Tiffin-Replay";

/// One event as a consumer gets it.
#[derive(Clone, Debug)]
pub struct Received {
    pub envelope: Envelope,
    /// Its place in the stream.
    pub stream_sequence: u64,
    /// Which replay it belongs to. Outside effects are not repeated for one.
    pub replay: Option<String>,
}

impl Received {
    /// Reads a message; the error says why it is none of ours.
    pub(crate) fn read(message: &Message) -> Result<Self, String> {
        let envelope: Envelope = serde_json::from_slice(&message.payload)
            .map_err(|error| format!("malformed: {error}"))?;
        if envelope.specversion != SPEC_VERSION {
            return Err(format!(
                "malformed: CloudEvents {} is not {SPEC_VERSION}",
                envelope.specversion
            ));
        }
        let info = message
            .info()
            .map_err(|error| format!("malformed: {error}"))?;
        let replay = message
            .headers
            .as_ref()
            .and_then(|headers| headers.get(REPLAY_HEADER))
            .map(ToString::to_string);
        Ok(Self {
            envelope,
            stream_sequence: info.stream_sequence,
            replay,
        })
    }

    /// Reads the payload; `Ok(None)` for a type of this aggregate that is newer than this code, or of
    /// another aggregate.
    pub fn decode<E: Event>(&self) -> Result<Option<E>, DecodeError> {
        E::decode(&self.envelope.kind, &self.envelope.data)
    }
}
