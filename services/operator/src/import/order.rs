//! The order of an import's events: each aggregate's versions have no gaps.

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

/// What an import has stored, as far as some lines ask for it.
#[derive(Debug, Default)]
pub struct Known {
    events: HashMap<Uuid, Taken>,
    reached: HashMap<Uuid, i64>,
}

/// Lines that are new to the import, each with what is noted of it.
pub type Fresh = Vec<(Logged, Taken)>;

impl Known {
    /// Reads what the import `id` has stored of these lines' events and aggregates.
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

    /// The lines that go on with what is known, in their order; those that are known already are left out.
    /// The error names the line and says why it does not go on.
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
            // A position's number is its time.
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

    /// Checks that the version is the next, or that of an event which this one puts right.
    fn version(&self, taken: &Taken, envelope: &Envelope) -> Result<(), String> {
        let (id, version) = (taken.aggregate, taken.version);
        let Some(reached) = self.reached.get(&id) else {
            // Of an account that is gone, its last event is all that is left.
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

/// Why lines do not go on.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// The line's number, and what is wrong with it.
    #[error("Line {0}: {1}")]
    Line(usize, String),
    #[error(transparent)]
    Encoding(#[from] serde_json::Error),
}

/// What is noted of an event.
fn taken(logged: &Logged, envelope: &Envelope) -> serde_json::Result<Taken> {
    Ok(Taken {
        event: envelope.id,
        aggregate: envelope.subject,
        version: envelope.sequence,
        hash: chain::hash_of(&logged.envelope)?,
    })
}

/// The same of an event that the stream holds.
pub fn stored(logged: &Logged) -> Result<Taken, Error> {
    let envelope = serde_json::from_value(logged.envelope.clone())?;
    Ok(taken(logged, &envelope)?)
}
