use std::{fmt, sync::Arc};

use futures_util::future::BoxFuture;
use sqlx::{PgConnection, PgPool};
use tiffin_events::{Clock, Stream, subject};

use crate::{
    Failure, Received,
    apply::{self, Applied},
};

/// Turns an event into a change of the service's own state, within the transaction it is given and
/// nowhere else, so that running it again is safe.
pub trait Handler: Send + Sync + 'static {
    fn handle<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        event: &'a Received,
    ) -> BoxFuture<'a, Result<(), Failure>>;
}

/// A durable pull consumer of one stream for one service. [`Consumer::run`] is its loop.
#[derive(Clone)]
pub struct Consumer {
    /// `<service>_<stream>`.
    pub name: String,
    pub stream: Stream,
    pub subjects: Vec<String>,
    pub(crate) pool: PgPool,
    clock: Clock,
    handler: Arc<dyn Handler>,
}

impl fmt::Debug for Consumer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Consumer")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl Consumer {
    /// Named `<service>_<stream>`; takes every subject of the stream.
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
            pool,
            clock,
            handler: Arc::new(handler),
        }
    }

    /// Takes only the events of these aggregates (`"restaurant"`, `"item"`); always all events of an
    /// aggregate, since each one's version must follow the last.
    #[must_use]
    pub fn only(mut self, aggregates: &[&str]) -> Self {
        self.subjects = aggregates
            .iter()
            .map(|aggregate| subject::every(aggregate))
            .collect();
        self
    }

    /// Feeds one event to the handler as the loop would, inbox, version guard and transaction
    /// included. Returns whether it was new. Without a stream to look into, the first event of an
    /// aggregate may have any version.
    pub async fn feed(&self, event: &Received) -> Result<bool, Failure> {
        match self.apply(event).await? {
            Applied::Now => Ok(true),
            Applied::Before => Ok(false),
            Applied::Ahead { reached: None } => {
                self.apply_after(event, event.envelope.sequence - 1).await
            }
            Applied::Ahead {
                reached: Some(reached),
            } => Err(Failure::Retry(format!(
                "version {} came while {reached} was the last",
                event.envelope.sequence
            ))),
        }
    }

    /// Applies an event if it is the next of its aggregate.
    pub(crate) async fn apply(&self, event: &Received) -> Result<Applied, Failure> {
        let mut tx = self.pool.begin().await?;
        let applied =
            apply::in_order(&mut tx, &self.name, self.clock.now(), event, &*self.handler).await?;
        if applied == Applied::Now {
            tx.commit().await?;
        }
        Ok(applied)
    }

    /// Applies an event whose predecessors up to `sequence` are known to be gone for good.
    pub(crate) async fn apply_after(
        &self,
        event: &Received,
        sequence: i64,
    ) -> Result<bool, Failure> {
        let mut tx = self.pool.begin().await?;
        apply::skip_to(&mut tx, &self.name, event.envelope.subject, sequence).await?;
        let applied =
            apply::in_order(&mut tx, &self.name, self.clock.now(), event, &*self.handler).await?;
        tx.commit().await?;
        Ok(applied == Applied::Now)
    }

    pub(crate) fn clock(&self) -> &Clock {
        &self.clock
    }
}
