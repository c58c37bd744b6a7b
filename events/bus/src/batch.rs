use std::{fmt, sync::Arc};

use futures_util::future::BoxFuture;
use sqlx::{PgConnection, PgPool};
use tiffin_events::Stream;
use tokio_util::sync::CancellationToken;

use crate::{Broker, Failure, Received};

/// Stores many messages at once. For streams without versions (positions), where running a message
/// again changes nothing by the handler's own comparison.
pub trait BatchHandler: Send + Sync + 'static {
    fn handle<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        events: &'a [Received],
    ) -> BoxFuture<'a, Result<(), Failure>>;
}

/// A durable pull consumer that hands over whole batches, each in one transaction.
#[derive(Clone)]
pub struct BatchConsumer {
    pub name: String,
    pub stream: Stream,
    pool: PgPool,
    handler: Arc<dyn BatchHandler>,
}

impl fmt::Debug for BatchConsumer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BatchConsumer").field("name", &self.name).finish_non_exhaustive()
    }
}

impl BatchConsumer {
    pub fn new(service: &str, stream: Stream, pool: PgPool, handler: impl BatchHandler) -> Self {
        Self { name: format!("{service}_{stream}"), stream, pool, handler: Arc::new(handler) }
    }

    /// Runs until `shutdown`, finishing what is in hand.
    pub async fn run(self, _broker: Broker, _shutdown: CancellationToken) {
        unimplemented!()
    }
}
