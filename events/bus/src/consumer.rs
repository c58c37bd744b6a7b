use std::{fmt, sync::Arc};

use futures_util::future::BoxFuture;
use sqlx::{PgConnection, PgPool};
use tiffin_events::{Clock, Stream};
use tokio_util::sync::CancellationToken;

use crate::{Broker, Failure, Received};

/// Turns an event into a change of the service's own state, within the transaction it is given and
/// nowhere else, so that running it again is safe.
pub trait Handler: Send + Sync + 'static {
    fn handle<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        event: &'a Received,
    ) -> BoxFuture<'a, Result<(), Failure>>;
}

/// A durable pull consumer of one stream for one service.
#[derive(Clone)]
pub struct Consumer {
    pub name: String,
    pub stream: Stream,
    pub subjects: Vec<String>,
    pool: PgPool,
    clock: Clock,
    handler: Arc<dyn Handler>,
}

impl fmt::Debug for Consumer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Consumer").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Consumer {
    /// Named `<service>_<stream>`; takes every subject of the stream.
    pub fn new(service: &str, stream: Stream, pool: PgPool, clock: Clock, handler: impl Handler) -> Self {
        Self {
            name: format!("{service}_{stream}"),
            stream,
            subjects: stream.subjects().iter().map(|subject| (*subject).to_owned()).collect(),
            pool,
            clock,
            handler: Arc::new(handler),
        }
    }

    /// Takes only the events of these aggregates (`"restaurant"`, `"item"`); always all events of an
    /// aggregate, since each one's version must follow the last.
    #[must_use]
    pub fn only(mut self, aggregates: &[&str]) -> Self {
        self.subjects = aggregates.iter().map(|aggregate| tiffin_events::subject::every(aggregate)).collect();
        self
    }

    /// Runs until `shutdown`, finishing what is in hand.
    pub async fn run(self, _broker: Broker, _shutdown: CancellationToken) {
        unimplemented!()
    }

    /// Feeds one event to the handler as the loop would, inbox, version guard and transaction
    /// included. Returns whether it changed anything.
    pub async fn feed(&self, _event: &Received) -> Result<bool, Failure> {
        unimplemented!()
    }
}
