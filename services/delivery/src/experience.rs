//! What past deliveries teach, kept for some minutes: it changes slowly.

use std::{sync::Arc, time::Duration};

use sqlx::PgPool;
use tiffin_events::Clock;
use tokio::{sync::Mutex, time::Instant};

use crate::{forecast::Learned, store::forecasts};

/// The time for which it is kept.
const FRESH: Duration = Duration::from_mins(5);

/// Reads what past deliveries teach.
#[derive(Clone, Debug)]
pub(crate) struct Experience {
    pool: PgPool,
    clock: Clock,
    latest: Arc<Mutex<Option<Reading>>>,
}

/// What past deliveries taught at a moment.
type Reading = (Instant, Arc<Learned>);

impl Experience {
    pub fn new(pool: PgPool, clock: Clock) -> Self {
        Self {
            pool,
            clock,
            latest: Arc::default(),
        }
    }

    /// What past deliveries teach, some minutes old at most.
    pub async fn learned(&self) -> sqlx::Result<Arc<Learned>> {
        let mut latest = self.latest.lock().await;
        if let Some((read_at, learned)) = &*latest
            && read_at.elapsed() < FRESH
        {
            return Ok(learned.clone());
        }
        let mut connection = self.pool.acquire().await?;
        let learned = Arc::new(forecasts::learn(&mut connection, self.clock.now()).await?);
        *latest = Some((Instant::now(), learned.clone()));
        Ok(learned)
    }
}
