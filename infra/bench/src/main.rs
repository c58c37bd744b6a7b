//! Load generators. `live` compares the live bridge with nats-server's own websocket listener and a
//! plain bridge in Node.js, on this machine in one run.

mod bridge;
mod comparison;
mod figures;
mod live;
mod load;
mod systems;

use anyhow::Result;
use clap::Parser;

#[derive(Debug, Parser)]
#[command(about = "Load generators")]
enum Bench {
    /// The live bridge beside nats-server's own websockets and a plain Node.js bridge.
    Live(live::Options),
    /// The bridge alone, as the benchmark starts it.
    #[command(hide = true)]
    Bridge,
}

fn main() -> Result<()> {
    match Bench::parse() {
        Bench::Live(options) => live::run(&options),
        Bench::Bridge => bridge::run(),
    }
}
