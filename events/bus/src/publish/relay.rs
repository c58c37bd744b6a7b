mod paused;
mod rows;

use std::{collections::HashMap, time::Duration};

use async_nats::connection::State;
use metrics::{counter, gauge};
use sqlx::{
    PgExecutor, PgPool,
    postgres::{PgConnectOptions, PgListener, PgPoolOptions},
};
use tiffin_events::{Stream, rights, services, subject};
use tokio_util::sync::CancellationToken;
use tracing::{debug, info, warn};

use crate::{
    Broker, fault,
    publish::{
        audience_entries, fill,
        heads::{self, Comparison, Head},
        hints,
        jetstream::{self, Conditions, OutboxRow, PublishError},
        size,
    },
    throttle::Throttle,
};
use paused::PausedFamilies;

/// Publishes a database's outbox. One relay leads at a time (advisory lock). LISTEN/NOTIFY wakes it while it
/// sleeps; a busy one looks by itself, since transactions that notify commit one after the other. It
/// keeps the order within each aggregate and publishes one batch per stream. After a failure it continues
/// with the first row that is not acknowledged; `Nats-Msg-Id` removes duplicates.
///
/// It reads "not published yet" and never "after the last id": ids are assigned before their transaction
/// commits, so a row that commits late would be skipped.
#[derive(Clone, Debug)]
pub struct Relay {
    pool: PgPool,
    broker: Broker,
    service: &'static str,
}

/// The advisory lock that a database's relay holds.
const LEADER_LOCK: i64 = 0x7469_6666_696e;
/// The advisory lock that a sleeping relay holds; transactions that append share it while none sleeps
/// (`bus.wake_relay`).
const SLEEP_LOCK: i64 = LEADER_LOCK + 1;
/// The most rows of a round; the broker takes at most 1,000 in a batch.
const MAX_ROUND: u16 = 500;
/// The interval of a busy relay's rounds. While whole rounds wait there is none.
const ROUND_INTERVAL: Duration = Duration::from_millis(20);
/// The interval of polls without a notification.
const POLL_INTERVAL: Duration = Duration::from_secs(5);

/// The interval at which a standby tries to become the leader.
const STANDBY_INTERVAL: Duration = Duration::from_secs(2);
/// The time-out of one batch. Another process may succeed after it.
const BATCH_TIMEOUT: Duration = Duration::from_secs(30);
/// The interval of measuring the outbox.
const MEASURE_INTERVAL: Duration = Duration::from_secs(10);

/// The reason why a round ended early.
#[derive(Debug, thiserror::Error)]
enum RelayError {
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    #[error("broker: {0}")]
    Publish(#[from] PublishError),
    #[error("{0}")]
    Heads(#[from] heads::HeadsError),
    #[error("broker: {0}")]
    Hint(#[from] async_nats::PublishError),
    #[error("the broker is not connected")]
    NotConnected,
    #[error("the broker did not take a batch within {} s", BATCH_TIMEOUT.as_secs())]
    BatchTimeout,
}

impl Relay {
    pub fn new(pool: PgPool, broker: Broker, service: &'static str) -> Self {
        Self {
            pool,
            broker,
            service,
        }
    }

    /// Runs until `shutdown`; a failure does not end it.
    pub async fn run(self, shutdown: CancellationToken) {
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = self.measure() => {}
            () = fill::measure(&self.broker, self.service) => {}
            () = self.publish_all(&shutdown) => {}
        }
    }

    /// Measures the age of the oldest unpublished row, and the outbox's bytes; every process does, leader or not.
    async fn measure(&self) {
        let mut tick = tokio::time::interval(MEASURE_INTERVAL);
        loop {
            tick.tick().await;
            if let Err(error) = self.measure_once().await {
                debug!(service = self.service, %error, "the outbox and the known streams can't be measured");
            }
        }
    }

    /// The reads share a connection: one that goes back to the pool is not there for the next statement yet.
    async fn measure_once(&self) -> sqlx::Result<()> {
        let mut connection = self.pool.acquire().await?;
        heads::measure(&mut *connection, self.service).await?;
        let lag = Self::lag(&mut *connection).await?;
        gauge!("tiffin_outbox_lag_seconds", "service" => self.service).set(lag.as_secs_f64());
        let size = size::of(&mut *connection).await?;
        size::report(self.service, size);
        Ok(())
    }

    async fn publish_all(&self, shutdown: &CancellationToken) {
        let service = self.service;
        let mut failing = false;
        let mut pause = Duration::from_millis(100);
        let mut paused = PausedFamilies::default();
        loop {
            let ended = tokio::select! {
                () = shutdown.cancelled() => return,
                ended = self.lead(&mut failing, &mut pause, &mut paused) => ended,
            };
            if let Err(error) = ended {
                if !failing {
                    warn!(service, %error, "the relay can't publish and tries again; the outbox keeps new events");
                    failing = true;
                }
                counter!("tiffin_relay_failures_total", "service" => service).increment(1);
                tokio::select! {
                    () = shutdown.cancelled() => return,
                    () = tokio::time::sleep(pause) => {}
                }
                pause = (pause * 2).min(Duration::from_secs(5));
            }
        }
    }

    /// Becomes the one relay of this database and publishes until something fails.
    async fn lead(
        &self,
        failing: &mut bool,
        pause: &mut Duration,
        paused: &mut PausedFamilies,
    ) -> Result<(), RelayError> {
        // The lock lives on the listener's own connection: losing one loses both. It is no connection
        // of the pool, which would take it back with the lock still held.
        let options = PgConnectOptions::clone(&self.pool.connect_options());
        let own = PgPoolOptions::new()
            .max_connections(1)
            .max_lifetime(None)
            .idle_timeout(None);
        let mut listener = PgListener::connect_with(&own.connect_with(options).await?).await?;
        listener.eager_reconnect(false);
        listener.listen("outbox").await?;
        while !sqlx::query_scalar!("select pg_try_advisory_lock($1) as \"held!\"", LEADER_LOCK)
            .fetch_one(&mut listener)
            .await?
        {
            tokio::time::sleep(STANDBY_INTERVAL).await;
        }
        self.compare_all().await?;
        let mut throttle = Throttle::new(ROUND_INTERVAL);
        // A relay is busy once it finds rows twice in a row.
        let (mut is_asleep, mut was_busy) = (false, false);
        loop {
            let published = self.round(paused).await?;
            if published > 0 {
                *pause = Duration::from_millis(100);
                if is_asleep && was_busy {
                    wake_up(&mut listener).await?;
                    is_asleep = false;
                }
                was_busy = true;
                if published < usize::from(MAX_ROUND) {
                    throttle.wait().await;
                }
                continue;
            }
            was_busy = false;
            if paused.is_empty() && std::mem::take(failing) {
                info!(service = self.service, "the relay goes on");
            }
            if !is_asleep {
                is_asleep = fall_asleep(&mut listener).await?;
                if !is_asleep {
                    // A transaction that appends has not ended yet.
                    tokio::time::sleep(ROUND_INTERVAL).await;
                }
                continue;
            }
            let pause = paused
                .next()
                .map_or(POLL_INTERVAL, |end| POLL_INTERVAL.min(end));
            match tokio::time::timeout(pause, listener.try_recv()).await {
                Ok(Ok(Some(_))) => while listener.next_buffered().is_some() {},
                Ok(Ok(None)) => return Ok(()),
                Ok(Err(error)) => return Err(error.into()),
                Err(_) => {}
            }
        }
    }

    /// Publishes the oldest unpublished rows, without paused families. Returns their number. Fails if all were refused,
    /// so that another process may try.
    async fn round(&self, paused: &mut PausedFamilies) -> Result<usize, RelayError> {
        let mut connection = self.pool.acquire().await?;
        let mut heads = heads::all(&mut *connection).await?;
        let stopped = heads.iter().filter(|(_, head)| head.is_stopped);
        let stopped = stopped.flat_map(|(stream, _)| heads::families_of(*stream));
        let mut left = paused.families();
        left.extend(stopped.map(str::to_owned));
        let rows = rows::unpublished(&mut *connection, &left).await?;
        drop(connection);
        if rows.is_empty() {
            paused.end_pauses();
            return Ok(0);
        }
        fault::point("relay", "before_publish").await;
        let mut published = 0;
        let mut refused = None;
        for (family, group) in rows::by_family(rows) {
            let stream = heads::stream_of(&family);
            match (self.publish(&group, stream, &heads).await, stream) {
                (Err(RelayError::Publish(PublishError::StreamMoved)), Some(stream)) => {
                    let known = heads.get(&stream).map_or(0, |head| head.sequence);
                    self.compare(stream, known).await?;
                    published += 1;
                }
                (Ok(last), _) => {
                    if let Some(head) = stream.and_then(|stream| heads.get_mut(&stream)) {
                        head.sequence = last;
                    }
                    paused.resume(&family);
                    published += group.len();
                }
                (Err(error), _) => {
                    debug!(service = self.service, family, %error, "a batch was not published; its family is paused");
                    paused.pause(family);
                    refused = Some(error);
                }
            }
        }
        match refused {
            Some(error) if published == 0 => Err(error),
            _ => Ok(published),
        }
    }

    /// The streams that this service alone publishes to.
    fn owns(&self, stream: Stream) -> bool {
        !services::NAMES.contains(&self.service) || rights::owns(self.service).contains(&stream)
    }

    /// Compares this database with its streams, before anything goes there.
    async fn compare_all(&self) -> Result<(), RelayError> {
        let heads = heads::all(&self.pool).await?;
        let own = Stream::ALL.into_iter().filter(|stream| {
            let is_known = heads.contains_key(stream);
            let is_listed = services::NAMES.contains(&self.service);
            stream.is_history() && self.owns(*stream) && (is_known || is_listed)
        });
        for stream in own {
            let head = heads.get(&stream).copied().unwrap_or_default();
            if !head.is_stopped {
                self.compare(stream, head.sequence).await?;
            }
        }
        Ok(())
    }

    /// Marks rows that the stream has already. Where the stream and this database differ, stops publishing to it.
    async fn compare(&self, stream: Stream, known: u64) -> Result<(), RelayError> {
        match heads::compare(&self.pool, &self.broker, stream, known).await? {
            Comparison::Same { unmarked, last } => {
                let ids: Vec<i64> = unmarked.iter().map(|(id, _)| *id).collect();
                let rows = rows::of(&self.pool, &ids).await?;
                let by_row: HashMap<i64, u64> = unmarked.into_iter().collect();
                let sequences: Vec<u64> = rows.iter().map(|row| by_row[&row.id]).collect();
                hints::send(&self.broker, &rows).await?;
                rows::mark(&self.pool, &rows, &sequences, None).await?;
                heads::set_known(&self.pool, stream, last).await?;
            }
            Comparison::NoStream => {}
            Comparison::Differs(trouble) => {
                let (pool, broker) = (&self.pool, &self.broker);
                heads::stop(pool, broker, self.service, stream, &trouble).await?;
            }
        }
        Ok(())
    }

    async fn publish(
        &self,
        rows: &[OutboxRow],
        stream: Option<Stream>,
        heads: &HashMap<Stream, Head>,
    ) -> Result<u64, RelayError> {
        // A client that is not connected keeps what it gets, and waits without an end.
        if self.broker.client.connection_state() != State::Connected {
            return Err(RelayError::NotConnected);
        }
        if subject::is_audience(&rows[0].subject) {
            return self.publish_audience(rows).await;
        }
        let own = stream.filter(|stream| self.owns(*stream));
        let known = match own {
            Some(stream) if rows.iter().all(|row| !row.is_republished) => heads.get(&stream),
            _ => None,
        };
        let conditions = Conditions {
            last: known.map(|head| head.sequence),
            is_correction: stream.is_some() && own.is_none(),
        };
        let published = jetstream::publish(&self.broker, rows, conditions);
        let published = tokio::time::timeout(BATCH_TIMEOUT, published);
        let sequences = published.await.map_err(|_| RelayError::BatchTimeout)??;
        // Before the rows are marked: after a crash accounts get a hint twice rather than never. Rows that
        // are republished to a lost stream are not new.
        let new_rows: Vec<OutboxRow> = rows
            .iter()
            .filter(|row| !row.is_republished)
            .cloned()
            .collect();
        hints::send(&self.broker, &new_rows).await?;
        rows::mark(&self.pool, rows, &sequences, own).await?;
        counter!("tiffin_relay_published_total", "service" => self.service)
            .increment(rows.len() as u64);
        Ok(sequences.last().copied().unwrap_or_default())
    }

    /// Publishes entries of the audience bucket, but for those that are older than what it has.
    async fn publish_audience(&self, rows: &[OutboxRow]) -> Result<u64, RelayError> {
        let sorted = audience_entries::sort(&self.broker, rows).await;
        let audience_entries::Sorted { newer, older } = sorted.map_err(PublishError::from)?;
        let (left, sequences): (Vec<OutboxRow>, Vec<u64>) = older.into_iter().unzip();
        if !left.is_empty() {
            warn!(
                service = self.service,
                entries = left.len(),
                "the audience bucket has newer entries; these are not published"
            );
            rows::mark(&self.pool, &left, &sequences, None).await?;
        }
        if newer.is_empty() {
            return Ok(0);
        }
        let published = jetstream::publish(&self.broker, &newer, Conditions::default());
        let published = tokio::time::timeout(BATCH_TIMEOUT, published);
        let sequences = published.await.map_err(|_| RelayError::BatchTimeout)??;
        rows::mark(&self.pool, &newer, &sequences, None).await?;
        counter!("tiffin_relay_published_total", "service" => self.service)
            .increment(newer.len() as u64);
        Ok(sequences.last().copied().unwrap_or_default())
    }

    /// The age of the oldest unpublished row; zero if there is none.
    pub async fn lag(database: impl PgExecutor<'_>) -> sqlx::Result<Duration> {
        let seconds = sqlx::query_scalar!(
            "select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as \"seconds!\"
             from bus.outbox where published_at is null"
        )
        .fetch_one(database)
        .await?;
        Ok(Duration::try_from_secs_f64(seconds).unwrap_or_default())
    }
}

/// Asks the transactions that append from now on to notify the relay, unless one is under way. Rows that it does
/// not notify of can be seen afterwards.
async fn fall_asleep(listener: &mut PgListener) -> sqlx::Result<bool> {
    sqlx::query_scalar!("select pg_try_advisory_lock($1) as \"asleep!\"", SLEEP_LOCK)
        .fetch_one(listener)
        .await
}

async fn wake_up(listener: &mut PgListener) -> sqlx::Result<()> {
    sqlx::query_scalar!("select pg_advisory_unlock($1)", SLEEP_LOCK)
        .fetch_one(listener)
        .await?;
    Ok(())
}
