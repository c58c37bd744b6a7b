//! The content of the broker and the progress of every consumer.

use async_nats::jetstream::stream::Stream as Handle;
use futures_util::TryStreamExt;
use serde::Serialize;
use tiffin_archive::Segment;
use tiffin_bus::{Broker, BrokerError};
use tiffin_events::Stream;
use time::OffsetDateTime;
use utoipa::ToSchema;

/// A stream with its consumers.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StreamView {
    pub name: String,
    pub subjects: Vec<String>,
    pub messages: u64,
    pub bytes: u64,
    /// The bytes that it may hold before it refuses events. 2^53 - 1 if only the broker's disk limits it.
    pub max_bytes: i64,
    pub first_seq: u64,
    pub last_seq: u64,
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub first_time: Option<OffsetDateTime>,
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_time: Option<OffsetDateTime>,
    /// The part of its history that is in the archive.
    pub archived: Option<ArchivedView>,
    pub consumers: Vec<ConsumerView>,
}

/// The archived part of a stream's history.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ArchivedView {
    pub segments: u64,
    pub events: u64,
    /// The size of the segments' files.
    pub bytes: u64,
    /// The size of their events.
    pub body_bytes: u64,
    pub first_seq: u64,
    pub last_seq: u64,
    #[serde(with = "time::serde::rfc3339")]
    pub first_time: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    pub last_time: OffsetDateTime,
}

/// The size reported for a stream without a cap: the largest integer that a browser reads exactly.
const UNLIMITED: i64 = (1 << 53) - 1;

/// The progress of a consumer.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsumerView {
    pub name: String,
    /// The number of messages that it has not been given yet.
    pub pending: u64,
    /// The number of messages that it works on.
    pub in_flight: usize,
    /// The number of messages that were delivered more than once and are not acknowledged.
    pub redelivered: usize,
    /// The age of its oldest unacknowledged message in seconds.
    pub lag_seconds: f64,
    /// True if it can be replayed to: its service answers, and it does more than copy its stream.
    pub takes_replays: bool,
    /// The tables of its read model; empty if it has none.
    pub tables: Vec<String>,
    /// The number of blocked aggregates, which wait for a dead letter to be settled.
    pub blocked: i64,
    /// The number of parked events of these aggregates.
    pub parked: i64,
}

/// The current state of a stream and its consumers.
pub async fn view(
    broker: &Broker,
    stream: Stream,
    now: OffsetDateTime,
) -> Result<StreamView, BrokerError> {
    let mut handle = broker.jetstream.get_stream(stream.name()).await?;
    let info = handle.info().await?;
    let (state, max_bytes) = (info.state.clone(), info.config.max_bytes);
    let mut consumers = Vec::new();
    let mut listed = handle.consumers();
    while let Some(info) = listed.try_next().await? {
        // The others are temporary readers of the stream.
        let Some(name) = info.config.durable_name.clone() else {
            continue;
        };
        let waits = info.num_pending > 0 || info.num_ack_pending > 0;
        let lag_seconds = if waits {
            waited(&handle, info.ack_floor.stream_sequence + 1, now).await
        } else {
            0.0
        };
        consumers.push(ConsumerView {
            name,
            pending: info.num_pending,
            in_flight: info.num_ack_pending,
            redelivered: info.num_redelivered,
            lag_seconds,
            takes_replays: false,
            tables: Vec::new(),
            blocked: 0,
            parked: 0,
        });
    }
    let archived = archived(broker, stream).await?;
    consumers.sort_by(|one, other| one.name.cmp(&other.name));
    let is_empty = state.messages == 0;
    Ok(StreamView {
        name: stream.name().to_owned(),
        subjects: stream.subjects().iter().map(ToString::to_string).collect(),
        messages: state.messages,
        bytes: state.bytes,
        max_bytes: if max_bytes > 0 { max_bytes } else { UNLIMITED },
        first_seq: state.first_sequence,
        last_seq: state.last_sequence,
        first_time: (!is_empty).then_some(state.first_timestamp),
        last_time: (!is_empty).then_some(state.last_timestamp),
        archived,
        consumers,
    })
}

/// The archived part of a stream's history; `None` if there is none.
async fn archived(broker: &Broker, stream: Stream) -> Result<Option<ArchivedView>, BrokerError> {
    let Some(archive) = broker.archive.as_ref().filter(|_| stream.is_archived()) else {
        return Ok(None);
    };
    let segments = archive.segments(stream).await?;
    let (Some(first), Some(last)) = (segments.first(), segments.last()) else {
        return Ok(None);
    };
    let sum = |part: fn(&Segment) -> u64| segments.iter().map(part).sum();
    Ok(Some(ArchivedView {
        segments: segments.len() as u64,
        events: sum(|segment| segment.count),
        bytes: sum(|segment| segment.bytes),
        body_bytes: sum(|segment| segment.body_bytes),
        first_seq: first.first,
        last_seq: last.last,
        first_time: first.first_time,
        last_time: last.last_time,
    }))
}

/// The age in seconds of the first message from a stream sequence on.
async fn waited(handle: &Handle, from: u64, now: OffsetDateTime) -> f64 {
    match handle.direct_get_next_for_subject(">", Some(from)).await {
        Ok(message) => (now - message.time).as_seconds_f64().max(0.0),
        Err(_) => 0.0,
    }
}
