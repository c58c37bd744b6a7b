use tiffin_events::{DecodeError, Envelope, Event};

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
    /// Reads the payload; `Ok(None)` for a type of this aggregate that is newer than this code, or of
    /// another aggregate.
    pub fn decode<E: Event>(&self) -> Result<Option<E>, DecodeError> {
        E::decode(&self.envelope.kind, &self.envelope.data)
    }
}
