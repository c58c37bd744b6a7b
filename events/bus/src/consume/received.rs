use std::{fmt, iter, sync::Arc};

use async_nats::{
    HeaderMap, HeaderName, Subject,
    jetstream::{
        Message,
        message::{Info, StreamMessage},
    },
};
use bytes::Bytes;
use serde::{
    Deserializer,
    de::{IgnoredAny, MapAccess, Visitor},
};
use tiffin_events::{
    CORRECTION_HEADER, DecodeError, Envelope, Event, IMPORT_HEADER, JsonFault, RawEnvelope,
    SPEC_VERSION, Stream, UserId, subject, user::UserEvent,
};
use time::OffsetDateTime;
use uuid::Uuid;

use super::malformed::Malformed;
use crate::{
    BrokerError,
    seal::{Keys, KeysError, Opener},
};

/// One event as a consumer gets it.
#[derive(Clone, Debug)]
pub struct Received {
    pub envelope: RawEnvelope,
    /// The number of its message in the stream.
    pub stream_sequence: u64,
    /// The time at which the broker stored it.
    pub stored_at: OffsetDateTime,
    /// The replay that it belongs to. Effects outside of the database are not repeated then.
    pub replay: Option<Arc<str>>,
    /// True if an operator imported it. It is then the history of another platform, and only projected to
    /// read models ([`Handler::project`](crate::Handler::project)).
    pub is_imported: bool,
    /// True if it corrects another event with the same sequence.
    pub(crate) is_correction: bool,
}

/// An event whose personal fields may be sealed yet.
#[derive(Clone, Debug)]
pub(crate) struct Unopened(Received);

/// The reason why an event was not read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unread {
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// Readable once the keys are at hand.
    #[error(transparent)]
    Keys(#[from] KeysError),
}

/// A message as its stream holds it.
#[derive(Clone, Debug)]
pub(crate) struct StoredMessage {
    pub subject: Subject,
    pub stream_sequence: u64,
    /// The time at which the broker stored it.
    pub stored_at: OffsetDateTime,
    pub body: Bytes,
    /// The import that stored it.
    pub import: Option<Uuid>,
    pub is_correction: bool,
    /// The number of deliveries.
    pub attempts: i64,
}

impl StoredMessage {
    pub(crate) fn from_delivery(message: &Message) -> Result<Self, BrokerError> {
        let info = message.info()?;
        Ok(Self::from_message(message.message.clone(), &info))
    }

    pub(crate) fn from_message(message: async_nats::Message, info: &Info<'_>) -> Self {
        Self {
            import: message.headers.as_ref().and_then(import_of),
            is_correction: message.headers.as_ref().is_some_and(is_correction),
            subject: message.subject,
            stream_sequence: info.stream_sequence,
            stored_at: info.published,
            body: message.payload,
            attempts: info.delivered,
        }
    }

    pub(crate) fn from_lookup(message: StreamMessage) -> Self {
        Self {
            subject: message.subject,
            stream_sequence: message.sequence,
            stored_at: message.time,
            import: import_of(&message.headers),
            is_correction: is_correction(&message.headers),
            body: message.payload,
            attempts: 1,
        }
    }

    pub(crate) fn from_archive(message: tiffin_archive::Message) -> Self {
        let header = |name| message.headers.get(name);
        Self {
            import: header(IMPORT_HEADER).map(|id| id.parse().unwrap_or_default()),
            is_correction: header(CORRECTION_HEADER).is_some(),
            subject: message.subject.as_str().into(),
            stream_sequence: message.stream_sequence,
            stored_at: message.stored_at,
            body: message.body,
            attempts: 1,
        }
    }

    /// The aggregate that its subject names.
    pub(crate) fn aggregate(&self) -> Option<Uuid> {
        Some(subject::Subject::parse(&self.subject)?.id)
    }

    /// The aggregate and the event's sequence, reading only up to them; `None` where it is no event.
    pub(crate) fn aggregate_and_sequence(&self) -> Option<(Uuid, i64)> {
        let (mut subject, mut sequence) = (None, None);
        let until_found = SequenceVisitor {
            subject: &mut subject,
            sequence: &mut sequence,
        };
        let mut json = serde_json::Deserializer::from_slice(&self.body);
        // It ends before the end of the object, which the parser takes for an error.
        drop(json.deserialize_map(until_found));
        subject.zip(sequence)
    }

    /// Reads the envelope.
    pub(crate) fn read(&self) -> Result<Unopened, Malformed> {
        // Checked as a whole, which is faster than each of its parts.
        let envelope: RawEnvelope =
            serde_json::from_str(str::from_utf8(&self.body)?).map_err(JsonFault::from)?;
        if envelope.specversion != SPEC_VERSION {
            return Err(Malformed::Version(envelope.specversion.clone()));
        }
        Ok(Unopened(Received {
            envelope,
            stream_sequence: self.stream_sequence,
            stored_at: self.stored_at,
            replay: None,
            is_imported: self.import.is_some(),
            is_correction: self.is_correction,
        }))
    }

    /// The message at a stream sequence, in the stream or the archive; `None` if it is gone.
    pub(crate) async fn at(
        broker: &crate::Broker,
        stream: Stream,
        stream_sequence: u64,
    ) -> Result<Option<Self>, BrokerError> {
        use async_nats::jetstream::stream::DirectGetErrorKind;
        // The first stream sequence is 1; 0 is no question that the broker understands.
        if stream_sequence == 0 {
            return Ok(None);
        }
        let handle = broker.jetstream.get_stream_no_info(stream.name()).await?;
        match handle.direct_get(stream_sequence).await {
            Ok(message) => Ok(Some(Self::from_lookup(message))),
            Err(error) if error.kind() == DirectGetErrorKind::NotFound => {
                Self::archived(broker, stream, stream_sequence).await
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The message at a stream sequence that the archive holds.
    async fn archived(
        broker: &crate::Broker,
        stream: Stream,
        stream_sequence: u64,
    ) -> Result<Option<Self>, BrokerError> {
        let Some(archive) = broker.archive.as_ref().filter(|_| stream.is_archived()) else {
            return Ok(None);
        };
        let found = archive.message(stream, stream_sequence).await?;
        Ok(found.map(Self::from_archive))
    }
}

/// True if the headers mark the message as the correction of an event.
fn is_correction(headers: &HeaderMap) -> bool {
    headers
        .get(HeaderName::from_static(CORRECTION_HEADER))
        .is_some()
}

/// The import that the headers name; nil where what they name is no id, which is an import all the same.
fn import_of(headers: &HeaderMap) -> Option<Uuid> {
    let named = headers.get(HeaderName::from_static(IMPORT_HEADER))?;
    Some(named.as_str().parse().unwrap_or_default())
}

/// Looks for the aggregate and the sequence, which the envelope names before the payload: most of an
/// event need not be read to know that it was handled.
struct SequenceVisitor<'a> {
    subject: &'a mut Option<Uuid>,
    sequence: &'a mut Option<i64>,
}

impl<'de> Visitor<'de> for SequenceVisitor<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an envelope")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while self.subject.is_none() || self.sequence.is_none() {
            match map.next_key()? {
                Some("subject") => *self.subject = Some(map.next_value()?),
                Some("sequence") => *self.sequence = Some(map.next_value()?),
                Some(_) => {
                    let IgnoredAny = map.next_value()?;
                }
                None => break,
            }
        }
        Ok(())
    }
}

impl Received {
    /// An event with its stream sequence, stored when it happened.
    pub fn new(envelope: &Envelope, stream_sequence: u64) -> serde_json::Result<Self> {
        Ok(Self {
            envelope: serde_json::from_slice(&serde_json::to_vec(envelope)?)?,
            stream_sequence,
            stored_at: envelope.time,
            replay: None,
            is_imported: false,
            is_correction: false,
        })
    }

    /// Reads an archived message, whose personal fields stay sealed; `None` for one that consumers skip.
    pub fn from_archive(message: tiffin_archive::Message) -> Option<Self> {
        let read = StoredMessage::from_archive(message).read();
        read.ok().map(Unopened::into_sealed)
    }

    /// Reads a message.
    pub(crate) fn read(message: &Message) -> Result<Unopened, Malformed> {
        StoredMessage::from_delivery(message)?.read()
    }

    /// Reads the payload; `Ok(None)` for a type of this aggregate that is newer than this code, or of
    /// another aggregate.
    pub fn decode<E: Event>(&self) -> Result<Option<E>, DecodeError> {
        E::decode(&self.envelope.kind, &*self.envelope.data)
    }

    /// Reads the payloads of many, leaving out what [`Received::decode`] does not know.
    pub fn decode_all<E: Event>(events: &[Self]) -> Result<Vec<(&Self, E)>, DecodeError> {
        events
            .iter()
            .filter_map(|event| match event.decode() {
                Ok(read) => Some(Ok((event, read?))),
                Err(error) => Some(Err(error)),
            })
            .collect()
    }

    /// The aggregate's word: `order` in `tiffin.order.placed.v1`.
    pub(crate) fn aggregate(&self) -> &str {
        subject::EventType::parse(&self.envelope.kind).aggregate
    }
}

impl Unopened {
    /// The event as its message has it.
    pub(crate) fn into_sealed(self) -> Received {
        self.0
    }

    /// The event with its personal fields, as far as their keys exist.
    pub(crate) async fn open(self, keys: &Keys) -> Result<Received, Unread> {
        let opener = keys.of_parts(iter::once(&self.0.envelope.sealed)).await?;
        Ok(self.open_with(&opener, keys)?)
    }

    /// Events with their personal fields; their keys are asked for at once.
    pub(crate) async fn open_all(
        events: Vec<Self>,
        keys: &Keys,
    ) -> Result<Vec<Result<Received, Malformed>>, KeysError> {
        let sealed = events.iter().map(|event| &event.0.envelope.sealed);
        let opener = keys.of_parts(sealed).await?;
        let events = events.into_iter();
        Ok(events.map(|it| it.open_with(&opener, keys)).collect())
    }

    fn open_with(mut self, opener: &Opener, keys: &Keys) -> Result<Received, Malformed> {
        let envelope = &mut self.0.envelope;
        if subject::EventType::parse(&envelope.kind) == DELETION {
            keys.forget(UserId(envelope.subject));
        }
        opener.open(envelope)?;
        Ok(self.0)
    }
}

/// The event that ends an account and destroys its key.
const DELETION: subject::EventType<'static> = subject::EventType {
    aggregate: UserEvent::AGGREGATE,
    event: UserEvent::DELETED,
};

#[cfg(test)]
mod tests {
    use super::*;

    fn sequence_of(body: &str) -> Option<(Uuid, i64)> {
        let stored = StoredMessage {
            subject: Subject::from(String::new()),
            stream_sequence: 1,
            stored_at: OffsetDateTime::UNIX_EPOCH,
            body: Bytes::copy_from_slice(body.as_bytes()),
            import: None,
            is_correction: false,
            attempts: 1,
        };
        stored.aggregate_and_sequence()
    }

    #[test]
    fn an_events_sequence_is_found_at_any_position() {
        let id = Uuid::from_u128(7);
        for body in [
            format!(r#"{{"id":"x","subject":"{id}","sequence":3,"data":{{"sequence":9}}}}"#),
            format!(r#"{{"data":{{"sequence":9}},"sequence":3,"subject":"{id}"}}"#),
        ] {
            assert_eq!(sequence_of(&body), Some((id, 3)), "{body}");
        }
        for body in [
            "",
            "{ this is no event",
            r#"{"subject":"unknown","sequence":3}"#,
            r#"{"data":{"sequence":9}}"#,
            "[]",
        ] {
            assert_eq!(sequence_of(body), None, "{body}");
        }
    }
}
