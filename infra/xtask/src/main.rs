//! Developer tasks: `cargo xtask …`.

mod attack;
mod bench;
mod bench_pages;
mod bench_tracks;
mod calls;
mod chaos;
mod contract;
mod debian;
mod evening;
mod footprint;
mod fuzz;
mod generate;
mod inputs;
mod localstripe;
mod platform;
mod queries;
mod step;
mod test;
mod web;
#[cfg(test)]
mod words;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use self::chaos::Pace;

/// Developer tasks of the Tiffin repository.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Runs everything: formatting, lints, Rust tests, web tests, generated files, browser journey.
    Test,
    /// Tries every operation of every service with made-up requests, at length.
    Fuzz {
        /// The number of examples for each operation and role.
        #[arg(long, default_value_t = 200)]
        examples: u32,
        /// Only as these: anonymous, customer, delivery, restaurant, admin.
        #[arg(long = "as", value_name = "ROLE", value_parser = fuzz::role)]
        roles: Vec<fuzz::Role>,
    },
    /// Tries the readers of frames, the broker's protocol, envelopes and pictures with made-up bytes.
    Inputs {
        /// For all of them together.
        #[arg(long, default_value_t = 60)]
        minutes: u32,
        /// Only these: frame, protocol, envelope, picture.
        #[arg(value_name = "TARGET", value_parser = inputs::target)]
        targets: Vec<&'static str>,
    },
    /// Runs slowhttptest and sqlmap against a separate platform.
    Attack {
        /// As `test` does it: fewer connections and seconds, and sqlmap's first level.
        #[arg(long)]
        short: bool,
    },
    /// Kills, stops, slows and cuts off services and servers while orders are placed, then compares every record
    /// with every answer.
    Chaos {
        #[arg(long, default_value_t = 1_000, conflicts_with = "unanswered")]
        faults: u32,
        /// Leaves orders without an answer, kills print agents, and loses pushes and mails, too.
        #[arg(long)]
        unanswered: bool,
        #[arg(long, default_value_t = 10_000, requires = "unanswered")]
        checkouts: u32,
        /// Pays orders by Stripe, which fails, while the payment service is killed.
        #[arg(long, conflicts_with = "unanswered")]
        stripe: bool,
        #[arg(long, default_value_t = 500, requires = "stripe")]
        payments: u32,
        #[arg(long, default_value_t = 20)]
        orders_a_second: u32,
        /// The same faults and orders as another run had.
        #[arg(long)]
        seed: Option<u64>,
    },
    /// Plays a Friday evening and compares the owner's board with the database every second.
    Evening {
        #[arg(long, default_value_t = 400)]
        orders: u16,
        /// Minutes of the evening in one minute.
        #[arg(long, default_value_t = 10)]
        speed: u8,
    },
    /// Runs only the browser journey against a separate platform.
    Journey,
    /// Writes every generated file again: event schemas, query metadata, OpenAPI, API client.
    Generate,
    /// Checks every SQL query against a fresh PostgreSQL and writes the `.sqlx` folders.
    Queries {
        /// Only of these packages, such as `tiffin-order`.
        packages: Vec<String>,
    },
    /// Measures.
    Bench {
        #[command(subcommand)]
        what: Bench,
    },
    /// Runs Lighthouse on the most important pages, as on a phone.
    Lighthouse,
    /// Takes a screenshot of every page at four widths, light and dark.
    Shots {
        /// The folder they go to.
        #[arg(default_value = "web/shots")]
        folder: String,
    },
}

#[derive(Subcommand)]
enum Bench {
    /// The live bridge beside nats-server's websocket listener and a plain Node bridge.
    Live {
        /// A fifth of the watchers never read.
        #[arg(long)]
        stalled: bool,
        /// Drivers send the positions, each over a websocket.
        #[arg(long, conflicts_with = "stalled")]
        drivers: bool,
    },
    /// Five thousand sockets whose bridge is killed and started again: when they are all back, and how long an
    /// order takes meanwhile.
    Storm,
    /// Logins with addresses that have an account, beside those that have none.
    Login,
    /// The cost of an order, placed and through its whole life: rate, latencies, CPU, commits, memory after.
    Orders {
        #[arg(long, default_value_t = 3)]
        rounds: u32,
        /// A second process of each service takes every second call.
        #[arg(long)]
        second: bool,
        /// Only orders that are placed, with and without archiving beside them.
        #[arg(long, conflicts_with = "second")]
        archiving: bool,
    },
    /// A replay beside a bare pull consumer, and the read model of orders rebuilt from a million events: in the stream,
    /// in the archive, and from a snapshot.
    Replay,
    /// A million orders, month by month: what stream, outbox, event log and archive hold, and that nothing is missing
    /// after each of them but the archive was lost.
    History,
    /// A scan of archived messages beside DuckDB's of the same files, and their size.
    Archive,
    /// The administrators' map with 500 drivers: frames a second and heap.
    Map,
    /// The owner's board with a hundred tickets: frames a second.
    Board,
    /// The driver's marker on recorded tracks, beside simpler ones: metres from the vehicle and from the street.
    Marker,
    /// Forecasts of arrivals on trips of recorded tracks: mean error, and the share of ranges that hold.
    Eta,
    /// Drivers suggested for orders on made-up days: minutes from click to door, beside the nearest driver and the
    /// earliest drop-off.
    Dispatch {
        #[arg(long, default_value_t = 10)]
        seeds: u32,
    },
    /// Memory of the idle platform: the sum of PSS of all its processes.
    Footprint,
}

fn main() -> ExitCode {
    match run(Cli::parse().task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\n{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> Result<()> {
    match task {
        Task::Test => test::run(),
        Task::Fuzz { examples, roles } if roles.is_empty() => fuzz::run(examples, &fuzz::ROLES),
        Task::Fuzz { examples, roles } => fuzz::run(examples, &roles),
        Task::Inputs { minutes, targets } if targets.is_empty() => {
            inputs::run(minutes, &inputs::TARGETS)
        }
        Task::Inputs { minutes, targets } => inputs::run(minutes, &targets),
        Task::Attack { short } => attack::run(if short {
            attack::Extent::SHORT
        } else {
            attack::Extent::WHOLE
        }),
        Task::Chaos {
            faults,
            unanswered,
            checkouts,
            stripe,
            payments,
            orders_a_second,
            seed,
        } => {
            let pace = Pace {
                orders_a_second,
                seed,
            };
            if stripe {
                chaos::run_stripe(payments, seed)
            } else if unanswered {
                chaos::run_unanswered(checkouts, pace)
            } else {
                chaos::run(faults, pace)
            }
        }
        Task::Evening { orders, speed } => evening::run(orders, speed),
        Task::Journey => test::journey(),
        Task::Generate => generate::run(),
        Task::Queries { packages } => queries::run(&packages),
        Task::Bench {
            what:
                Bench::Orders {
                    rounds,
                    second,
                    archiving,
                },
        } => match (second, archiving) {
            (true, _) => bench::orders_with_second(rounds),
            (_, true) => bench::orders_beside_archiving(rounds),
            _ => bench::orders(rounds),
        },
        Task::Bench {
            what: Bench::Live { stalled, drivers },
        } => bench::live(stalled, drivers),
        Task::Bench { what: Bench::Storm } => bench::storm(),
        Task::Bench { what: Bench::Login } => bench::login(),
        Task::Bench {
            what: Bench::Replay,
        } => bench::replay(),
        Task::Bench {
            what: Bench::History,
        } => bench::history(),
        Task::Bench {
            what: Bench::Archive,
        } => bench::archive(),
        Task::Bench { what: Bench::Map } => bench_pages::map(),
        Task::Bench { what: Bench::Board } => bench_pages::board(),
        Task::Bench {
            what: Bench::Marker,
        } => bench_tracks::marker(),
        Task::Bench { what: Bench::Eta } => bench_tracks::eta(),
        Task::Bench {
            what: Bench::Dispatch { seeds },
        } => bench::dispatch(seeds),
        Task::Bench {
            what: Bench::Footprint,
        } => footprint::run(),
        Task::Lighthouse => test::lighthouse(),
        Task::Shots { folder } => test::shots(&folder),
    }
}
