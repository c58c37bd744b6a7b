//! An operation of an operator, which has a beginning and an end.

use serde_json::{Value, json};
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
            spec: json!({}),
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

    /// The same operation, refused or failed at once.
    pub fn failed(mut self, error: &str) -> Self {
        self.state = OperationState::Failed;
        self.report = Some(json!({ "error": error }));
        self
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

    /// The event at its end; `None` while it is under way. The error of what took time stays in the report, since it
    /// may quote an event.
    pub fn ended(&self) -> Option<OperationEvent> {
        self.end(None)
    }

    /// The event at the end of an operation that ended when it began, with the error of a failed one.
    pub fn ended_at_once(&self) -> Option<OperationEvent> {
        self.end(self.error())
    }

    fn end(&self, error: Option<String>) -> Option<OperationEvent> {
        let end = OperationEndedV1 {
            operation_id: self.id,
            verb: self.verb.clone(),
            target: self.target.clone(),
            handled: self.handled,
            skipped: self.skipped,
            failed: self.failed,
            error,
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

    /// The error of a failed one, from its report.
    fn error(&self) -> Option<String> {
        let error = self.report.as_ref()?.get("error")?.as_str()?;
        Some(error.to_owned()).filter(|_| self.state == OperationState::Failed)
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
