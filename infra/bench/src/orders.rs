//! The cost of an order: placed, and led through its whole life, on a running platform with its demo data.
//!
//! One round places orders with some clients for some seconds, waits until every consumer has handled
//! them, and does the same with whole lives: placed, paid, confirmed with a driver, ten positions,
//! delivered. The round begins with two inserts a transaction on the same PostgreSQL, so that figures of
//! different machines can be compared by their ratio.

mod archiving;
mod inserts;
mod life;
pub mod platform;
pub mod replicas;
pub mod round_trips;
mod settled;

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use futures_util::future::try_join_all;

use self::{
    platform::{Platform, RunFile},
    replicas::Replicas,
    settled::SettleWatch,
};
use crate::{
    figures::{Latencies, median, milliseconds},
    processes::{self, Times},
};

#[derive(Debug, clap::Args)]
pub struct Options {
    /// The data folder of a running `tiffin up` with demo data.
    #[arg(long)]
    home: PathBuf,
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Clients that each have one request under way.
    #[arg(long, default_value_t = 16)]
    clients: usize,
    /// The length of each load.
    #[arg(long, default_value_t = 15)]
    seconds: u64,
    /// The time to wait before memory is read at the end.
    #[arg(long, default_value_t = 120)]
    idle: u64,
    /// Only orders that are placed, with and without archiving beside them.
    #[arg(long)]
    archiving: bool,
    /// The binary of a second process for each service, which takes every second call.
    #[arg(long)]
    second: Option<PathBuf>,
}

/// The figures of one load.
struct Load {
    name: &'static str,
    orders: u64,
    wall: Duration,
    /// From the last answer until every consumer was done.
    drain: Duration,
    latencies: Latencies,
    cpu: Times,
    /// By database.
    commits: BTreeMap<String, i64>,
}

/// The kind of a load: orders that are placed, or that go through their whole lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LoadKind {
    Place,
    WholeLife,
}

impl LoadKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Place => "placed",
            Self::WholeLife => "whole lives",
        }
    }
}

pub fn run(options: &Options) -> Result<()> {
    tokio::runtime::Runtime::new()?.block_on(measure(options))
}

async fn measure(options: &Options) -> Result<()> {
    let replicas = match &options.second {
        Some(binary) => {
            let run_file = RunFile::read(&options.home)?;
            Replicas::start(binary, &options.home, &run_file).await?
        }
        None => Replicas::default(),
    };
    let replicas = Arc::new(replicas);
    let open = async || {
        let replicas = Arc::clone(&replicas);
        anyhow::Ok(Arc::new(
            Platform::open(&options.home, options.clients, replicas).await?,
        ))
    };
    let platform = open().await?;
    let watch = SettleWatch::new(&platform.running).await?;
    let length = Duration::from_secs(options.seconds);
    load(&platform, &watch, LoadKind::Place, Duration::from_secs(2)).await?;
    if options.archiving {
        return archiving::compare(&watch, options).await;
    }
    let mut rounds = Vec::new();
    for round in 1..=options.rounds {
        println!("\nround {round}");
        // With tokens that outlive the round.
        let platform = open().await?;
        let inserts = inserts::per_second(&platform.running, options.clients, length / 3).await?;
        println!("{:<14} {inserts:>8.0} a second", "two inserts");
        let placed = load(&platform, &watch, LoadKind::Place, length).await?;
        print(&placed);
        let lives = load(&platform, &watch, LoadKind::WholeLife, length).await?;
        print(&lives);
        rounds.push((inserts, placed, lives));
    }
    print_medians(&rounds);
    watch.close().await;
    eprintln!("idle for {} s", options.idle);
    tokio::time::sleep(Duration::from_secs(options.idle)).await;
    println!("\nmemory {} s after the last load", options.idle);
    processes::print_memory(&processes::memory(&platform.processes())?);
    Ok(())
}

/// Keeps each client busy for that long, then waits until everything is handled.
async fn load(
    platform: &Arc<Platform>,
    watch: &SettleWatch,
    kind: LoadKind,
    length: Duration,
) -> Result<Load> {
    watch.until_settled().await?;
    let commits = watch.commits().await?;
    let cpu = processes::times(&platform.processes())?;
    let began = Instant::now();
    let clients = (0..platform.customers.len()).map(|client| {
        let platform = Arc::clone(platform);
        tokio::spawn(async move { run_client(&platform, client, kind, began + length).await })
    });
    let mut latencies = Latencies::default();
    let mut orders = 0;
    for times in try_join_all(clients).await? {
        for time in times? {
            latencies.add(u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
            orders += 1;
        }
    }
    let wall = began.elapsed();
    let drain = watch.until_settled().await?;
    let spent = difference(&cpu, &processes::times(&platform.processes())?);
    Ok(Load {
        name: kind.name(),
        orders,
        wall,
        drain,
        latencies,
        cpu: spent,
        commits: watch.commits_since(&commits).await?,
    })
}

/// The latency of `POST orders` for each order of one client.
async fn run_client(
    platform: &Platform,
    client: usize,
    kind: LoadKind,
    until: Instant,
) -> Result<Vec<Duration>> {
    let mut times = Vec::new();
    while Instant::now() < until {
        let began = Instant::now();
        let order = platform.place(client).await?;
        times.push(began.elapsed());
        if kind == LoadKind::WholeLife {
            life::complete(platform, client, &order)
                .await
                .with_context(|| format!("order {}", order.code))?;
        }
    }
    Ok(times)
}

fn difference(before: &Times, after: &Times) -> Times {
    after
        .iter()
        .map(|(name, time)| {
            let earlier = before.get(name).copied().unwrap_or_default();
            (name.clone(), time.saturating_sub(earlier))
        })
        .collect()
}

impl Load {
    fn accepted(&self) -> f64 {
        self.count() / self.wall.as_secs_f64()
    }

    /// Orders a second that everything keeps up with.
    fn kept_up(&self) -> f64 {
        self.count() / (self.wall + self.drain).as_secs_f64()
    }

    fn cpu_ms(&self) -> f64 {
        let all: Duration = self.cpu.values().sum();
        all.as_secs_f64() * 1e3 / self.count()
    }

    #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
    fn count(&self) -> f64 {
        self.orders.max(1) as f64
    }
}

#[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
fn print(load: &Load) {
    println!(
        "{:<14} {:>8.0} a second accepted, {:.0} kept up with; done {:.1} s after the last answer; \
         POST orders p50 {} p99 {}",
        load.name,
        load.accepted(),
        load.kept_up(),
        load.drain.as_secs_f64(),
        milliseconds(load.latencies.quantile(0.5)),
        milliseconds(load.latencies.quantile(0.99)),
    );
    let cpu: Vec<String> = load
        .cpu
        .iter()
        .map(|(name, time)| (name, time.as_secs_f64() * 1e3 / load.count()))
        .filter(|(_, ms)| *ms >= 0.005)
        .map(|(name, ms)| format!("{name} {ms:.2}"))
        .collect();
    println!(
        "{:<14} {:>8.2} ms of CPU an order: {}",
        "",
        load.cpu_ms(),
        cpu.join(", ")
    );
    let commits: Vec<String> = load
        .commits
        .iter()
        .map(|(name, count)| (name, *count as f64 / load.count()))
        .filter(|(_, each)| *each >= 0.05)
        .map(|(name, each)| format!("{name} {each:.1}"))
        .collect();
    let all = load.commits.values().sum::<i64>() as f64 / load.count();
    println!(
        "{:<14} {all:>8.1} commits an order: {}",
        "",
        commits.join(", ")
    );
}

fn print_medians(rounds: &[(f64, Load, Load)]) {
    println!("\nmedians of {} rounds", rounds.len());
    let of = |value: &dyn Fn(&(f64, Load, Load)) -> f64| median(rounds.iter().map(value).collect());
    let ms = |load: &Load, share| load.latencies.quantile(share).as_secs_f64() * 1e3;
    let rows: [(&str, f64); 9] = [
        (
            "orders a second kept up with",
            of(&|(_, load, _)| load.kept_up()),
        ),
        (
            "orders a second accepted",
            of(&|(_, load, _)| load.accepted()),
        ),
        (
            "accepted beside two inserts",
            of(&|(inserts, load, _)| load.accepted() / inserts),
        ),
        (
            "ms of CPU a placed order",
            of(&|(_, load, _)| load.cpu_ms()),
        ),
        (
            "done after the last answer, s",
            of(&|(_, load, _)| load.drain.as_secs_f64()),
        ),
        ("POST orders p50, ms", of(&|(_, load, _)| ms(load, 0.5))),
        ("POST orders p99, ms", of(&|(_, load, _)| ms(load, 0.99))),
        ("whole lives a second", of(&|(_, _, load)| load.kept_up())),
        ("ms of CPU a whole life", of(&|(_, _, load)| load.cpu_ms())),
    ];
    for (name, value) in rows {
        println!("{name:<32} {value:>10.3}");
    }
}
