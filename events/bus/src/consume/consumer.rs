use std::{
    any::Any,
    collections::HashSet,
    fmt,
    panic::AssertUnwindSafe,
    sync::{Arc, LazyLock},
};

use futures_util::{FutureExt, future::BoxFuture};
use sqlx::{PgConnection, PgPool};
use tiffin_events::{Clock, Stream, catalogue, subject};

use crate::{
    Failure, Received,
    consume::{
        apply::{self, Applied},
        erase_account::erase_account,
    },
};

/// Turns events into a change of the service's own state, within the transaction that it gets and
/// nowhere else, so that running it again is safe.
///
/// Each method gets the events of each aggregate in order. A busy consumer passes many at once, and a rebuild
/// thousands: a handler of a stream that grows without end folds them first and writes in a few statements
/// (`unnest`), because a round trip for each event would take a minute instead of a second. Events of
/// different aggregates must not depend on each other's order. A batch that fails is undone and passed again
/// in halves, until only the aggregate of the failing event stays behind.
///
/// An imported event is the history of another platform: `handle` never gets it, and `project` only where the
/// consumer keeps a read model.
pub trait Handler: Send + Sync + 'static {
    fn handle<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        events: &'a [Received],
    ) -> BoxFuture<'a, Result<(), Failure>>;

    /// Writes only the rows that the service keeps of others' events (the tables of
    /// [`Consumer::projects`]). A rebuild calls it, and nothing else may happen then. `handle` calls it
    /// for that part of its work; by default that part is all of it.
    fn project<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        events: &'a [Received],
    ) -> BoxFuture<'a, Result<(), Failure>> {
        self.handle(tx, events)
    }
}

/// A durable pull consumer of one stream for one service. [`Consumer::run`] is its loop.
#[derive(Clone)]
pub struct Consumer {
    /// `<service>_<stream>`.
    pub name: String,
    pub stream: Stream,
    pub subjects: Vec<String>,
    /// The tables that its read model consists of.
    pub(crate) tables: &'static [&'static str],
    pub(crate) pool: PgPool,
    clock: Clock,
    handler: Arc<dyn Handler>,
    knows_type: fn(&str) -> bool,
}

impl fmt::Debug for Consumer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Consumer")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl Consumer {
    /// A consumer named `<service>_<stream>`, which takes every subject of the stream.
    pub fn new(
        service: &str,
        stream: Stream,
        pool: PgPool,
        clock: Clock,
        handler: impl Handler,
    ) -> Self {
        Self {
            name: format!("{service}_{stream}"),
            stream,
            subjects: stream
                .subjects()
                .iter()
                .map(|subject| (*subject).to_owned())
                .collect(),
            tables: &[],
            pool,
            clock,
            handler: Arc::new(handler),
            knows_type: is_in_catalogue,
        }
    }

    /// Takes only the events of these aggregates (`"restaurant"`, `"item"`); always all events of an
    /// aggregate, since each one's sequence must follow the last.
    #[must_use]
    pub fn only(mut self, aggregates: &[&str]) -> Self {
        self.subjects = aggregates
            .iter()
            .map(|aggregate| subject::every(aggregate))
            .collect();
        self
    }

    /// Knows other types of events than those of the catalogue, as another release does.
    #[must_use]
    pub fn knowing(mut self, knows_type: fn(&str) -> bool) -> Self {
        self.knows_type = knows_type;
        self
    }

    /// Names tables that hold nothing but the content of this consumer's events, and of other consumers'
    /// that name the same tables. They can be rebuilt. A rebuild projects only what this consumer has
    /// handled (`bus.reached`): handling the rest has other effects and is left to the consumer.
    #[must_use]
    pub fn projects(mut self, tables: &'static [&'static str]) -> Self {
        self.tables = tables;
        self
    }

    /// Passes one event to the handler as the loop would, check of the sequence and transaction included.
    /// Returns whether it was new. Without a stream to search, the first event of an
    /// aggregate may have any sequence.
    pub async fn deliver(&self, event: &Received) -> Result<bool, Failure> {
        match self.apply(event).await? {
            Applied::Now { .. } => Ok(true),
            Applied::Duplicate | Applied::Parked => Ok(false),
            Applied::Gap { reached: None } => {
                self.apply_after(event, event.envelope.sequence - 1).await
            }
            Applied::Gap {
                reached: Some(reached),
            } => Err(Failure::Retry(format!(
                "sequence {} came while {reached} was the last",
                event.envelope.sequence
            ))),
        }
    }

    /// Applies an event if it is the next of its aggregate.
    pub(crate) async fn apply(&self, event: &Received) -> Result<Applied, Failure> {
        let mut tx = tiffin_database::begin(&self.pool).await?;
        let applied = self.apply_in(&mut tx, event).await?;
        if matches!(applied, Applied::Now { .. } | Applied::Parked) {
            tx.commit().await?;
        }
        Ok(applied)
    }

    /// Applies an event if it is the next of its aggregate, in a transaction that the caller ends.
    pub(crate) async fn apply_in(
        &self,
        tx: &mut PgConnection,
        event: &Received,
    ) -> Result<Applied, Failure> {
        self.require_known(event)?;
        apply::apply_next(tx, self, event).await
    }

    /// Applies events if each is the next of its aggregate, in a transaction that the caller ends.
    /// Returns whether they were: if not, it has to be rolled back.
    pub(crate) async fn apply_batch(
        &self,
        tx: &mut PgConnection,
        events: &[Received],
    ) -> Result<bool, Failure> {
        for event in events {
            self.require_known(event)?;
        }
        if !apply::record_batch(tx, &self.name, events).await? {
            return Ok(false);
        }
        self.handle_or_project(tx, events).await?;
        Ok(true)
    }

    /// Has the handler handle events. Imported ones are only projected to the read model.
    pub(crate) async fn handle_or_project(
        &self,
        tx: &mut PgConnection,
        events: &[Received],
    ) -> Result<(), Failure> {
        for part in events.chunk_by(|one, next| one.is_imported == next.is_imported) {
            if part.iter().all(|event| !event.is_imported) {
                catch_panic(self.handler.handle(tx, part)).await?;
                for event in part {
                    erase_account(tx, self, event).await?;
                }
            } else if !self.tables.is_empty() {
                self.project(tx, part).await?;
            }
        }
        Ok(())
    }

    /// Writes only the read model's part of these events.
    pub(crate) async fn project(
        &self,
        tx: &mut PgConnection,
        events: &[Received],
    ) -> Result<(), Failure> {
        catch_panic(self.handler.project(tx, events)).await
    }

    /// Applies an event whose predecessors up to `sequence` are known to be gone for good.
    pub(crate) async fn apply_after(
        &self,
        event: &Received,
        sequence: i64,
    ) -> Result<bool, Failure> {
        let mut tx = tiffin_database::begin(&self.pool).await?;
        apply::skip_to(&mut tx, &self.name, event.envelope.subject, sequence).await?;
        let applied = apply::apply_next(&mut tx, self, event).await?;
        tx.commit().await?;
        Ok(matches!(applied, Applied::Now { .. }))
    }

    /// Refuses an event of an unknown type: the handler would pass over it, and its sequence would count as handled.
    fn require_known(&self, event: &Received) -> Result<(), Failure> {
        let kind = &event.envelope.kind;
        // A newer release may have the durable take more than this one does.
        let aggregate = event.aggregate();
        let is_taken = self
            .subjects
            .iter()
            .any(|one| subject::is_every(one, aggregate));
        if is_taken && (self.knows_type)(kind) {
            Ok(())
        } else {
            Err(Failure::UnknownType(kind.clone()))
        }
    }

    pub(crate) fn clock(&self) -> &Clock {
        &self.clock
    }
}

/// True if this release has the type in its catalogue.
fn is_in_catalogue(kind: &str) -> bool {
    static KINDS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
        let entries = catalogue::entries();
        entries.iter().map(|entry| entry.kind).collect()
    });
    KINDS.contains(kind)
}

/// Runs a handler. A panic fails its events and ends nothing else.
async fn catch_panic(handled: impl Future<Output = Result<(), Failure>>) -> Result<(), Failure> {
    AssertUnwindSafe(handled)
        .catch_unwind()
        .await
        .unwrap_or_else(|panic| {
            let reason = format!("the handler panicked: {}", panic_message(&*panic));
            tracing::error!(reason, "a handler panicked; its events are tried again");
            Err(Failure::Retry(reason))
        })
}

fn panic_message(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("without a message")
}
