//! `replay`: how fast history is gone through again. A replay into a handler that does nothing, beside
//! a bare pull consumer of the client library; and the read model of orders, rebuilt from a million
//! events in the stream, in the archive, and from a snapshot. Servers are configured as the platform configures them.

pub mod orders;
pub mod rebuild;
pub mod servers;
mod speed;

use anyhow::{Result, ensure};

use self::servers::TestServers;

/// The least part of the bare consumer's speed that a replay reaches.
const SHARE: f64 = 0.8;
/// Seconds that the rebuild may take.
const LIMIT: f64 = 60.0;

#[derive(Debug, clap::Args)]
pub struct Options {
    /// Events in the stream.
    #[arg(long, default_value_t = 1_000_000)]
    events: u64,
    /// Of them, those that both consumers read in each round.
    #[arg(long, default_value_t = 500_000)]
    window: u64,
    /// The number of rounds, by turns; medians are compared.
    #[arg(long, default_value_t = 5)]
    rounds: u32,
    /// The number of rounds of rebuilds, by turns.
    #[arg(long, default_value_t = 3)]
    rebuilds: u32,
    /// Only the comparison, without the rebuild.
    #[arg(long)]
    only_speed: bool,
    /// Only the rebuild, without the comparison.
    #[arg(long)]
    only_rebuild: bool,
}

pub fn run(options: &Options) -> Result<()> {
    tokio::runtime::Runtime::new()?.block_on(measure(options))
}

async fn measure(options: &Options) -> Result<()> {
    let mut servers = TestServers::start().await?;
    let orders = orders::publish(&servers.broker, options.events).await?;
    let mut missed = Vec::new();
    if !options.only_rebuild {
        let window = options.window.min(options.events);
        let shares = speed::compare(&servers, window, options.rounds).await?;
        for (share, what) in [
            (shares.new, "of new events"),
            (shares.again, "of handled events"),
        ] {
            if share < SHARE {
                missed.push(format!(
                    "a replay {what} reaches {share:.2} of a bare consumer"
                ));
            }
        }
    }
    if !options.only_speed {
        let seconds = rebuild::compare(&servers, &orders, options.events, options.rebuilds).await?;
        if seconds.stream > LIMIT {
            missed.push(format!("the rebuild takes {:.1} s", seconds.stream));
        }
        if seconds.archive > seconds.stream {
            let share = seconds.stream / seconds.archive;
            missed.push(format!(
                "a rebuild from the archive reaches {share:.2} of the stream's speed"
            ));
        }
    }
    servers.stop().await;
    ensure!(missed.is_empty(), "{}", missed.join("; "));
    Ok(())
}
