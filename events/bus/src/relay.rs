use std::time::Duration;

use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

use crate::Broker;

/// Publishes a database's outbox: one relay at a time (advisory lock), woken by LISTEN/NOTIFY, in
/// order within each aggregate, with many acknowledgements in flight.
#[derive(Clone, Debug)]
pub struct Relay {
    pool: PgPool,
    broker: Broker,
}

impl Relay {
    pub fn new(pool: PgPool, broker: Broker) -> Self {
        Self { pool, broker }
    }

    /// Runs until `shutdown`, whatever fails on the way.
    pub async fn run(self, _shutdown: CancellationToken) {
        unimplemented!()
    }

    /// How long the oldest unpublished row has waited; zero when there is none.
    pub async fn lag(_pool: &PgPool) -> sqlx::Result<Duration> {
        unimplemented!()
    }
}
