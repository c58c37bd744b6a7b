//! The fill of streams, databases and the broker's disk, and when each is full at the pace of the last week.

mod measure;
mod metrics;
mod pace;

use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

pub(crate) use self::{measure::measure, metrics::report};

/// The fill of the platform's storage. Paces are those of the window; they are null while the platform is younger
/// than a day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Capacity {
    pub window: WindowView,
    /// Null if no order was placed in the window.
    pub order: Option<OrderCost>,
    /// Sorted by the time at which they are full, the first one first; then by fill.
    pub streams: Vec<StreamCapacity>,
    pub databases: Vec<DatabaseCapacity>,
    pub event_log: EventLogSize,
    pub broker: BrokerDisk,
}

/// The time over which paces are measured, up to now.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WindowView {
    /// Seven days ago, or the time of the first event of a younger platform.
    #[serde(with = "time::serde::rfc3339")]
    #[schema(value_type = String, format = DateTime)]
    pub since: OffsetDateTime,
    /// The length in days: 7, or the age of a younger platform.
    pub days: f64,
    /// True if it is seven days long; false for a younger platform.
    pub is_whole: bool,
}

/// The mean cost of an order: the events of ORDERS, PAYMENTS, DELIVERIES and NOTIFICATIONS in the window, divided by
/// the orders placed in it.
#[derive(Debug, Serialize, ToSchema)]
pub struct OrderCost {
    /// Orders placed in the window.
    pub placed: i64,
    /// Events of these streams for each of them.
    pub events: f64,
    /// Bytes of these events, by the mean size of each stream's messages.
    pub bytes: f64,
}

/// The fill of a stream.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StreamCapacity {
    /// Its name; `KV_audience` is the bucket of the audience.
    pub name: String,
    pub messages: u64,
    pub bytes: u64,
    /// The bytes that it may hold; null if only the broker's disk limits it.
    pub max_bytes: Option<u64>,
    /// The part that is filled, in percent with one decimal; null without a cap.
    pub percent: Option<f64>,
    /// The events of the window, a day: by their own times, where the event log has the stream, else by the time that
    /// the broker stored them.
    pub events_a_day: Option<f64>,
    /// The same events at the mean size of the stream's messages.
    pub bytes_a_day: Option<f64>,
    /// The time at which it is full at this pace; now, if it is full. Null if it never is: it has no cap, drops the
    /// oldest messages, does not grow, drops old messages before they fill it, or gives them to the archive; and while
    /// the pace is unknown.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub full_at: Option<OffsetDateTime>,
    /// True if it refuses events when it is full, and outboxes keep them; others drop the oldest messages.
    pub refuses: bool,
}

/// The size of a service's database.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DatabaseCapacity {
    /// The service's name.
    pub name: String,
    /// Null if the service does not answer.
    pub outbox: Option<OutboxSize>,
    /// Bytes of all other tables, PostgreSQL's own included; null if the service does not answer.
    pub other_bytes: Option<i64>,
}

/// The size of an outbox.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutboxSize {
    /// Rows, by PostgreSQL's statistics, which are some seconds late. Archived events leave it.
    pub rows: i64,
    /// Bytes with its indexes.
    pub bytes: i64,
    /// Rows appended in the last seven days, a day of the window; if archived events of this time have left the outbox,
    /// those appended since.
    pub rows_a_day: Option<f64>,
    /// The same rows at the mean size of a row.
    pub bytes_a_day: Option<f64>,
}

/// The size of the event log, a part of the operator service's other tables. Months that the archive holds leave it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventLogSize {
    /// Bytes with its indexes.
    pub bytes: i64,
    /// The events of the window at the mean size of an event in the log, a day.
    pub bytes_a_day: Option<f64>,
    /// The number of its partitions of months, the next one included.
    pub months: i64,
    /// The bytes at which it stays at this pace: the events that are not archived, and those of the archive's window and
    /// a month. Null without an archive, and while the pace is unknown.
    pub settles_at: Option<f64>,
}

/// The broker's disk.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BrokerDisk {
    /// Bytes of all streams and buckets.
    pub bytes: u64,
    /// The bytes that all may hold together: `max_file_store` of the broker; null if it does not say.
    pub max_bytes: Option<u64>,
    /// The part that is filled, in percent with one decimal; null without a cap.
    pub percent: Option<f64>,
    /// The paces of all streams that keep what they get, together.
    pub bytes_a_day: Option<f64>,
    /// The time at which the disk is full at this pace; null if it never is.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub full_at: Option<OffsetDateTime>,
}
