//! A copy of the statistics of past trips, kept for some minutes: they change slowly.

use std::{sync::Arc, time::Duration};

use sqlx::PgPool;
use tiffin_events::Clock;
use tokio::{sync::Mutex, time::Instant};

use crate::{forecast::TripStatistics, store::statistics};

/// The time for which they are kept.
const FRESH: Duration = Duration::from_mins(5);

/// Reads the statistics of past trips.
#[derive(Clone, Debug)]
pub(crate) struct StatisticsCache {
    pool: PgPool,
    clock: Clock,
    latest: Arc<Mutex<Option<Reading>>>,
}

/// Statistics, and the time at which they were read.
type Reading = (Instant, Arc<TripStatistics>);

impl StatisticsCache {
    pub fn new(pool: PgPool, clock: Clock) -> Self {
        Self {
            pool,
            clock,
            latest: Arc::default(),
        }
    }

    /// Returns the statistics, some minutes old at most.
    pub async fn read(&self) -> sqlx::Result<Arc<TripStatistics>> {
        let mut latest = self.latest.lock().await;
        if let Some((read_at, statistics)) = &*latest
            && read_at.elapsed() < FRESH
        {
            return Ok(statistics.clone());
        }
        let mut connection = self.pool.acquire().await?;
        let statistics = Arc::new(statistics::read(&mut connection, self.clock.now()).await?);
        *latest = Some((Instant::now(), statistics.clone()));
        Ok(statistics)
    }
}
