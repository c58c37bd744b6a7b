//! The list of every event there is, for schemas, samples, documents and tests.

use schemars::Schema;
use serde_json::Value;

use crate::{
    Stream, delivery, driver, inquiry, item, notification, operation, order, payment, position,
    restaurant, review, suggestion, user,
};

/// One event type.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The envelope's `type`.
    pub kind: &'static str,
    /// The subject's pattern.
    pub subject: &'static str,
    pub stream: Stream,
    /// The service that publishes it.
    pub service: &'static str,
    /// The event in one sentence.
    pub description: &'static str,
    /// The payload's JSON Schema.
    pub schema: fn() -> Schema,
    /// Reads a payload and writes it again; `None` where it can't be read.
    pub round_trip: fn(&Value) -> Option<Value>,
}

/// Every event type, by service.
pub fn entries() -> Vec<Entry> {
    [
        user::catalogue(),
        inquiry::catalogue(),
        restaurant::catalogue(),
        item::catalogue(),
        review::catalogue(),
        order::catalogue(),
        payment::catalogue(),
        delivery::catalogue(),
        suggestion::catalogue(),
        driver::catalogue(),
        position::catalogue(),
        notification::catalogue(),
        operation::catalogue(),
    ]
    .concat()
    .into_iter()
    .map(|entry| match entry.stream {
        // Positions have no event word, so that the newest of a delivery is the last of its subject.
        Stream::Positions => Entry {
            subject: "tiffin.position.<id>",
            ..entry
        },
        _ => entry,
    })
    .collect()
}
