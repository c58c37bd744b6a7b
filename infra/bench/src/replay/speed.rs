//! A replay into a handler that does nothing, beside a bare pull consumer, by turns on one stream.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

use anyhow::{Context, Result, ensure};
use async_nats::jetstream::consumer::{AckPolicy, pull};
use futures_util::{FutureExt, StreamExt, future::BoxFuture};
use sqlx::PgConnection;
use tiffin_bus::{
    Consumer, Failure, Handler, Received,
    history::{Command, Selection},
};
use tiffin_events::{Clock, Stream};

use super::servers::{Service, TestServers};
use crate::figures::median;

/// Messages a batch of the bare consumer.
const BATCH: usize = 500;

/// Does nothing but count how often it is called.
#[derive(Clone, Default)]
struct CountingHandler(Arc<AtomicU64>);

impl Handler for CountingHandler {
    fn handle<'a>(
        &'a self,
        _: &'a mut PgConnection,
        events: &'a [Received],
    ) -> BoxFuture<'a, Result<(), Failure>> {
        self.0.fetch_add(events.len() as u64, Ordering::Relaxed);
        async { Ok(()) }.boxed()
    }
}

/// A replay's part of the bare consumer's speed.
pub struct Shares {
    /// Every event is new, and handled.
    pub new: f64,
    /// Every event was handled before.
    pub again: f64,
}

pub async fn compare(servers: &TestServers, window: u64, rounds: u32) -> Result<Shares> {
    let pool = servers.database("bench", &tiffin_bus::MIGRATIONS).await?;
    let (clock, nothing) = (Clock::system(), CountingHandler::default());
    let consumer = Consumer::new(
        "bench",
        Stream::Orders,
        pool.clone(),
        clock.clone(),
        nothing.clone(),
    );
    let service = Service::start(servers, "bench", &pool, std::slice::from_ref(&consumer));
    service.ready().await?;
    println!("\n{window} events, {rounds} rounds by turns; messages a second");
    println!(
        "{:>14} {:>14} {:>14}",
        "bare consumer", "replay", "once more"
    );
    let (mut bare_all, mut new_all, mut again_all) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds {
        let bare = bare(servers, window).await?;
        sqlx::query("truncate bus.reached").execute(&pool).await?;
        let (new, handled) = replay(&service, &consumer, &clock, window).await?;
        let called = nothing.0.swap(0, Ordering::Relaxed);
        ensure!(
            handled == window && called == window,
            "{handled} of {window} took effect, the handler was called {called} times"
        );
        let (again, handled) = replay(&service, &consumer, &clock, window).await?;
        ensure!(handled == 0, "{handled} took effect again");
        println!("{bare:>14.0} {new:>14.0} {again:>14.0}");
        bare_all.push(bare);
        new_all.push(new);
        again_all.push(again);
    }
    let bare = median(bare_all);
    let (new, again) = (median(new_all) / bare, median(again_all) / bare);
    println!(
        "of the bare consumer's speed: {new:.2} where all is new, {again:.2} where all was handled"
    );
    Ok(Shares { new, again })
}

/// Messages a second that a pull consumer of the client library reads.
async fn bare(servers: &TestServers, window: u64) -> Result<f64> {
    let stream = servers
        .broker
        .jetstream
        .get_stream(Stream::Orders.name())
        .await?;
    let config = pull::Config {
        ack_policy: AckPolicy::None,
        ..pull::Config::default()
    };
    let consumer = stream.create_consumer(config).await?;
    let began = Instant::now();
    let mut messages = consumer
        .stream()
        .max_messages_per_batch(BATCH)
        .messages()
        .await?;
    let mut bytes = 0;
    for _ in 0..window {
        let message = messages.next().await.context("the stream ended")??;
        bytes += message.payload.len();
    }
    let took = began.elapsed().as_secs_f64();
    ensure!(bytes > 0, "the messages are empty");
    stream.delete_consumer(&consumer.cached_info().name).await?;
    Ok(per_second(window, took))
}

/// Messages a second that are replayed, and how many of them took effect.
async fn replay(
    service: &Service<'_>,
    consumer: &Consumer,
    clock: &Clock,
    window: u64,
) -> Result<(f64, u64)> {
    let command = Command::Replay {
        id: clock.new_id(),
        consumer: consumer.name.clone(),
        selection: Selection {
            from: 1,
            to: window,
            filter: None,
        },
        rate: None,
    };
    let began = Instant::now();
    let operation = service.finish(&command).await?;
    let took = began.elapsed().as_secs_f64();
    let through = u64::try_from(operation.handled + operation.skipped)?;
    ensure!(
        through == window && operation.failed == 0,
        "{through} of {window} went through, {} failed",
        operation.failed
    );
    Ok((per_second(window, took), u64::try_from(operation.handled)?))
}

#[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
fn per_second(count: u64, seconds: f64) -> f64 {
    count as f64 / seconds.max(1e-9)
}
