//! Load generators. `live` compares the live bridge with nats-server's own websocket listener and a
//! plain bridge in Node.js, on this machine in one run; `login` compares logins with and without an
//! account; `orders` measures the cost of an order; `replay` measures how fast history is gone through
//! again; `history` takes a million orders through the archive; `eta` judges forecasts of arrivals on recorded trips;
//! `dispatch` judges suggested drivers on made-up days; `storm` measures how sockets come back to a bridge that was
//! killed; `archive` measures how fast archived messages are read; `footprint` reads the memory of a platform.

mod archive;
mod bridge;
mod comparison;
mod dispatch;
mod eta;
mod figures;
mod history;
mod live;
mod load;
mod login;
mod orders;
mod processes;
mod replay;
mod serve;
mod storm;
mod systems;

use anyhow::Result;
use clap::Parser;
use mimalloc::MiMalloc;

/// The allocator of the platform, parts of which are measured here.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

#[derive(Debug, Parser)]
#[command(about = "Load generators")]
enum Bench {
    /// The live bridge beside nats-server's own websockets and a plain Node.js bridge.
    Live(live::Options),
    /// Forecasts of arrivals on recorded trips.
    Eta(eta::Options),
    /// Drivers suggested for orders on made-up days, beside simpler choices.
    Dispatch(dispatch::Options),
    /// Logins with addresses that have an account, beside those that have none.
    Login(login::Options),
    /// The cost of an order: rate, latencies, CPU and commits, placed and through its whole life.
    Orders(orders::Options),
    /// The round trips to the database of each call of an order's life.
    RoundTrips(orders::round_trips::Options),
    /// Memory of a process and all its descendants; fails above a bound.
    Footprint(processes::Options),
    /// Replays beside a bare pull consumer, and a rebuild from a million events.
    Replay(replay::Options),
    /// A million orders through stream, outbox, event log and archive, month by month.
    History(history::Options),
    /// Thousands of sockets whose bridge is killed and started again.
    Storm(storm::Options),
    /// The archive's reader beside DuckDB's, on the same files.
    Archive(archive::Options),
    /// The bridge alone, as the benchmark starts it.
    #[command(hide = true)]
    Bridge(bridge::Options),
}

fn main() -> Result<()> {
    match Bench::parse() {
        Bench::Live(options) => live::run(&options),
        Bench::Eta(options) => eta::run(&options),
        Bench::Dispatch(options) => dispatch::run(&options),
        Bench::Login(options) => login::run(&options),
        Bench::Orders(options) => orders::run(&options),
        Bench::RoundTrips(options) => orders::round_trips::run(&options),
        Bench::Footprint(options) => processes::run(&options),
        Bench::Replay(options) => replay::run(&options),
        Bench::History(options) => history::run(&options),
        Bench::Storm(options) => storm::run(&options),
        Bench::Archive(options) => archive::run(&options),
        Bench::Bridge(options) => bridge::run(&options),
    }
}
