//! The one way to change an aggregate: lock it, let a transition change it and return its events, save it,
//! and append the events to the outbox, all in the caller's transaction.

use sqlx::PgConnection;
use tiffin_events::{Clock, Event, UserId};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    publish::{
        outbox::{self, Cause, Outgoing},
        recorder::Recorder,
    },
    seal::SealError,
};

/// State that changes with events alone: an order, a dish, an account.
pub trait Aggregate: Clone + PartialEq + Send + Sync {
    type Event: Event;
    type Error: From<sqlx::Error> + From<SealError> + Send;

    fn id(&self) -> Uuid;

    /// The number of its events so far.
    fn version(&self) -> i64;

    /// The accounts whose open pages are out of date after the event. Those of the state before the event
    /// are added: an order leaves the list of a driver who lost it.
    fn concerned(&self, event: &Self::Event) -> Vec<UserId>;

    /// The order that its events belong to, for those who follow one order through all services.
    fn order(&self) -> Option<Uuid> {
        None
    }

    /// Rows that the relay publishes ahead of the events: audience entries, revocations.
    fn ahead_of_events(
        &self,
        _tx: &mut PgConnection,
        _change: &Change<'_, Self>,
    ) -> impl Future<Output = Result<Vec<Outgoing>, Self::Error>> + Send {
        std::future::ready(Ok(Vec::new()))
    }
}

/// An aggregate that one row holds, which [`change`] reads and saves.
pub trait StoredAggregate: Aggregate {
    /// The id, for some with the caller's rights.
    type Key: Send;
    /// The reason why a transition is refused.
    type Refusal: Into<Self::Error>;

    fn version_mut(&mut self) -> &mut i64;

    /// Reads the row and locks it until the transaction ends. A row that is not there is an error.
    fn lock(
        tx: &mut PgConnection,
        key: Self::Key,
    ) -> impl Future<Output = Result<Self, Self::Error>> + Send;

    /// Saves the row, which was `before` until now.
    fn save(
        &self,
        tx: &mut PgConnection,
        before: &Self,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send;
}

/// Events of one aggregate that follow one another, and the state before the first of them.
#[derive(Debug)]
pub struct Change<'a, A: Aggregate> {
    pub clock: &'a Clock,
    /// `None` for a new aggregate.
    pub before: Option<&'a A>,
    pub events: &'a [A::Event],
    /// The time of the last event.
    pub at: OffsetDateTime,
}

/// Changes an aggregate. `transition` changes the state and returns the events of the change, or refuses.
/// Returns the state after the change. Without a difference and without events, nothing is saved.
pub async fn change<A: StoredAggregate>(
    tx: &mut PgConnection,
    recorder: &Recorder,
    cause: &Cause,
    key: A::Key,
    transition: impl FnOnce(&mut A) -> Result<Vec<A::Event>, A::Refusal>,
) -> Result<A, A::Error> {
    let before = A::lock(tx, key).await?;
    let mut after = before.clone();
    let events = transition(&mut after).map_err(Into::into)?;
    if events.is_empty() && after == before {
        return Ok(after);
    }
    *after.version_mut() += count(&events);
    after.save(tx, &before).await?;
    record(tx, recorder, cause, Some(&before), &after, &events).await?;
    Ok(after)
}

/// Appends the events of a saved change to the outbox. `before` is `None` for a new aggregate.
pub async fn record<A: Aggregate>(
    tx: &mut PgConnection,
    recorder: &Recorder,
    cause: &Cause,
    before: Option<&A>,
    after: &A,
    events: &[A::Event],
) -> Result<(), A::Error> {
    let rows = outgoing(tx, recorder, cause, before, after, events).await?;
    Ok(outbox::append(tx, &rows).await?)
}

/// The outbox rows of a saved change, for a caller who appends those of several aggregates in one statement.
pub async fn outgoing<A: Aggregate>(
    tx: &mut PgConnection,
    recorder: &Recorder,
    cause: &Cause,
    before: Option<&A>,
    after: &A,
    events: &[A::Event],
) -> Result<Vec<Outgoing>, A::Error> {
    let cause = match after.order() {
        Some(order) => cause.clone().about(order),
        None => cause.clone(),
    };
    let first = after.version() - count(events) + 1;
    let mut rows = Vec::with_capacity(events.len());
    for (sequence, event) in (first..).zip(events) {
        let row = Outgoing::event(recorder, &cause, after.id(), sequence, event)
            .await?
            .hint(after.concerned(event))
            .hint(before.map(|it| it.concerned(event)).unwrap_or_default());
        rows.push(row);
    }
    let clock = &recorder.clock;
    let change = Change {
        clock,
        before,
        events,
        at: rows.last().map_or_else(|| clock.now(), Outgoing::time),
    };
    let mut all = after.ahead_of_events(tx, &change).await?;
    all.append(&mut rows);
    Ok(all)
}

fn count<E>(events: &[E]) -> i64 {
    i64::try_from(events.len()).unwrap_or(i64::MAX)
}
