//! A bridge that is killed under its watchers and started again: the time until every socket is back with what
//! it missed, and the time that an order takes meanwhile.

mod bridge;
mod watcher;

use std::{
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Result, bail, ensure};
use clap::Args;
use futures_util::{StreamExt, TryStreamExt, stream};
use reqwest::Method;
use serde_json::json;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use self::{bridge::Bridge, watcher::Watcher};
use crate::{
    figures::{Latencies, milliseconds},
    orders::platform::{Order, Platform},
};

/// Sockets of one account, the most that the bridge takes.
const SOCKETS_PER_ACCOUNT: usize = 10;
/// Calls at once while everything is prepared.
const MAX_CALLS: usize = 8;
/// The interval of the orders that are placed meanwhile.
const ORDER_INTERVAL: Duration = Duration::from_millis(100);
/// The time-out of the statuses of the prepared orders.
const RECEIVE_TIMEOUT: Duration = Duration::from_mins(1);
const POLL_INTERVAL: Duration = Duration::from_millis(10);

#[derive(Debug, Args)]
pub struct Options {
    /// The data folder of a running `tiffin up` with demo data.
    #[arg(long)]
    home: PathBuf,
    /// The binary that the bridge is started from.
    #[arg(long)]
    binary: PathBuf,
    #[arg(long, default_value_t = 5_000)]
    sockets: usize,
    #[arg(long, default_value_t = 3)]
    rounds: u32,
    /// Milliseconds that the bridge is away.
    #[arg(long, default_value_t = 1_000)]
    away: u64,
    /// Seconds within which every socket has to be back.
    #[arg(long, default_value_t = 10)]
    within: u64,
    /// Milliseconds that an order may take meanwhile.
    #[arg(long, default_value_t = 500)]
    order_within: u64,
}

pub fn run(options: &Options) -> Result<()> {
    tokio::runtime::Runtime::new()?.block_on(measure(options))
}

async fn measure(options: &Options) -> Result<()> {
    println!(
        "{} sockets; the bridge is away for {} ms",
        options.sockets, options.away
    );
    let mut failed = 0;
    for round in 1..=options.rounds {
        let found = storm(options).await?;
        let is_met = found.back <= Duration::from_secs(options.within)
            && found.slowest_order <= Duration::from_millis(options.order_within)
            && found.doubled == 0;
        println!(
            "  {}  round {round}: half back after {}, all after {}, with what they missed after {}; {} statuses \
             doubled; orders meanwhile: {} placed, p50 {}, slowest {} (before: slowest {})",
            if is_met { "ok    " } else { "FAILED" },
            milliseconds(found.half),
            milliseconds(found.back),
            milliseconds(found.complete),
            found.doubled,
            found.orders,
            milliseconds(found.typical_order),
            milliseconds(found.slowest_order),
            milliseconds(found.slowest_before),
        );
        failed += u32::from(!is_met);
    }
    ensure!(failed == 0, "{failed} rounds don't meet what is required");
    Ok(())
}

/// The times of one storm, counted from the start of the new bridge.
struct Storm {
    /// Half of the sockets watch again.
    half: Duration,
    back: Duration,
    /// Every socket has the status that it missed.
    complete: Duration,
    doubled: usize,
    orders: u64,
    typical_order: Duration,
    slowest_order: Duration,
    slowest_before: Duration,
}

async fn storm(options: &Options) -> Result<Storm> {
    let accounts = options.sockets.div_ceil(SOCKETS_PER_ACCOUNT);
    // The last customer orders meanwhile.
    let platform = Arc::new(Platform::open(&options.home, accounts + 1, Arc::default()).await?);
    let orders = placed(&platform, accounts).await?;
    let mut bridge = Bridge::new(&options.binary, &options.home, &platform.running)?;
    bridge.start().await?;
    let watchers: Vec<Arc<Watcher>> = (0..options.sockets)
        .map(|n| {
            let account = n % accounts;
            Arc::new(Watcher::new(
                n,
                bridge.port,
                platform.customer(account),
                &orders[account].id,
            ))
        })
        .collect();
    let following: Vec<JoinHandle<()>> = watchers
        .iter()
        .map(|watcher| tokio::spawn(Arc::clone(watcher).follow()))
        .collect();
    until(&watchers, Watcher::is_watching).await?;
    // A status that each has seen, to resume after.
    change(
        &platform,
        &orders,
        json!({ "status": "confirmed", "driverId": platform.driver.id }),
    )
    .await?;
    until(&watchers, |watcher| watcher.statuses() == 1).await?;

    let before = Orders::start(&platform, accounts);
    tokio::time::sleep(Duration::from_secs(5)).await;
    let before = before.stop().await?;
    let meanwhile = Orders::start(&platform, accounts);
    bridge.kill()?;
    until(&watchers, |watcher| !watcher.is_watching()).await?;
    let missed = tokio::spawn({
        let (platform, orders) = (Arc::clone(&platform), Arc::clone(&orders));
        async move { change(&platform, &orders, json!({ "status": "delivered" })).await }
    });
    tokio::time::sleep(Duration::from_millis(options.away)).await;
    let began = Instant::now();
    bridge.start().await?;
    until(&watchers, Watcher::is_watching).await?;
    let mut back: Vec<Duration> = watchers
        .iter()
        .map(|watcher| watcher.back_after(began))
        .collect();
    back.sort();
    missed.await??;
    until(&watchers, |watcher| watcher.statuses() >= 2).await?;
    let complete = began.elapsed();
    let meanwhile = meanwhile.stop().await?;
    for task in following {
        task.abort();
    }
    Ok(Storm {
        half: back[back.len() / 2],
        back: back[back.len() - 1],
        complete,
        doubled: watchers
            .iter()
            .filter(|watcher| watcher.statuses() > 2)
            .count(),
        orders: meanwhile.placed,
        typical_order: meanwhile.latencies.quantile(0.5),
        slowest_order: meanwhile.latencies.quantile(1.0),
        slowest_before: before.latencies.quantile(1.0),
    })
}

/// An order of each account.
async fn placed(platform: &Platform, accounts: usize) -> Result<Arc<Vec<Order>>> {
    let placed = stream::iter(0..accounts).map(|account| platform.place(account));
    Ok(Arc::new(placed.buffered(MAX_CALLS).try_collect().await?))
}

/// Has the owner change every order.
async fn change(platform: &Platform, orders: &[Order], change: serde_json::Value) -> Result<()> {
    let paths = orders
        .iter()
        .map(|order| format!("/api/v1/orders/status/{}", order.id));
    let changed = stream::iter(paths.collect::<Vec<_>>()).map(|path| {
        let change = &change;
        async move {
            let owner = &platform.owner.token;
            let answer = platform
                .ask(owner, Method::PUT, &path, Some(change))
                .await?;
            ensure!(answer.status.is_success(), "{path}: {}", answer.body);
            Ok(())
        }
    });
    changed.buffer_unordered(MAX_CALLS).try_collect().await
}

async fn until(watchers: &[Arc<Watcher>], holds: impl Fn(&Watcher) -> bool) -> Result<()> {
    let began = Instant::now();
    while !watchers.iter().all(|watcher| holds(watcher)) {
        if began.elapsed() > RECEIVE_TIMEOUT {
            let left = watchers.iter().find(|watcher| !holds(watcher));
            bail!(
                "a socket waits since {} s: {left:?}",
                RECEIVE_TIMEOUT.as_secs()
            );
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
    Ok(())
}

/// Orders of one customer at a steady pace.
struct Orders {
    stop: CancellationToken,
    task: JoinHandle<Result<Placed>>,
}

#[derive(Default)]
struct Placed {
    placed: u64,
    latencies: Latencies,
}

impl Orders {
    fn start(platform: &Arc<Platform>, client: usize) -> Self {
        let (platform, stop) = (Arc::clone(platform), CancellationToken::new());
        let stopped = stop.clone();
        let task = tokio::spawn(async move {
            let mut placed = Placed::default();
            let mut pace = tokio::time::interval(ORDER_INTERVAL);
            while !stopped.is_cancelled() {
                pace.tick().await;
                let asked = Instant::now();
                platform.place(client).await?;
                placed.placed += 1;
                let took = u64::try_from(asked.elapsed().as_micros())?;
                placed.latencies.add(took);
            }
            Ok(placed)
        });
        Self { stop, task }
    }

    async fn stop(self) -> Result<Placed> {
        self.stop.cancel();
        self.task.await?
    }
}
