//! The check of the order of an import's events: each aggregate's sequences have no gaps.

use std::collections::HashMap;

use sqlx::PgConnection;
use tiffin_bus::read::Logged;
use tiffin_events::{Envelope, Stream};
use uuid::Uuid;

use super::check::Line;
use crate::{
    Error, chain,
    store::imports::{self, ImportedEvent},
};

/// The stored events and last sequences of an import that matter to the lines of a call.
#[derive(Debug, Default)]
pub struct StoredEvents {
    events: HashMap<Uuid, ImportedEvent>,
    last_sequences: HashMap<Uuid, i64>,
}

/// Lines that are new to the import, each with the record to save.
pub type NewLines = Vec<(Logged, ImportedEvent)>;

impl StoredEvents {
    /// Reads what the import `id` has stored of the events and aggregates that these lines name.
    pub async fn read(tx: &mut PgConnection, id: Uuid, lines: &[Line]) -> sqlx::Result<Self> {
        let named = |line: &Line| [Some(line.envelope.id), line.envelope.causationid];
        let events: Vec<Uuid> = lines.iter().flat_map(named).flatten().collect();
        let aggregates: Vec<Uuid> = lines.iter().map(|line| line.envelope.subject).collect();
        let stored = imports::stored_of(tx, id, &events).await?;
        let last_sequences = imports::last_sequences(tx, id, &aggregates).await?;
        Ok(Self {
            events: stored.into_iter().map(|one| (one.event, one)).collect(),
            last_sequences: last_sequences.into_iter().collect(),
        })
    }

    /// The lines that the import has not stored yet, in their order. The error names a line that does not
    /// continue the import, and the reason.
    pub fn new_lines(
        mut self,
        stream: Stream,
        lines: Vec<(usize, Line)>,
    ) -> Result<NewLines, SequenceError> {
        let mut new_lines = Vec::new();
        for (number, Line { logged, envelope }) in lines {
            let event = record_of(&logged, &envelope)?;
            if let Some(stored) = self.events.get(&event.event) {
                if *stored == event {
                    continue;
                }
                let reason = format!("another event has the id {}", event.event);
                return Err(SequenceError::Line(number, reason));
            }
            // The sequence of a position is its time, so gaps are normal.
            if stream.is_history() {
                self.check_sequence(&event, &envelope)
                    .map_err(|reason| SequenceError::Line(number, reason))?;
            }
            let last = self.last_sequences.entry(event.aggregate).or_default();
            *last = event.sequence.max(*last);
            self.events.insert(event.event, event.clone());
            new_lines.push((logged, event));
        }
        Ok(new_lines)
    }

    /// Checks that the sequence is the next one, or that of an earlier event which this one corrects.
    fn check_sequence(&self, event: &ImportedEvent, envelope: &Envelope) -> Result<(), String> {
        let (id, sequence) = (event.aggregate, event.sequence);
        let Some(last) = self.last_sequences.get(&id) else {
            // Of a deleted account only its last event is left.
            if sequence == 1 || envelope.kind == "tiffin.user.deleted.v1" {
                return Ok(());
            }
            return Err(format!(
                "{id} begins with sequence {sequence} and not with 1"
            ));
        };
        if sequence == last + 1 {
            return Ok(());
        }
        let cause = envelope.causationid.and_then(|id| self.events.get(&id));
        let is_corrected = |old: &ImportedEvent| old.aggregate == id && old.sequence == sequence;
        if sequence <= *last && cause.is_some_and(is_corrected) {
            return Ok(());
        }
        Err(format!("sequence {sequence} of {id} comes after {last}"))
    }
}

/// The reasons why lines are refused.
#[derive(Debug, thiserror::Error)]
pub enum SequenceError {
    /// The line's number, and what is wrong with it.
    #[error("Line {0}: {1}")]
    Line(usize, String),
    #[error(transparent)]
    Encoding(#[from] serde_json::Error),
}

/// The record of an event that is stored in the stream.
pub fn imported_event(logged: &Logged) -> Result<ImportedEvent, Error> {
    let envelope = serde_json::from_value(logged.envelope.clone())?;
    Ok(record_of(logged, &envelope)?)
}

fn record_of(logged: &Logged, envelope: &Envelope) -> serde_json::Result<ImportedEvent> {
    Ok(ImportedEvent {
        event: envelope.id,
        aggregate: envelope.subject,
        sequence: envelope.sequence,
        hash: chain::hash_of(&logged.envelope)?,
    })
}
