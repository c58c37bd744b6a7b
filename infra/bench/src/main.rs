//! Load generators. `live` compares the live bridge with nats-server's own websocket listener and a
//! plain bridge in Node.js, on this machine in one run; `login` compares logins with and without an
//! account; `replay` measures how fast history is gone through again.

mod bridge;
mod comparison;
mod figures;
mod live;
mod load;
mod login;
mod replay;
mod systems;

use anyhow::Result;
use clap::Parser;

#[derive(Debug, Parser)]
#[command(about = "Load generators")]
enum Bench {
    /// The live bridge beside nats-server's own websockets and a plain Node.js bridge.
    Live(live::Options),
    /// Logins with addresses that have an account, beside those that have none.
    Login(login::Options),
    /// Replays beside a bare pull consumer, and a rebuild from a million events.
    Replay(replay::Options),
    /// The bridge alone, as the benchmark starts it.
    #[command(hide = true)]
    Bridge,
}

fn main() -> Result<()> {
    match Bench::parse() {
        Bench::Live(options) => live::run(&options),
        Bench::Login(options) => login::run(&options),
        Bench::Replay(options) => replay::run(&options),
        Bench::Bridge => bridge::run(),
    }
}
