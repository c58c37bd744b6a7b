//! What operators do to the event history: who, what and why.

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
}

/// How an action ended that took time.
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
}

events! {
    /// What operators do.
    OperationEvent: "operation" in Operations by "operator" {
        Begun(OperationV1) = "begun", "v1", "An operator had something done.";
        Done(OperationEndedV1) = "done", "v1", "It took its time and is done.";
        Cancelled(OperationEndedV1) = "cancelled", "v1", "An operator stopped it.";
        Failed(OperationEndedV1) = "failed", "v1", "It could not be done to the end.";
    }
}
