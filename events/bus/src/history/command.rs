//! Commands of operators to a service about its consumers, and the answers: JSON over a request to
//! `control.<service>`.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::DatabaseSize;

/// One thing to do. Nothing moves before it is accepted.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Command {
    /// Lists the outbox, the consumers and what is blocked.
    Describe,
    /// Hands a frozen part of the stream to one consumer again. What it has handled is skipped.
    Replay {
        id: Uuid,
        consumer: String,
        selection: Selection,
        /// Events a second at most.
        #[serde(default)]
        rate: Option<u32>,
    },
    /// Lists the rows that a replay would change, and the changes. Nothing is committed.
    DryRun {
        consumer: String,
        selection: Selection,
    },
    /// Builds the consumer's read model again beside the one in use, up to where that one has handled the
    /// stream, and swaps them.
    Rebuild {
        id: Uuid,
        consumer: String,
        /// Reads from the first event, though there is a snapshot.
        #[serde(default)]
        from_first_event: bool,
    },
    /// Builds it again, compares and discards it.
    Verify {
        id: Uuid,
        consumer: String,
        /// Reads from the first event, though there is a snapshot.
        #[serde(default)]
        from_first_event: bool,
    },
    /// Puts the read model back that the last rebuild replaced, with what was handled since.
    RollBack {
        consumer: String,
    },
    /// Publishes what the outbox has and the streams have lost.
    Republish {
        id: Uuid,
    },
    Pause {
        id: Uuid,
    },
    Resume {
        id: Uuid,
    },
    Cancel {
        id: Uuid,
    },
    /// Asks for the progress of an operation.
    Status {
        id: Uuid,
    },
    /// Tries a dead letter again; the stream sequence is that of the event in the consumer's stream.
    Retry {
        consumer: String,
        stream_sequence: u64,
    },
    /// Takes a dead letter out of the consumer's way for good.
    Discard {
        consumer: String,
        stream_sequence: u64,
    },
}

/// A part of a stream, both ends included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Selection {
    pub from: u64,
    pub to: u64,
    /// Only subjects that match, `*` and `>` as in NATS.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<String>,
}

/// The answer to a command.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "camelCase")]
pub enum Answer {
    /// An operation that began, goes on or has ended.
    #[serde(rename = "run")]
    Operation(Operation),
    Changes(Changes),
    Service(Description),
    /// The command is carried out.
    Done {
        message: String,
    },
    /// Nothing was done, and why.
    Refused {
        message: String,
    },
    /// The service can't say just now, and why. It may have begun.
    Unavailable {
        message: String,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OperationKind {
    Replay,
    Rebuild,
    Verify,
    Republish,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OperationState {
    Running,
    Paused,
    Done,
    Cancelled,
    Failed,
}

/// An operation that takes time, with its progress.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Operation {
    pub id: Uuid,
    pub target: String,
    pub kind: OperationKind,
    pub state: OperationState,
    /// Events to go through, counted when it began.
    pub total: i64,
    /// The stream sequence up to which everything is done.
    pub position: i64,
    /// Took effect now.
    pub handled: i64,
    /// Had taken effect before.
    pub skipped: i64,
    pub failed: i64,
    /// The result, or the reason of the failure.
    pub report: Option<Value>,
    #[serde(with = "time::serde::rfc3339")]
    pub started_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    pub updated_at: OffsetDateTime,
}

impl Operation {
    /// The frame that a browser gets on the live topic `replay:<id>`.
    pub(super) fn frame(&self) -> Value {
        serde_json::json!({
            "type": "progress", "topic": format!("replay:{}", self.id),
            "state": self.state, "total": self.total, "handled": self.handled,
            "skipped": self.skipped, "failed": self.failed,
        })
    }
}

/// The changes that a replay would make.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Changes {
    /// Events selected.
    pub matched: i64,
    /// The number of them that have taken effect before.
    pub skipped: i64,
    /// The number of them that would fail.
    pub failed: i64,
    /// Rows that would change.
    pub rows: i64,
    /// The first of them.
    pub changes: Vec<RowChange>,
    /// The reasons of the first failures.
    pub failures: Vec<String>,
}

/// A row before and after; `None` where it is not there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RowChange {
    pub table: String,
    pub before: Option<Value>,
    pub after: Option<Value>,
}

/// The state of a service's outbox and consumers.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Description {
    pub service: String,
    /// Outbox rows that are not published.
    pub outbox_waiting: i64,
    /// The age of the oldest unpublished row, in seconds.
    pub outbox_lag_seconds: f64,
    /// The size of its database; a process of an earlier release does not say it.
    #[serde(default)]
    pub size: Option<DatabaseSize>,
    pub consumers: Vec<ConsumerDescription>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConsumerDescription {
    pub name: String,
    pub stream: String,
    pub subjects: Vec<String>,
    /// The tables of its read model.
    pub tables: Vec<String>,
    /// Aggregates that wait for a dead letter to be settled.
    pub blocked: i64,
    /// Events that wait with them.
    pub parked: i64,
}
