//! The audit: each action of an operator on the event history, with its reason.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::envelope::events;

/// One action of an operator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OperationV1 {
    pub operation_id: Uuid,
    /// What: `replay`, `rebuild`, `retry`, `edit`, `discard`, `reveal` …
    pub verb: String,
    /// To what: a consumer, a stream and a place in it, an order.
    pub target: String,
    /// The operator's own words for why.
    pub reason: String,
    /// Its place in the audit's chain; none on events from before there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chain: Option<LinkV1>,
}

/// The end of an action that took time.
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
    /// Of an import: what it stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<ImportedV1>,
    /// Its place in the audit's chain; none on events from before there was one.
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
    /// The actions of operators.
    OperationEvent: "operation" in Operations by "operator" {
        Begun(OperationV1) = "begun", "v1", "An operator had something done.";
        Done(OperationEndedV1) = "done", "v1", "It took its time and is done.";
        Cancelled(OperationEndedV1) = "cancelled", "v1", "An operator stopped it.";
        Failed(OperationEndedV1) = "failed", "v1", "It could not be done to the end.";
    }
}
