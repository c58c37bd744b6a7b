//! An operation of an operator, which has a beginning and, if it takes time, an end.

use serde_json::Value;
use tiffin_bus::history::OperationState;
use tiffin_events::{
    Clock, UserId,
    operation::{ImportedV1, OperationEndedV1, OperationEvent, OperationV1},
};
use time::OffsetDateTime;
use uuid::Uuid;

/// An operation that an operator asked for.
#[derive(Clone, Debug)]
pub struct Operation {
    pub id: Uuid,
    pub verb: String,
    pub target: String,
    pub reason: String,
    pub actor: UserId,
    /// The service that works on it; `None` if it is done at once or by this service.
    pub service: Option<String>,
    pub stream: Option<String>,
    pub spec: Value,
    pub state: OperationState,
    pub total: i64,
    pub handled: i64,
    pub skipped: i64,
    pub failed: i64,
    pub report: Option<Value>,
    pub begun_at: OffsetDateTime,
    pub updated_at: OffsetDateTime,
    /// The sequence of its last event.
    pub sequence: i64,
}

impl Operation {
    /// An operation that is done at once.
    pub fn done(
        clock: &Clock,
        actor: UserId,
        verb: &str,
        target: String,
        reason: impl Into<String>,
    ) -> Self {
        let now = clock.now();
        Self {
            id: clock.new_id(),
            verb: verb.to_owned(),
            target,
            reason: reason.into(),
            actor,
            service: None,
            stream: None,
            spec: serde_json::json!({}),
            state: OperationState::Done,
            total: 0,
            handled: 0,
            skipped: 0,
            failed: 0,
            report: None,
            begun_at: now,
            updated_at: now,
            sequence: 1,
        }
    }

    /// The event at its beginning.
    pub fn begun(&self) -> OperationEvent {
        OperationEvent::Begun(OperationV1 {
            operation_id: self.id,
            verb: self.verb.clone(),
            target: self.target.clone(),
            reason: self.reason.clone(),
            chain: None,
        })
    }

    /// The event at its end; `None` while it is under way.
    pub fn ended(&self) -> Option<OperationEvent> {
        let end = OperationEndedV1 {
            operation_id: self.id,
            verb: self.verb.clone(),
            target: self.target.clone(),
            handled: self.handled,
            skipped: self.skipped,
            failed: self.failed,
            imported: self.imported(),
            chain: None,
        };
        match self.state {
            OperationState::Running | OperationState::Paused => None,
            OperationState::Done => Some(OperationEvent::Done(end)),
            OperationState::Cancelled => Some(OperationEvent::Cancelled(end)),
            OperationState::Failed => Some(OperationEvent::Failed(end)),
        }
    }

    /// The result of an import, from its report.
    fn imported(&self) -> Option<ImportedV1> {
        let imported = self.report.as_ref()?.get("imported")?;
        serde_json::from_value(imported.clone()).ok()
    }

    pub fn is_under_way(&self) -> bool {
        matches!(self.state, OperationState::Running | OperationState::Paused)
    }
}
