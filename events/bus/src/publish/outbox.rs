//! The outbox: events committed in the transaction of the change that they record.

use std::time::Duration;

use serde::Serialize;
use sqlx::PgConnection;
use tiffin_events::{
    Clock, Envelope, Event, UserId,
    audience::{Audience, KEPT_AFTER},
    revocation::Revocation,
    subject,
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    publish::recorder::Recorder,
    seal::{Keys, SealError},
};

/// The cause of a change: its actor, its order and the event that led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The user's id, or `tiffin/<service>`.
    pub actor: String,
    /// The order it belongs to.
    pub correlation: Option<Uuid>,
    /// The event it follows from.
    pub causation: Option<Uuid>,
    /// W3C Trace Context.
    pub traceparent: Option<String>,
}

impl Cause {
    /// A user's request.
    pub fn user(id: UserId, traceparent: Option<String>) -> Self {
        Self {
            actor: id.to_string(),
            correlation: None,
            causation: None,
            traceparent,
        }
    }

    /// A service's own doing.
    pub fn service(name: &str) -> Self {
        Self {
            actor: format!("tiffin/{name}"),
            correlation: None,
            causation: None,
            traceparent: None,
        }
    }

    /// The cause of a change that follows from an event: it keeps the actor, order and trace.
    pub fn event<D>(event: &Envelope<D>) -> Self {
        Self {
            actor: event.actor.clone(),
            correlation: event.correlationid,
            causation: Some(event.id),
            traceparent: event.traceparent.clone(),
        }
    }

    /// The same cause, for an order.
    #[must_use]
    pub fn about(mut self, order: Uuid) -> Self {
        self.correlation = Some(order);
        self
    }
}

/// One row for the outbox: an event, or an entry of the audience bucket.
#[derive(Clone, Debug)]
pub struct Outgoing {
    event_id: Uuid,
    subject: String,
    /// Rows of one aggregate are published in order.
    aggregate: Uuid,
    body: String,
    audience: Vec<Uuid>,
    created_at: OffsetDateTime,
    /// Seconds that the broker keeps it for.
    keep: Option<i32>,
}

impl Outgoing {
    /// An event of the aggregate `id`, whose number there is `sequence`. Its personal fields are sealed.
    pub async fn event<E: Event>(
        recorder: &Recorder,
        cause: &Cause,
        id: Uuid,
        sequence: i64,
        event: &E,
    ) -> Result<Self, SealError> {
        let clock = &recorder.clock;
        let mut envelope = Envelope {
            correlationid: cause.correlation,
            causationid: cause.causation,
            traceparent: cause.traceparent.clone(),
            ..Envelope::new(clock, id, sequence, cause.actor.clone(), event)?
        };
        recorder.keys.seal(&mut envelope).await?;
        Ok(Self {
            event_id: envelope.id,
            subject: subject::event(E::AGGREGATE, id, event.name()),
            aggregate: id,
            body: serde_json::to_string(&envelope)?,
            audience: Vec::new(),
            created_at: envelope.time,
            keep: None,
        })
    }

    /// The end of a user's tokens that were issued at or before `at`.
    pub fn revocation(
        clock: &Clock,
        user_id: UserId,
        at: OffsetDateTime,
    ) -> serde_json::Result<Self> {
        Ok(Self {
            event_id: clock.new_id(),
            subject: subject::revocation(user_id),
            aggregate: user_id.0,
            body: serde_json::to_string(&Revocation { user_id, at })?,
            audience: Vec::new(),
            created_at: clock.now(),
            keep: None,
        })
    }

    /// The time of the change.
    pub fn time(&self) -> OffsetDateTime {
        self.created_at
    }

    /// The correction of an event that some consumer can't handle: it has the same subject, aggregate and sequence, and
    /// another id. Its personal fields are sealed.
    pub async fn correction(
        keys: &Keys,
        subject: &str,
        mut envelope: Envelope,
    ) -> Result<Self, SealError> {
        keys.seal(&mut envelope).await?;
        Ok(Self {
            event_id: envelope.id,
            subject: subject.to_owned(),
            aggregate: envelope.subject,
            body: serde_json::to_string(&envelope)?,
            audience: Vec::new(),
            created_at: envelope.time,
            keep: None,
        })
    }

    /// An entry of the audience bucket (`tiffin_events::audience`), published before the events of
    /// `aggregate` that are appended after it.
    pub fn entry(
        clock: &Clock,
        key: &str,
        aggregate: Uuid,
        value: &impl Serialize,
    ) -> serde_json::Result<Self> {
        Ok(Self {
            event_id: clock.new_id(),
            subject: subject::audience(key),
            aggregate,
            body: serde_json::to_string(value)?,
            audience: Vec::new(),
            created_at: clock.now(),
            keep: None,
        })
    }

    /// The entry of a watched aggregate. The broker deletes it some hours after the aggregate's end.
    pub fn audience(
        clock: &Clock,
        key: &str,
        aggregate: Uuid,
        audience: &Audience,
    ) -> serde_json::Result<Self> {
        let entry = Self::entry(clock, key, aggregate, audience)?;
        Ok(if audience.active {
            entry
        } else {
            entry.kept_for(KEPT_AFTER)
        })
    }

    /// The same row, which the broker deletes after this time; whole seconds.
    #[must_use]
    pub fn kept_for(mut self, time: Duration) -> Self {
        self.keep = i32::try_from(time.as_secs()).ok();
        self
    }

    /// The same event with what `change` adds to its envelope. The change must keep its id, subject and
    /// sequence, under which the outbox files it.
    pub fn amended(mut self, change: impl FnOnce(&mut Envelope)) -> serde_json::Result<Self> {
        let mut envelope = serde_json::from_str(&self.body)?;
        change(&mut envelope);
        self.body = serde_json::to_string(&envelope)?;
        Ok(self)
    }

    /// The users who get a hint, as PostgreSQL writes an array: arrays of arrays have no rows.
    fn audience_array(&self) -> String {
        let users: Vec<String> = self.audience.iter().map(Uuid::to_string).collect();
        format!("{{{}}}", users.join(","))
    }

    /// Sends these users a hint, too, once the broker has stored the event.
    #[must_use]
    pub fn hint(mut self, users: impl IntoIterator<Item = UserId>) -> Self {
        for UserId(user) in users {
            if !self.audience.contains(&user) {
                self.audience.push(user);
            }
        }
        self
    }
}

/// Outbox rows as the arguments of `bus.append`, for a statement that appends them with the change itself.
#[derive(Clone, Debug)]
pub struct Columns {
    pub event_ids: Vec<Uuid>,
    pub subjects: Vec<String>,
    pub aggregates: Vec<Uuid>,
    pub bodies: Vec<String>,
    pub audiences: Vec<String>,
    pub times: Vec<OffsetDateTime>,
    pub keep: Vec<Option<i32>>,
}

impl Columns {
    pub fn of(rows: &[Outgoing]) -> Self {
        Self {
            event_ids: rows.iter().map(|row| row.event_id).collect(),
            subjects: rows.iter().map(|row| row.subject.clone()).collect(),
            aggregates: rows.iter().map(|row| row.aggregate).collect(),
            bodies: rows.iter().map(|row| row.body.clone()).collect(),
            audiences: rows.iter().map(Outgoing::audience_array).collect(),
            times: rows.iter().map(|row| row.created_at).collect(),
            keep: rows.iter().map(|row| row.keep).collect(),
        }
    }
}

/// Appends to the outbox in the caller's transaction, in one statement, in the order given.
pub async fn append(tx: &mut PgConnection, outgoing: &[Outgoing]) -> sqlx::Result<()> {
    if outgoing.is_empty() {
        return Ok(());
    }
    let rows = Columns::of(outgoing);
    sqlx::query_scalar!(
        r#"select bus.append($1, $2, $3, $4, $5, $6, $7) as "rows!""#,
        &rows.event_ids,
        &rows.subjects,
        &rows.aggregates,
        &rows.bodies,
        &rows.audiences,
        &rows.times,
        &rows.keep as &[Option<i32>],
    )
    .fetch_one(tx)
    .await?;
    Ok(())
}
