//! The audit: each operation of an operator on the event history, with its reason.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::envelope::events;

/// One operation, as an operator began it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OperationV1 {
    pub operation_id: Uuid,
    /// The kind: `replay`, `rebuild`, `retry`, `edit`, `discard`, `reveal` …
    pub verb: String,
    /// The target: a consumer, a message of a stream, an order.
    pub target: String,
    /// The reason in the operator's words.
    pub reason: String,
    /// Its link of the audit's chain; none in events from before the chain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chain: Option<LinkV1>,
}

/// The end of an operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OperationEndedV1 {
    pub operation_id: Uuid,
    pub verb: String,
    pub target: String,
    /// Events that took effect.
    pub handled: i64,
    /// Events that had taken effect before.
    pub skipped: i64,
    pub failed: i64,
    /// Of one that was refused at once: the error, without personal data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Of an import: what it stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<ImportedV1>,
    /// Its link of the audit's chain; none in events from before the chain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chain: Option<LinkV1>,
}

/// The result of an import.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportedV1 {
    /// The number of events.
    pub count: i64,
    /// The first event's id; none where nothing was stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<Uuid>,
    /// The last event's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<Uuid>,
    /// A hash of all of them in their order, 64 hexadecimal digits: each event in RFC 8785 form is hashed
    /// (SHA-256), and the next hash is that of the one so far and the event's, as text. It begins empty.
    pub hash: String,
}

/// A place in the audit's chain: the events of `OPERATIONS`, one after the other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LinkV1 {
    /// 1, 2, 3 …
    pub number: i64,
    /// The hash of the event before it. On the first, of the hashes of all events from before the chain, in
    /// ascending order, as one text.
    pub previous: String,
    /// SHA-256 of this event in RFC 8785 form, without this field: 64 hexadecimal digits.
    pub hash: String,
}

events! {
    /// The operations of operators.
    OperationEvent: "operation" in Operations by "operator" {
        Begun(OperationV1) = "begun", "v1", "An operator began an operation.";
        Done(OperationEndedV1) = "done", "v1", "The operation is done.";
        Cancelled(OperationEndedV1) = "cancelled", "v1", "An operator cancelled the operation.";
        Failed(OperationEndedV1) = "failed", "v1", "The operation failed.";
    }
}
