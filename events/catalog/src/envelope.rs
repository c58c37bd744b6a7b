//! CloudEvents 1.0 in structured JSON mode, with Tiffin's extensions.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, de::DeserializeOwned};
use serde_json::{Value, value::RawValue};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{Clock, JsonFault, Stream, personal::Sealed};

/// The version of CloudEvents that every envelope names.
pub const SPEC_VERSION: &str = "1.0";

/// The header of a message that an operator imported: the import's id. It marks the history of another
/// platform: it is kept for reading, and no consumer acts on it.
pub const IMPORT_HEADER: &str = "Tiffin-Imported";

/// The header of a correction: an event that another service than the stream's publishes, in place of one that
/// some consumer can't handle and with the same sequence.
pub const CORRECTION_HEADER: &str = "Tiffin-Put-Right";

/// One event as it travels. `D` is its payload: [`Value`] until the type is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Envelope<D = Value> {
    /// Always `1.0`.
    pub specversion: String,
    /// A `UUIDv7`, unique to the event; also its `Nats-Msg-Id`.
    pub id: Uuid,
    /// The service that published it: `tiffin/order`.
    pub source: String,
    /// `tiffin.<aggregate>.<event>.v<version>`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The aggregate's id.
    pub subject: Uuid,
    /// The time of the event, RFC 3339 in UTC.
    #[serde(with = "time::serde::rfc3339")]
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub time: OffsetDateTime,
    /// Always `application/json`.
    pub datacontenttype: String,
    /// The number of the event within its aggregate: 1, 2, 3 …
    pub sequence: i64,
    /// The user who caused it, or the service.
    pub actor: String,
    /// The order it belongs to, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correlationid: Option<Uuid>,
    /// The event it followed from, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub causationid: Option<Uuid>,
    /// W3C Trace Context of the request behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traceparent: Option<String>,
    /// The personal fields that `data` lacks, encrypted under the keys of their persons.
    #[serde(default, skip_serializing_if = "Sealed::is_empty")]
    pub sealed: Sealed,
    pub data: D,
}

impl<D> Envelope<D> {
    /// A payload that `service` publishes now. It belongs to no order and follows from no event.
    pub fn of(
        clock: &Clock,
        service: &str,
        kind: &str,
        subject: Uuid,
        sequence: i64,
        actor: String,
        data: D,
    ) -> Self {
        Self {
            specversion: SPEC_VERSION.to_owned(),
            id: clock.new_id(),
            source: format!("tiffin/{service}"),
            kind: kind.to_owned(),
            subject,
            time: clock.now(),
            datacontenttype: "application/json".to_owned(),
            sequence,
            actor,
            correlationid: None,
            causationid: None,
            traceparent: None,
            sealed: Sealed::default(),
            data,
        }
    }
}

impl Envelope {
    /// An event that the service of its aggregate publishes now. It belongs to no order and follows from no event.
    pub fn new<E: Event>(
        clock: &Clock,
        subject: Uuid,
        sequence: i64,
        actor: String,
        event: &E,
    ) -> serde_json::Result<Self> {
        let (service, kind, data) = (E::SERVICE, event.kind(), event.data()?);
        Ok(Self::of(
            clock, service, kind, subject, sequence, actor, data,
        ))
    }
}

/// An envelope whose payload is not decoded: most readers need a part of it, or none.
pub type RawEnvelope = Envelope<Box<RawValue>>;

/// A kind of aggregate's events: an enum with a variant for each.
pub trait Event: Sized + Send + Sync {
    /// The aggregate's word in subjects and types.
    const AGGREGATE: &'static str;
    /// The stream they are kept in.
    const STREAM: Stream;
    /// The service that owns the aggregate.
    const SERVICE: &'static str;

    /// The last word of the subject, past tense.
    fn name(&self) -> &'static str;

    /// The envelope's `type`.
    fn kind(&self) -> &'static str;

    /// The payload as JSON.
    fn data(&self) -> serde_json::Result<Value>;

    /// Reads an event of this aggregate. `Ok(None)` where the type is one that this version of the
    /// code does not know yet: a newer service published it, and it is not ours to refuse.
    fn decode<'de, D>(kind: &str, data: D) -> Result<Option<Self>, DecodeError>
    where
        D: Deserializer<'de, Error = serde_json::Error>;
}

/// The reason why a payload does not fit its type.
#[derive(Debug, thiserror::Error)]
#[error("{kind} does not hold what its type says: {fault}")]
pub struct DecodeError {
    kind: String,
    fault: JsonFault,
}

/// Reads one payload.
pub(crate) fn payload<'de, T, D>(kind: &str, data: D) -> Result<T, DecodeError>
where
    T: DeserializeOwned,
    D: Deserializer<'de, Error = serde_json::Error>,
{
    T::deserialize(data).map_err(|error| DecodeError {
        kind: kind.to_owned(),
        fault: error.into(),
    })
}

/// Declares an aggregate's events: the enum, its [`Event`] implementation and its rows of the
/// catalogue.
macro_rules! events {
    (
        $(#[$doc:meta])*
        $enum:ident: $aggregate:literal in $stream:ident by $service:literal {
            $($variant:ident($payload:ident) = $name:literal, $version:literal, $description:literal;)*
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub enum $enum {
            $(#[doc = $description] $variant($payload),)*
        }

        impl $crate::Event for $enum {
            const AGGREGATE: &'static str = $aggregate;
            const STREAM: $crate::Stream = $crate::Stream::$stream;
            const SERVICE: &'static str = $service;

            fn name(&self) -> &'static str {
                match self { $(Self::$variant(_) => $name,)* }
            }

            fn kind(&self) -> &'static str {
                match self { $(Self::$variant(_) => concat!("tiffin.", $aggregate, ".", $name, ".", $version),)* }
            }

            fn data(&self) -> serde_json::Result<serde_json::Value> {
                match self { $(Self::$variant(data) => serde_json::to_value(data),)* }
            }

            fn decode<'de, D>(kind: &str, data: D) -> Result<Option<Self>, $crate::DecodeError>
            where
                D: serde::Deserializer<'de, Error = serde_json::Error>,
            {
                match kind {
                    $(concat!("tiffin.", $aggregate, ".", $name, ".", $version) => {
                        $crate::envelope::payload(kind, data).map(|data| Some(Self::$variant(data)))
                    })*
                    _ => Ok(None),
                }
            }
        }

        /// This aggregate's rows of the catalogue.
        pub(crate) fn catalogue() -> Vec<$crate::catalogue::Entry> {
            vec![$($crate::catalogue::Entry {
                kind: concat!("tiffin.", $aggregate, ".", $name, ".", $version),
                subject: concat!("tiffin.", $aggregate, ".<id>.", $name),
                stream: $crate::Stream::$stream,
                service: $service,
                description: $description,
                schema: || schemars::schema_for!($payload),
                round_trip: |data| {
                    let event = <$enum as $crate::Event>::decode(
                        concat!("tiffin.", $aggregate, ".", $name, ".", $version), data,
                    );
                    event.ok().flatten().and_then(|event| $crate::Event::data(&event).ok())
                },
            },)*]
        }
    };
}
pub(crate) use events;
