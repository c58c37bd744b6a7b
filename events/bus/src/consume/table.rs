//! A service's consumers as a table: streams, the aggregates taken from each, and the tables they fill.

use std::{fmt, sync::Arc};

use futures_util::future::BoxFuture;
use sqlx::{PgConnection, PgPool};
use tiffin_events::{Clock, Event, Stream};

use crate::{Consumer, Failure, Handler, Received};

/// An event of a known kind as it was received, and its payload.
pub type Decoded<'a, E> = (&'a Received, E);

/// Handles the events of one kind of aggregate. See [`Handler`] for what each method may do.
pub trait AggregateHandler<E: Event + 'static>: Send + Sync + 'static {
    /// The whole effect of the events. By default, that is to project them.
    fn handle(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, E>],
    ) -> impl Future<Output = Result<(), Failure>> + Send {
        self.project(tx, events)
    }

    /// Writes what the service keeps of the events: those of each aggregate in order, thousands at once.
    fn project(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, E>],
    ) -> impl Future<Output = Result<(), Failure>> + Send;
}

/// Makes a service's consumers, which share one handler.
#[derive(Debug)]
pub struct Consumers<H> {
    service: &'static str,
    pool: PgPool,
    clock: Clock,
    handler: Arc<H>,
}

impl<H: Send + Sync + 'static> Consumers<H> {
    pub fn new(service: &'static str, pool: &PgPool, clock: &Clock, handler: H) -> Self {
        Self {
            service,
            pool: pool.clone(),
            clock: clock.clone(),
            handler: Arc::new(handler),
        }
    }

    /// The consumer `<service>_<stream>`, which takes no aggregate yet.
    pub fn of(&self, stream: Stream) -> ConsumerRow<'_, H> {
        ConsumerRow {
            consumers: self,
            stream,
            entries: Vec::new(),
        }
    }
}

/// One consumer of the table.
#[derive(Debug)]
pub struct ConsumerRow<'a, H> {
    consumers: &'a Consumers<H>,
    stream: Stream,
    entries: Vec<AggregateEntry<H>>,
}

impl<H: Send + Sync + 'static> ConsumerRow<'_, H> {
    /// Takes the events of an aggregate of the stream. A rebuild projects the aggregates in this order.
    ///
    /// # Panics
    ///
    /// If the events are of another stream.
    #[must_use]
    pub fn on<E: Event + 'static>(mut self) -> Self
    where
        H: AggregateHandler<E>,
    {
        assert_eq!(E::STREAM, self.stream, "{} events", E::AGGREGATE);
        self.entries.push(AggregateEntry {
            aggregate: E::AGGREGATE,
            handle: handle::<H, E>,
            project: project::<H, E>,
        });
        self
    }

    /// The consumer, which fills these tables: [`Consumer::projects`].
    pub fn projects(self, tables: &'static [&'static str]) -> Consumer {
        let Consumers {
            service,
            pool,
            clock,
            handler,
        } = self.consumers;
        let aggregates: Vec<_> = self.entries.iter().map(|entry| entry.aggregate).collect();
        let table = Table {
            handler: Arc::clone(handler),
            entries: self.entries,
        };
        Consumer::new(service, self.stream, pool.clone(), clock.clone(), table)
            .only(&aggregates)
            .projects(tables)
    }
}

type HandlerFn<H> =
    for<'a> fn(&'a H, &'a mut PgConnection, &'a [Received]) -> BoxFuture<'a, Result<(), Failure>>;

/// The functions for the events of one kind of aggregate.
struct AggregateEntry<H> {
    aggregate: &'static str,
    handle: HandlerFn<H>,
    project: HandlerFn<H>,
}

impl<H> fmt::Debug for AggregateEntry<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.aggregate)
    }
}

struct Table<H> {
    handler: Arc<H>,
    entries: Vec<AggregateEntry<H>>,
}

impl<H: Send + Sync + 'static> Handler for Table<H> {
    fn handle<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        events: &'a [Received],
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            for entry in &self.entries {
                (entry.handle)(&self.handler, tx, events).await?;
            }
            Ok(())
        })
    }

    fn project<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        events: &'a [Received],
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            for entry in &self.entries {
                (entry.project)(&self.handler, tx, events).await?;
            }
            Ok(())
        })
    }
}

fn handle<'a, H: AggregateHandler<E>, E: Event + 'static>(
    handler: &'a H,
    tx: &'a mut PgConnection,
    events: &'a [Received],
) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        let events = Received::decode_all(events)?;
        if events.is_empty() {
            return Ok(());
        }
        handler.handle(tx, &events).await
    })
}

fn project<'a, H: AggregateHandler<E>, E: Event + 'static>(
    handler: &'a H,
    tx: &'a mut PgConnection,
    events: &'a [Received],
) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        let events = Received::decode_all(events)?;
        if events.is_empty() {
            return Ok(());
        }
        handler.project(tx, &events).await
    })
}
