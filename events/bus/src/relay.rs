use std::{collections::BTreeMap, time::Duration};

use metrics::{counter, gauge};
use sqlx::{
    PgPool,
    postgres::{PgConnectOptions, PgListener, PgPoolOptions},
};
use tiffin_events::subject;
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

use crate::{
    Broker, fault, feed,
    publish::{self, Row},
};

/// Publishes a database's outbox: one relay at a time (advisory lock), woken by LISTEN/NOTIFY, in
/// order within each aggregate, a batch of each stream at once. What fails is tried again from the
/// first row that is not acknowledged; duplicates fall to `Nats-Msg-Id`.
///
/// It reads "not published yet", never "after the last id": ids are given out before their
/// transaction commits, so a late one would be skipped for ever.
#[derive(Clone, Debug)]
pub struct Relay {
    pool: PgPool,
    broker: Broker,
    service: &'static str,
}

/// The advisory lock that a database's relay holds.
const LOCK: i64 = 0x7469_6666_696e;
/// Rows a round; the broker takes at most 1,000 in a batch.
const ROUND: i64 = 500;
/// How often it looks without being woken.
const LOOK: Duration = Duration::from_secs(5);

/// How often a relay that is not the one tries to become it.
const STANDBY: Duration = Duration::from_secs(2);

/// Why a round ended early.
#[derive(Debug, thiserror::Error)]
enum RelayError {
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    #[error("broker: {0}")]
    Broker(#[from] crate::BrokerError),
    #[error("broker: {0}")]
    Feed(#[from] async_nats::PublishError),
}

impl Relay {
    pub fn new(pool: PgPool, broker: Broker, service: &'static str) -> Self {
        Self {
            pool,
            broker,
            service,
        }
    }

    /// Runs until `shutdown`, whatever fails on the way.
    pub async fn run(self, shutdown: CancellationToken) {
        let service = self.service;
        let mut failing = false;
        let mut pause = Duration::from_millis(100);
        loop {
            let ended = tokio::select! {
                () = shutdown.cancelled() => return,
                ended = self.lead(&mut failing, &mut pause) => ended,
            };
            if let Err(error) = ended {
                if !failing {
                    warn!(service, %error, "the relay waits; the outbox keeps what comes");
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
    async fn lead(&self, failing: &mut bool, pause: &mut Duration) -> Result<(), RelayError> {
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
        while !sqlx::query_scalar!("select pg_try_advisory_lock($1) as \"held!\"", LOCK)
            .fetch_one(&mut listener)
            .await?
        {
            tokio::time::sleep(STANDBY).await;
        }
        // Streams that refuse (they are full) hold up their own rows and nobody else's.
        let mut held = Held::default();
        loop {
            let published = self.round(&mut held).await?;
            if published > 0 {
                *pause = Duration::from_millis(100);
                continue;
            }
            if let Some(error) = held.error {
                return Err(error);
            }
            if std::mem::take(failing) {
                info!(service = self.service, "the relay goes on");
            }
            match tokio::time::timeout(LOOK, listener.try_recv()).await {
                Ok(Ok(Some(_))) => while listener.next_buffered().is_some() {},
                Ok(Ok(None)) => return Ok(()),
                Ok(Err(error)) => return Err(error.into()),
                Err(_) => {}
            }
        }
    }

    /// Publishes the oldest unpublished rows that are not held. Returns how many.
    async fn round(&self, held: &mut Held) -> Result<usize, RelayError> {
        let rows = self.unpublished(&held.families).await?;
        if rows.is_empty() {
            if held.families.is_empty() {
                gauge!("tiffin_outbox_lag_seconds", "service" => self.service).set(0.0);
            }
            return Ok(0);
        }
        fault::point("relay", "before_publish").await;
        let count = rows.len();
        for (family, group) in by_family(rows) {
            if let Err(error) = self.publish(&group).await {
                held.families.push(family);
                held.error = Some(error);
            }
        }
        Ok(count)
    }

    async fn publish(&self, rows: &[Row]) -> Result<(), RelayError> {
        let sequences = publish::rows(&self.broker, rows).await?;
        // Before the rows are marked, so that a crash tells people twice rather than never. What is only
        // put back into a lost stream is nobody's news.
        let news: Vec<Row> = rows.iter().filter(|row| !row.again).cloned().collect();
        feed::tell(&self.broker, &news).await?;
        self.mark(rows, &sequences).await?;
        counter!("tiffin_relay_published_total", "service" => self.service)
            .increment(rows.len() as u64);
        Ok(())
    }

    async fn unpublished(&self, held: &[String]) -> Result<Vec<Row>, RelayError> {
        let rows = sqlx::query!(
            r#"select id, event_id, subject, body, audience,
                    stream_sequence is not null as "again!"
             from bus.outbox
             where published_at is null
               and split_part(subject, '.', 1) || '.' || split_part(subject, '.', 2) <> all ($2)
             order by id limit $1"#,
            ROUND,
            held,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows
            .into_iter()
            .map(|row| Row {
                id: row.id,
                event_id: row.event_id,
                subject: row.subject,
                body: row.body.into(),
                audience: row.audience,
                again: row.again,
            })
            .collect())
    }

    async fn mark(&self, rows: &[Row], sequences: &[u64]) -> Result<(), RelayError> {
        let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
        let sequences: Vec<i64> = sequences
            .iter()
            .map(|sequence| i64::try_from(*sequence).unwrap_or(i64::MAX))
            .collect();
        sqlx::query!(
            "update bus.outbox o set published_at = now(), stream_sequence = r.sequence
             from unnest($1::bigint[], $2::bigint[]) as r (id, sequence) where o.id = r.id",
            &ids,
            &sequences,
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// How long the oldest unpublished row has waited; zero when there is none.
    pub async fn lag(pool: &PgPool) -> sqlx::Result<Duration> {
        let seconds = sqlx::query_scalar!(
            "select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as \"seconds!\"
             from bus.outbox where published_at is null"
        )
        .fetch_one(pool)
        .await?;
        Ok(Duration::try_from_secs_f64(seconds).unwrap_or_default())
    }
}

/// Families of subjects whose stream refused, until the relay starts anew.
#[derive(Default)]
struct Held {
    families: Vec<String>,
    error: Option<RelayError>,
}

/// Rows by what they are about, each group in order. The audience bucket sorts first (`$KV` before
/// `tiffin`), so that who is told of an event may already watch it; an aggregate's events share one.
fn by_family(rows: Vec<Row>) -> BTreeMap<String, Vec<Row>> {
    let mut groups: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for row in rows {
        groups
            .entry(subject::family(&row.subject).to_owned())
            .or_default()
            .push(row);
    }
    groups
}
