//! What an operator may ask of a service about its consumers, and what it answers: JSON over a
//! request to `control.<service>`.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

/// One thing to do. Nothing moves before it is accepted.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Command {
    /// What stands where: the outbox, the consumers, what is blocked.
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
    /// Which rows a replay would change, and how. Nothing stays changed.
    DryRun {
        consumer: String,
        selection: Selection,
    },
    /// Builds the consumer's read model anew beside the serving one, as far as that has handled its
    /// stream, and swaps them.
    Rebuild {
        id: Uuid,
        consumer: String,
    },
    /// Builds it anew, compares, and throws it away.
    Verify {
        id: Uuid,
        consumer: String,
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
    /// How far a run is.
    Status {
        id: Uuid,
    },
    /// Tries a dead letter again; the place is that of the event in the consumer's stream.
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

/// What became of a command.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "camelCase")]
pub enum Answer {
    /// It runs, or ran.
    Run(Run),
    Changes(Changes),
    Service(Description),
    /// It is done.
    Done {
        message: String,
    },
    /// Nothing was done, and why.
    Refused {
        message: String,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RunKind {
    Replay,
    Rebuild,
    Verify,
    Republish,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    Running,
    Paused,
    Done,
    Cancelled,
    Failed,
}

/// How far something is that takes time.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    pub id: Uuid,
    pub target: String,
    pub kind: RunKind,
    pub state: RunState,
    /// Events to go through, counted when it began.
    pub total: i64,
    /// The place up to which everything is done.
    pub position: i64,
    /// Took effect now.
    pub handled: i64,
    /// Had taken effect before.
    pub skipped: i64,
    pub failed: i64,
    /// What came out, or why it failed.
    pub report: Option<Value>,
    #[serde(with = "time::serde::rfc3339")]
    pub started_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    pub updated_at: OffsetDateTime,
}

impl Run {
    /// As a browser is told of it, on the live topic `replay:<id>`.
    pub(super) fn frame(&self) -> Value {
        serde_json::json!({
            "type": "progress", "topic": format!("replay:{}", self.id),
            "state": self.state, "total": self.total, "handled": self.handled,
            "skipped": self.skipped, "failed": self.failed,
        })
    }
}

/// What a replay would do.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Changes {
    /// Events selected.
    pub matched: i64,
    /// Of them, those that have taken effect before.
    pub skipped: i64,
    /// Of them, those that would fail.
    pub failed: i64,
    /// Rows that would change.
    pub rows: i64,
    /// The first of them.
    pub changes: Vec<RowChange>,
    /// Why the first failures would fail.
    pub failures: Vec<String>,
}

/// A row before and after; `None` where it is not there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RowChange {
    pub table: String,
    pub before: Option<Value>,
    pub after: Option<Value>,
}

/// What stands where in a service.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Description {
    pub service: String,
    /// Outbox rows that are not published.
    pub outbox_waiting: i64,
    /// How long the oldest of them has waited, in seconds.
    pub outbox_lag_seconds: f64,
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
