//! Orders that are placed while their events and earlier ones move to the archive, beside orders that are placed alone.

use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Result, ensure};
use tiffin_archive::Archive;
use tiffin_bus::{
    Broker,
    archiver::{self, Window},
};
use tiffin_events::{Clock, Stream};
use tokio_util::sync::CancellationToken;

use super::{Load, LoadKind, Options, load, platform::Platform, settled::SettleWatch};
use crate::figures::{median, milliseconds};

/// The least part of the orders a second that are placed beside archiving.
const SHARE: f64 = 0.9;
/// Events a second that are archived at least.
const RATE: f64 = 500.0;
/// Events a second above which the archiver pauses. At full speed it archives thousands, and takes a core.
const MAX_RATE: u64 = 600;
const PAUSE: Duration = Duration::from_millis(50);

/// Loads by turns: without archiving, and with it. Which comes first changes, because tables grow.
pub async fn compare(watch: &SettleWatch, options: &Options) -> Result<()> {
    let length = Duration::from_secs(options.seconds);
    let (mut alone, mut beside) = (Vec::new(), Vec::new());
    let mut rates = Vec::new();
    println!(
        "\norders a second and p50 of POST orders, {} rounds by turns",
        options.rounds
    );
    println!(
        "{:>16} {:>24} {:>18}",
        "alone", "beside archiving", "archived events/s"
    );
    for round in 0..options.rounds {
        // With tokens that outlive the round.
        let platform = Platform::open(&options.home, options.clients, Arc::default()).await?;
        let platform = &Arc::new(platform);
        let mut one = None;
        if round % 2 == 0 {
            one = Some(load(platform, watch, LoadKind::Place, length).await?);
        }
        watch.until_settled().await?;
        let archiving = Archiving::start(&options.home, &platform.running.nats.url).await?;
        let other = load(platform, watch, LoadKind::Place, length).await?;
        let rate = archiving.stop().await?;
        let one = match one {
            Some(one) => one,
            None => load(platform, watch, LoadKind::Place, length).await?,
        };
        println!("{:>16} {:>24} {rate:>18.0}", figures(&one), figures(&other));
        alone.push(one.accepted());
        beside.push(other.accepted());
        rates.push(rate);
    }
    let share = median(beside) / median(alone);
    let rate = median(rates);
    println!(
        "medians: {share:.2} of the orders a second, beside {rate:.0} archived events a second"
    );
    ensure!(
        share >= SHARE,
        "archiving leaves {share:.2} of the orders a second"
    );
    ensure!(rate >= RATE, "{rate:.0} events a second are archived");
    Ok(())
}

fn figures(load: &Load) -> String {
    format!(
        "{:.0}, {}",
        load.accepted(),
        milliseconds(load.latencies.quantile(0.5))
    )
}

/// The archiver of every stream, at work until it is stopped.
struct Archiving {
    began: Instant,
    stop: CancellationToken,
    archived: tokio::task::JoinHandle<Result<u64>>,
}

impl Archiving {
    async fn start(home: &Path, nats: &str) -> Result<Self> {
        let archive = Archive::folder(home.join("archive"));
        let broker = Broker::connect(nats, "bench").await?;
        let broker = broker.with_archive(Some(archive.clone()));
        let stop = CancellationToken::new();
        Ok(Self {
            began: Instant::now(),
            archived: tokio::spawn(archive_until(broker, archive, stop.clone())),
            stop,
        })
    }

    /// Events a second that were archived.
    #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
    async fn stop(self) -> Result<f64> {
        let took = self.began.elapsed().as_secs_f64();
        self.stop.cancel();
        Ok(self.archived.await?? as f64 / took)
    }
}

async fn archive_until(broker: Broker, archive: Archive, stop: CancellationToken) -> Result<u64> {
    let window = Window {
        max_age: Duration::ZERO,
        ..Window::default()
    };
    let mut count = 0;
    while !stop.is_cancelled() {
        for stream in Stream::ALL.into_iter().filter(|it| it.is_archived()) {
            let now = Clock::system().now();
            let moved = archiver::step(&broker, &archive, stream, window, now);
            let archived = moved.await?.map_or(0, |segment| segment.count);
            count += archived;
            let pause = Duration::from_millis(archived * 1_000 / MAX_RATE);
            if stop
                .run_until_cancelled(tokio::time::sleep(pause))
                .await
                .is_none()
            {
                break;
            }
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(count)
}
