//! `live`: what a delivery costs, beside two others.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Result, bail};
use clap::Args;

use crate::{
    comparison::{Comparison, RATE, Row, judge},
    figures::{median, milliseconds},
    load::{LoadGenerator, PublishRate, SourceKind, Span},
    systems::{Running, System},
};

const WATCHERS: u128 = 1_000;
/// The least multiple of nats-server's own figure on the whole way.
const MIN_WHOLE_WAY_RATIO: f64 = 1.2;
/// Deliveries under way when saturated.
const MAX_UNDER_WAY: u64 = 16_000;

#[derive(Debug, Args)]
pub struct Options {
    /// Of the watchers a fifth never reads: whether the others notice.
    #[arg(long)]
    stalled: bool,
    /// The whole way: a driver for each topic sends positions over a websocket.
    #[arg(long, conflicts_with = "stalled")]
    drivers: bool,
    /// Seconds that each run is measured.
    #[arg(long, default_value_t = 4)]
    seconds: u64,
    /// The number of rounds, the systems by turns; medians are compared.
    #[arg(long, default_value_t = 3)]
    rounds: u32,
    /// The broker keeps each position in its stream as well, as it does on the platform.
    #[arg(long)]
    stored: bool,
    /// One system alone; nothing is compared then.
    #[arg(long)]
    only: Option<System>,
    /// Topics that the watchers are spread over, one run each.
    #[arg(long, value_delimiter = ',', default_values_t = [100, 1_000])]
    topics: Vec<u128>,
    /// The folder of packages and logs.
    #[arg(long, default_value = "target/bench")]
    folder: PathBuf,
}

pub fn run(options: &Options) -> Result<()> {
    std::fs::create_dir_all(&options.folder)?;
    allow_many_files()?;
    let folder = options.folder.canonicalize()?;
    if options.stalled {
        return stalled(options, &folder);
    }
    if options.drivers {
        return drivers(options, &folder);
    }
    let mut all = Vec::new();
    for topics in options.topics.iter().copied() {
        println!("\n{WATCHERS} watchers over {topics} topics");
        let mut rows = Vec::new();
        for _ in 0..options.rounds {
            for system in System::ALL {
                if options.only.is_none_or(|only| only == system) {
                    let row = measure(options, &folder, system, topics)?;
                    println!("{row}");
                    rows.push(row);
                }
            }
        }
        all.push(Comparison { topics, rows });
    }
    judge(&all)
}

fn measure(options: &Options, folder: &Path, system: System, topics: u128) -> Result<Row> {
    let running = Running::start(system, topics, options.stored, folder)?;
    let span = Span {
        warm_up: Duration::from_secs(2),
        measured: Duration::from_secs(options.seconds),
    };
    let empty = running.memory()?;
    let mut generator =
        LoadGenerator::connect(&running, WATCHERS, topics, None, SourceKind::Publisher)?;
    let memory = running.memory()?;
    let under_way = MAX_UNDER_WAY;
    let saturated = generator.run(&running, PublishRate::Saturated { under_way }, span, || {
        Ok(())
    })?;
    let steady = generator.run(
        &running,
        PublishRate::Steady { rate: RATE },
        span,
        || Ok(()),
    )?;
    let memory = memory.max(running.memory()?).saturating_sub(empty) / u64::try_from(WATCHERS)?;
    Ok(Row {
        system,
        saturated,
        steady,
        memory,
    })
}

/// A driver and a watcher for each delivery, one and ten positions a second.
fn drivers(options: &Options, folder: &Path) -> Result<()> {
    let mut failed = 0;
    for each in [1, 10] {
        println!("\n{WATCHERS} drivers, a watcher each, {each} positions a second");
        let (mut ratios, mut missed) = (Vec::new(), 0);
        for _ in 0..options.rounds {
            let mut ours = None;
            for system in [System::Bridge, System::NatsServer] {
                let running = Running::start(system, WATCHERS, options.stored, folder)?;
                let mut generator = LoadGenerator::connect(
                    &running,
                    WATCHERS,
                    WATCHERS,
                    None,
                    SourceKind::Drivers,
                )?;
                let span = Span {
                    warm_up: Duration::from_secs(2),
                    measured: Duration::from_secs(options.seconds),
                };
                let rate = each * u64::try_from(WATCHERS)?;
                let figures =
                    generator.run(&running, PublishRate::Steady { rate }, span, || Ok(()))?;
                println!("  {:<12} {}", system.name(), figures.line());
                missed += figures.lost + figures.doubled;
                let each_cpu = figures.per_cpu_second();
                match ours {
                    None => ours = Some(each_cpu),
                    Some(ours) => ratios.push(ours / each_cpu),
                }
            }
        }
        let ratio = median(ratios);
        let is_met = ratio >= MIN_WHOLE_WAY_RATIO && missed == 0;
        println!(
            "  {}  {ratio:.2} times the deliveries of nats-server for the same CPU time (at least \
             {MIN_WHOLE_WAY_RATIO:.1}); {missed} lost or doubled",
            if is_met { "ok    " } else { "FAILED" }
        );
        failed += u32::from(!is_met);
    }
    if failed > 0 {
        bail!("{failed} of what is required is not met");
    }
    Ok(())
}

/// The same load with and without watchers that never read, by turns.
fn stalled(options: &Options, folder: &Path) -> Result<()> {
    let topics = 100;
    println!("{WATCHERS} watchers over {topics} topics, {RATE} positions a second");
    let (mut alone, mut beside, mut grown) = (Vec::new(), Vec::new(), Vec::new());
    let mut lost = 0;
    for _ in 0..options.rounds {
        for every in [None, Some(5)] {
            let running = Running::start(System::Bridge, topics, options.stored, folder)?;
            // As many read in both: the stalled come on top.
            let watchers = every.map_or(WATCHERS, |every| WATCHERS * every / (every - 1));
            let mut generator =
                LoadGenerator::connect(&running, watchers, topics, every, SourceKind::Publisher)?;
            let span = Span {
                // Long enough for the kernel's buffers of those who never read to fill.
                warm_up: Duration::from_secs(6),
                measured: Duration::from_secs(options.seconds),
            };
            let mut memory = Vec::new();
            let figures =
                generator.run(&running, PublishRate::Steady { rate: RATE }, span, || {
                    memory.push(running.memory()?);
                    Ok(())
                })?;
            let growth = memory[1].saturating_sub(memory[0]);
            let name = if every.is_some() {
                "a fifth stalled"
            } else {
                "all read"
            };
            println!(
                "  {name:<16} {}   memory {} KiB, {} KiB later",
                figures.line(),
                memory[0] / 1024,
                memory[1] / 1024
            );
            lost += figures.lost + figures.doubled;
            let p99 = figures.latencies.quantile(0.99).as_secs_f64();
            if every.is_none() {
                alone.push(p99);
            } else {
                beside.push(p99);
                #[expect(clippy::cast_precision_loss, reason = "bytes of one process")]
                grown.push(growth as f64);
            }
        }
    }
    let (alone, beside, grown) = (median(alone), median(beside), median(grown));
    let ratio = beside / alone;
    println!(
        "\n  p99 {} beside stalled watchers, {} without: {ratio:.2} times (at most 1.20); grown by {:.0} KiB; {lost} lost",
        milliseconds(Duration::from_secs_f64(beside)),
        milliseconds(Duration::from_secs_f64(alone)),
        grown / 1024.0,
    );
    if ratio > 1.2 || lost > 0 || grown > 512.0 * 1024.0 {
        bail!("stalled watchers are noticed");
    }
    Ok(())
}

fn allow_many_files() -> Result<()> {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    Ok(setrlimit(Resource::Nofile, limit)?)
}
