//! The moment when every event is published and handled, and the commits until then.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use anyhow::{Result, bail};
use async_nats::jetstream::{self, consumer};
use futures_util::TryStreamExt;
use sqlx::{
    PgPool,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use tiffin_bus::Broker;
use tiffin_events::{Stream, services};

use super::platform::RunFile;

const SETTLE_TIMEOUT: Duration = Duration::from_mins(5);
/// PostgreSQL counts a session's commits when it has been idle for ten seconds, at the latest.
const COUNT_DELAY: Duration = Duration::from_secs(11);

pub struct SettleWatch {
    jetstream: jetstream::Context,
    pools: Vec<PgPool>,
}

impl SettleWatch {
    pub async fn new(running: &RunFile) -> Result<Self> {
        let broker = Broker::connect(&running.nats.url, "bench").await?;
        let mut pools = Vec::new();
        for service in services::with_database() {
            let options: PgConnectOptions = running.database(service.name)?.parse()?;
            let pool = PgPoolOptions::new().max_connections(1);
            pools.push(pool.connect_with(options).await?);
        }
        Ok(Self {
            jetstream: broker.jetstream,
            pools,
        })
    }

    /// Closes its connections, which are memory of the database server.
    pub async fn close(self) {
        for pool in self.pools {
            pool.close().await;
        }
    }

    /// Waits until nothing waits, and returns how long that took.
    pub async fn until_settled(&self) -> Result<Duration> {
        let began = Instant::now();
        while self.waits().await? {
            if began.elapsed() > SETTLE_TIMEOUT {
                bail!(
                    "the platform is not done within {} s",
                    SETTLE_TIMEOUT.as_secs()
                );
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(began.elapsed())
    }

    async fn waits(&self) -> Result<bool> {
        for pool in &self.pools {
            let sql = "select exists (select from bus.outbox where published_at is null)";
            if sqlx::query_scalar(sql).fetch_one(pool).await? {
                return Ok(true);
            }
        }
        for stream in Stream::ALL.into_iter().filter(|stream| stream.is_history()) {
            let stream = self.jetstream.get_stream(stream.name()).await?;
            let consumers: Vec<consumer::Info> = stream.consumers().try_collect().await?;
            let behind = |info: &consumer::Info| info.num_pending > 0 || info.num_ack_pending > 0;
            let durable = |info: &&consumer::Info| info.config.durable_name.is_some();
            if consumers.iter().filter(durable).any(behind) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The commits of each database so far.
    pub async fn commits(&self) -> Result<BTreeMap<String, i64>> {
        tokio::time::sleep(COUNT_DELAY).await;
        let sql =
            "select datname::text, xact_commit from pg_stat_database where datname is not null";
        let Some(pool) = self.pools.first() else {
            return Ok(BTreeMap::new());
        };
        let rows: Vec<(String, i64)> = sqlx::query_as(sql).fetch_all(pool).await?;
        Ok(rows.into_iter().collect())
    }

    /// The commits of each database since then. Includes what an idle platform does meanwhile, and this
    /// watch's own queries.
    pub async fn commits_since(
        &self,
        before: &BTreeMap<String, i64>,
    ) -> Result<BTreeMap<String, i64>> {
        let mut now = self.commits().await?;
        for (name, count) in &mut now {
            *count -= before.get(name).copied().unwrap_or_default();
        }
        Ok(now)
    }
}
