//! The check of the order of an import's events: each aggregate's versions have no gaps.

use std::collections::HashMap;

use sqlx::PgConnection;
use tiffin_bus::read::Logged;
use tiffin_events::{Envelope, Stream};
use uuid::Uuid;

use super::check::Line;
use crate::{
    Error, chain,
    store::imports::{self, Taken},
};

/// The stored events and last versions of an import that matter to the lines of a call.
#[derive(Debug, Default)]
pub struct Known {
    events: HashMap<Uuid, Taken>,
    reached: HashMap<Uuid, i64>,
}

/// Lines that are new to the import, each with the facts to note.
pub type Fresh = Vec<(Logged, Taken)>;

impl Known {
    /// Reads what the import `id` has stored of the events and aggregates that these lines name.
    pub async fn of(tx: &mut PgConnection, id: Uuid, lines: &[Line]) -> sqlx::Result<Self> {
        let named = |line: &Line| [Some(line.envelope.id), line.envelope.causationid];
        let events: Vec<Uuid> = lines.iter().flat_map(named).flatten().collect();
        let aggregates: Vec<Uuid> = lines.iter().map(|line| line.envelope.subject).collect();
        let known = imports::known(tx, id, &events).await?;
        let reached = imports::reached(tx, id, &aggregates).await?;
        Ok(Self {
            events: known.into_iter().map(|one| (one.event, one)).collect(),
            reached: reached.into_iter().collect(),
        })
    }

    /// The lines that the import has not stored yet, in their order. The error names a line that does not
    /// continue the import, and the reason.
    pub fn follow(mut self, stream: Stream, lines: Vec<(usize, Line)>) -> Result<Fresh, Refused> {
        let mut fresh = Vec::new();
        for (number, Line { logged, envelope }) in lines {
            let taken = taken(&logged, &envelope)?;
            if let Some(known) = self.events.get(&taken.event) {
                if *known == taken {
                    continue;
                }
                let reason = format!("another event has the id {}", taken.event);
                return Err(Refused::Line(number, reason));
            }
            // The version of a position is its time, so gaps are normal.
            if stream.is_history() {
                self.version(&taken, &envelope)
                    .map_err(|reason| Refused::Line(number, reason))?;
            }
            let reached = self.reached.entry(taken.aggregate).or_default();
            *reached = taken.version.max(*reached);
            self.events.insert(taken.event, taken.clone());
            fresh.push((logged, taken));
        }
        Ok(fresh)
    }

    /// Checks that the version is the next one, or that of an earlier event which this one corrects.
    fn version(&self, taken: &Taken, envelope: &Envelope) -> Result<(), String> {
        let (id, version) = (taken.aggregate, taken.version);
        let Some(reached) = self.reached.get(&id) else {
            // Of a deleted account only its last event is left.
            if version == 1 || envelope.kind == "tiffin.user.deleted.v1" {
                return Ok(());
            }
            return Err(format!("{id} begins with version {version} and not with 1"));
        };
        if version == reached + 1 {
            return Ok(());
        }
        let cause = envelope.causationid.and_then(|id| self.events.get(&id));
        let mends = |old: &Taken| old.aggregate == id && old.version == version;
        if version <= *reached && cause.is_some_and(mends) {
            return Ok(());
        }
        Err(format!("version {version} of {id} comes after {reached}"))
    }
}

/// The reasons why lines are refused.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// The line's number, and what is wrong with it.
    #[error("Line {0}: {1}")]
    Line(usize, String),
    #[error(transparent)]
    Encoding(#[from] serde_json::Error),
}

/// The facts of an event that the import notes.
fn taken(logged: &Logged, envelope: &Envelope) -> serde_json::Result<Taken> {
    Ok(Taken {
        event: envelope.id,
        aggregate: envelope.subject,
        version: envelope.sequence,
        hash: chain::hash_of(&logged.envelope)?,
    })
}

/// The same for an event that is stored in the stream.
pub fn stored(logged: &Logged) -> Result<Taken, Error> {
    let envelope = serde_json::from_value(logged.envelope.clone())?;
    Ok(taken(logged, &envelope)?)
}
