//! The months: orders are recorded, events move to the archive, and a month that is over leaves the event log.

use std::time::{Duration, Instant};

use anyhow::Result;
use tiffin_bus::{Cause, Outgoing, outbox};
use tiffin_events::Clock;
use tiffin_operator::keep_window;

use super::{
    EVENTS_OF_ORDER, Options,
    platform::{Platform, until},
};
use crate::replay::orders::Lives;

/// Events that the order service records in a transaction.
const BATCH: u64 = 500;
/// Events that may wait for the relay.
const MAX_WAITING: i64 = 20_000;
const SAMPLE_INTERVAL: Duration = Duration::from_secs(2);
/// More than a month.
const MONTH: time::Duration = time::Duration::days(32);

/// Bytes of the hot part at one moment.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sizes {
    stream: u64,
    outbox: i64,
    log: i64,
}

impl Sizes {
    async fn now(platform: &Platform) -> Result<Self> {
        let (_, stream) = platform.stream().await?;
        let outbox = sqlx::query_scalar("select pg_total_relation_size('bus.outbox')")
            .fetch_one(&platform.order)
            .await?;
        let log = sqlx::query_scalar(
            "select coalesce(sum(pg_total_relation_size(relid)), 0)::bigint from pg_partition_tree('log.months')",
        )
        .fetch_one(&platform.operator)
        .await?;
        Ok(Self {
            stream,
            outbox,
            log,
        })
    }

    fn max(self, other: Self) -> Self {
        Self {
            stream: self.stream.max(other.stream),
            outbox: self.outbox.max(other.outbox),
            log: self.log.max(other.log),
        }
    }
}

/// Runs all months.
pub async fn run(platform: &Platform, lives: &mut Lives, options: &Options) -> Result<()> {
    println!(
        "{:>6} {:>10} {:>9} | {:>20} | {:>20} | {:>20} | {:>16}",
        "",
        "events",
        "events/s",
        "stream MB most, left",
        "outbox MB most, left",
        "log MB most, left",
        "archive MB, B/ev"
    );
    let (mut done, all) = (0, options.orders * EVENTS_OF_ORDER);
    for month in 1..=options.months {
        let events = all * month / options.months - done;
        let began = Instant::now();
        let mut most = record(platform, lives, events).await?;
        let rate = events / began.elapsed().as_secs().max(1);
        done += events;
        most = most.max(Sizes::now(platform).await?);
        if month < options.months {
            end(platform).await?;
        }
        let left = Sizes::now(platform).await?;
        let (_, archived) = platform.archived().await?;
        println!(
            "{month:>6} {done:>10} {rate:>9} | {:>10} {:>9} | {:>10} {:>9} | {:>10} {:>9} | {:>9} {:>6}",
            most.stream >> 20,
            left.stream >> 20,
            most.outbox >> 20,
            left.outbox >> 20,
            most.log >> 20,
            left.log >> 20,
            archived >> 20,
            archived / done,
        );
    }
    Ok(())
}

/// Records events as the order service does, until they are published and in the event log. Returns the largest sizes
/// meanwhile.
pub async fn record(platform: &Platform, lives: &mut Lives, events: u64) -> Result<Sizes> {
    let (mut most, mut sampled) = (Sizes::default(), Instant::now());
    let mut left = events;
    while left > 0 {
        let size = left.min(BATCH);
        let mut rows = Vec::new();
        for _ in 0..size {
            let (order, event) = lives.change(platform.recorder.clock.now())?;
            let cause = Cause {
                traceparent: Some(order.traceparent()),
                ..Cause::user(order.customer(), None).about(order.id().0)
            };
            let (id, version) = (order.id().0, order.version());
            rows.push(Outgoing::event(&platform.recorder, &cause, id, version, &event).await?);
        }
        let mut tx = tiffin_database::begin(&platform.order).await?;
        outbox::append(&mut tx, &rows).await?;
        tx.commit().await?;
        left -= size;
        if sampled.elapsed() >= SAMPLE_INTERVAL {
            most = most.max(Sizes::now(platform).await?);
            sampled = Instant::now();
            until(async || Ok(waiting(platform).await? < MAX_WAITING)).await?;
        }
    }
    published_and_logged(platform).await?;
    Ok(most)
}

/// Events that the relay has not published.
async fn waiting(platform: &Platform) -> Result<i64> {
    let waiting = sqlx::query_scalar("select count(*) from bus.outbox where published_at is null");
    Ok(waiting.fetch_one(&platform.order).await?)
}

/// Waits until everything is published and in the event log.
pub async fn published_and_logged(platform: &Platform) -> Result<()> {
    until(async || Ok(waiting(platform).await? == 0)).await?;
    until(async || {
        let jetstream = &platform.servers.broker.jetstream;
        let stream = jetstream
            .get_stream(tiffin_events::Stream::Orders.name())
            .await?;
        // A broker that lost everything gets its consumers a moment later.
        let Ok(info) = stream.consumer_info("operator_ORDERS").await else {
            return Ok(false);
        };
        Ok(info.num_pending == 0 && info.num_ack_pending == 0)
    })
    .await
}

/// The end of a month: all is archived, and nothing of it stays in outbox and event log.
async fn end(platform: &Platform) -> Result<()> {
    until(async || {
        platform.archive_all().await?;
        Ok(platform.stream().await?.0 == 0)
    })
    .await?;
    until(async || {
        let rows: i64 = sqlx::query_scalar("select count(*) from bus.outbox")
            .fetch_one(&platform.order)
            .await?;
        Ok(rows == 0)
    })
    .await?;
    let next = Clock::manual(platform.recorder.clock.now() + MONTH);
    let operator = platform.operator_at(next);
    until(async || {
        keep_window(&operator).await?;
        let rows: i64 =
            sqlx::query_scalar("select count(*) from log.months where stream = 'ORDERS'")
                .fetch_one(&platform.operator)
                .await?;
        Ok(rows == 0)
    })
    .await
}
