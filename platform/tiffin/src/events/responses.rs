//! The operator service's responses. The output of `--json` has the same fields.

use std::collections::BTreeMap;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tiffin_bus::history::OperationState;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::client::{
    Client,
    failure::{Exit, Failure},
};

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StreamsOverview {
    pub streams: Vec<Stream>,
    pub services: Vec<Service>,
    pub dead_letters: u64,
}

impl StreamsOverview {
    pub async fn get(client: &Client) -> Result<Self> {
        client.get(&["streams"], &[]).await
    }

    /// Refuses a consumer that does not exist.
    pub fn check_consumer(&self, name: &str) -> Result<()> {
        let mut consumers = self.streams.iter().flat_map(|stream| &stream.consumers);
        if consumers.any(|consumer| consumer.name == name) {
            return Ok(());
        }
        let message = format!("There is no consumer {name}. See: tiffin events streams");
        Err(Failure::new(Exit::NotFound, message).into())
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Stream {
    pub name: String,
    pub subjects: Vec<String>,
    pub messages: u64,
    pub bytes: u64,
    pub max_bytes: i64,
    pub first_seq: u64,
    pub last_seq: u64,
    #[serde(with = "time::serde::rfc3339::option")]
    pub first_time: Option<OffsetDateTime>,
    #[serde(with = "time::serde::rfc3339::option")]
    pub last_time: Option<OffsetDateTime>,
    pub archived: Option<Archived>,
    pub consumers: Vec<Consumer>,
}

/// The archived part of a stream's history.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Archived {
    pub segments: u64,
    pub events: u64,
    pub bytes: u64,
    pub body_bytes: u64,
    pub first_seq: u64,
    pub last_seq: u64,
    #[serde(with = "time::serde::rfc3339")]
    pub first_time: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    pub last_time: OffsetDateTime,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Consumer {
    pub name: String,
    pub pending: u64,
    pub in_flight: u64,
    pub redelivered: u64,
    pub lag_seconds: f64,
    pub takes_replays: bool,
    pub tables: Vec<String>,
    pub blocked: i64,
    pub parked: i64,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Service {
    pub name: String,
    pub is_there: bool,
    pub outbox_waiting: i64,
    pub outbox_lag_seconds: f64,
}

/// The fill of the platform's storage.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Capacity {
    pub window: Window,
    pub order: Option<OrderCost>,
    pub streams: Vec<StreamCapacity>,
    pub databases: Vec<DatabaseCapacity>,
    pub event_log: EventLogSize,
    pub broker: BrokerDisk,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Window {
    #[serde(with = "time::serde::rfc3339")]
    pub since: OffsetDateTime,
    pub days: f64,
    pub is_whole: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct OrderCost {
    pub placed: i64,
    pub events: f64,
    pub bytes: f64,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StreamCapacity {
    pub name: String,
    pub messages: u64,
    pub bytes: u64,
    pub max_bytes: Option<u64>,
    pub percent: Option<f64>,
    pub events_a_day: Option<f64>,
    pub bytes_a_day: Option<f64>,
    #[serde(with = "time::serde::rfc3339::option")]
    pub full_at: Option<OffsetDateTime>,
    pub refuses: bool,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DatabaseCapacity {
    pub name: String,
    pub outbox: Option<OutboxSize>,
    pub other_bytes: Option<u64>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OutboxSize {
    pub rows: u64,
    pub bytes: u64,
    pub rows_a_day: Option<f64>,
    pub bytes_a_day: Option<f64>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EventLogSize {
    pub bytes: u64,
    pub bytes_a_day: Option<f64>,
    pub months: u64,
    pub settles_at: Option<f64>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BrokerDisk {
    pub bytes: u64,
    pub max_bytes: Option<u64>,
    pub percent: Option<f64>,
    pub bytes_a_day: Option<f64>,
    #[serde(with = "time::serde::rfc3339::option")]
    pub full_at: Option<OffsetDateTime>,
}

/// One event with its stream and stream sequence.
#[derive(Debug, Serialize, Deserialize)]
pub struct LoggedEvent {
    pub stream: String,
    pub seq: u64,
    pub subject: String,
    /// The envelope; a string if the message is no event.
    pub event: Value,
}

impl LoggedEvent {
    /// A field of the envelope that is text.
    pub fn text(&self, name: &str) -> &str {
        self.event[name].as_str().unwrap_or_default()
    }

    /// The type without the prefix and the version that all share: `order.placed`.
    pub fn kind(&self) -> &str {
        short_type(self.text("type"))
    }

    pub fn time(&self) -> Option<OffsetDateTime> {
        use time::format_description::well_known::Rfc3339;
        OffsetDateTime::parse(self.text("time"), &Rfc3339).ok()
    }
}

/// `order.placed` of `tiffin.order.placed.v1`; a later version keeps its number.
fn short_type(kind: &str) -> &str {
    let kind = kind.strip_prefix("tiffin.").unwrap_or(kind);
    kind.strip_suffix(".v1").unwrap_or(kind)
}

/// A replay or another operation that takes time.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Replay {
    #[serde(rename = "replayId")]
    pub id: Uuid,
    pub verb: String,
    pub target: String,
    pub stream: Option<String>,
    pub reason: String,
    pub actor: Uuid,
    pub spec: Value,
    pub state: OperationState,
    pub total: i64,
    pub published: i64,
    pub handled: i64,
    pub skipped: i64,
    pub failed: i64,
    pub rate: f64,
    pub report: Option<Value>,
    #[serde(with = "time::serde::rfc3339")]
    pub started_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    pub updated_at: OffsetDateTime,
}

impl Replay {
    pub fn is_under_way(&self) -> bool {
        matches!(self.state, OperationState::Running | OperationState::Paused)
    }

    /// The target: a consumer or a service; for a replay to browsers the order or the stream.
    pub fn target_name(&self) -> &str {
        let order = self.spec["order"].as_str();
        match self.verb.as_str() {
            "live" => order.or(self.stream.as_deref()).unwrap_or(&self.target),
            _ => &self.target,
        }
    }

    pub fn state(&self) -> &'static str {
        match self.state {
            OperationState::Running => "running",
            OperationState::Paused => "paused",
            OperationState::Done => "done",
            OperationState::Cancelled => "cancelled",
            OperationState::Failed => "failed",
        }
    }
}

/// The result that a replay would have.
#[derive(Debug, Serialize, Deserialize)]
pub struct DryRun {
    pub matched: u64,
    pub skipped: i64,
    pub failed: i64,
    pub rows: i64,
    pub changes: Vec<RowChange>,
    pub failures: Vec<String>,
}

/// A row before and after; `None` where it is not there.
#[derive(Debug, Serialize, Deserialize)]
pub struct RowChange {
    pub table: String,
    pub before: Option<Value>,
    pub after: Option<Value>,
    /// The fields that differ, masked or not.
    pub changed: Vec<String>,
}

/// An operation that has begun.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Begun {
    pub replay_id: Uuid,
    pub matched: u64,
}

/// The result of an operation that is done at once.
#[derive(Debug, Serialize, Deserialize)]
pub struct Done {
    pub message: String,
}

/// The result of a rebuild or a check.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    pub equal: bool,
    #[serde(default)]
    pub tables: Vec<ComparedTable>,
    #[serde(default)]
    pub failures: Vec<String>,
    #[serde(default)]
    pub snapshot: Option<Snapshot>,
}

/// The snapshot that a read model was built from, or the reason why it was built from the first event.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Snapshot {
    #[serde(default)]
    positions: BTreeMap<String, u64>,
    #[serde(default)]
    taken_at: String,
    #[serde(default)]
    hash: String,
    #[serde(default)]
    reason: Option<String>,
}

impl Snapshot {
    /// `read after the snapshot of 2026-11-26T21:00:00Z (ORDERS 1200, USERS 90; hash 3fa8…)`.
    pub fn sentence(&self) -> String {
        if let Some(reason) = &self.reason {
            return format!("read from the first event: {reason}");
        }
        let positions = self.positions.iter();
        let positions: Vec<String> = positions
            .map(|(stream, at)| format!("{stream} {at}"))
            .collect();
        let (taken_at, positions, hash) = (&self.taken_at, positions.join(", "), &self.hash);
        format!("read after the snapshot of {taken_at} ({positions}; hash {hash})")
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ComparedTable {
    pub table: String,
    pub equal: bool,
    pub serving_rows: i64,
    pub rebuilt_rows: i64,
}

/// An event that a consumer could not handle.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeadLetter {
    pub seq: u64,
    pub consumer: String,
    pub reason: String,
    pub attempts: i64,
    #[serde(with = "time::serde::rfc3339")]
    pub time: OffsetDateTime,
    pub stream: String,
    pub stream_seq: u64,
    pub subject: String,
    pub waiting: i64,
    pub holds_up_deletion: bool,
    pub event: Value,
}

impl DeadLetter {
    pub fn kind(&self) -> &str {
        self.event["type"].as_str().map_or("no event", short_type)
    }
}

/// The result of one dead letter.
#[derive(Debug, Serialize)]
pub struct Settled {
    pub seq: u64,
    pub message: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Imported {
    pub stored: u64,
    pub message: String,
}

/// The result of one call of an import.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportCallResult {
    pub import_id: uuid::Uuid,
    pub stored: u64,
}
