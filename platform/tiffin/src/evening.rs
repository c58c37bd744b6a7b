//! `tiffin demo`: a Friday evening, played into the platform that runs on this machine.
//!
//! The plan follows from a seed. Customers, the owner and drivers carry it out through the address for browsers and the
//! websocket, as people would.

mod accounts;
mod arrivals;
mod city;
mod client;
mod driver;
mod order;
mod pace;
mod plan;
mod play;
mod tally;
mod way;

use std::{
    io::{IsTerminal, Write},
    path::Path,
    sync::Arc,
    time::Duration,
};

use anyhow::{Context, Result, ensure};
use tiffin_chassis::Env;

use self::{
    arrivals::TimeOfDay,
    city::City,
    client::Client,
    plan::{Extent, Plan},
    play::Stage,
    tally::Tally,
};
use crate::{run_file::RunFile, stop};

/// The time between two lines of progress where they are not read on a terminal.
const REPORT_INTERVAL: Duration = Duration::from_secs(10);

#[derive(clap::Subcommand)]
pub enum Command {
    /// Plays a Friday evening into the running `tiffin up`: customers order and pay, the restaurants of
    /// owner@tiffin.local cook or refuse, drivers ride along the demo's streets and send their positions. It makes the
    /// accounts that it needs, once. It ends when the last order has ended, or with Ctrl-C; orders that are open then
    /// stay open.
    Day(Options),
}

#[derive(clap::Args)]
pub struct Options {
    /// The number of orders, one for each dish of a cart.
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u16).range(1..=5_000))]
    orders: u16,
    /// Minutes of the evening in one minute.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u8).range(1..=60))]
    speed: u8,
    /// The same seed and options give the same evening.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The time of day at which it begins.
    #[arg(long, default_value = "18:30")]
    from: TimeOfDay,
    /// The time of day after which nothing more is ordered. Most orders come around eight.
    #[arg(long, default_value = "21:30")]
    until: TimeOfDay,
    /// Prints the plan instead, one order a line as JSON.
    #[arg(long)]
    plan: bool,
}

pub async fn run(command: Command, env: &Env) -> Result<()> {
    let Command::Day(options) = command;
    ensure!(options.from < options.until, "--from is not before --until");
    let city = City::read()?;
    let extent = Extent {
        orders: usize::from(options.orders),
        seed: options.seed,
        from: options.from,
        until: options.until,
    };
    let plan = Plan::draw(&city, extent)?;
    if options.plan {
        return print(&plan);
    }
    let stop = stop::on_signal()?;
    let running = RunFile::read(Path::new(env.get("TIFFIN_HOME").unwrap_or(".tiffin")))?;
    let client = Client::new(&running.url)?;
    tokio::select! {
        () = stop.cancelled() => println!("\nstopped: {}", client.tally),
        played = play(client.clone(), &running, &city, &plan, &options, env) => played?,
    }
    for refusal in client.tally.refusals() {
        println!("  {refusal}");
    }
    Ok(())
}

/// Prints the plan. The reader of a pipe may stop reading.
fn print(plan: &Plan) -> Result<()> {
    let mut lines = String::new();
    for order in plan.orders() {
        lines += &serde_json::to_string(&order)?;
        lines.push('\n');
    }
    let _ = std::io::stdout().lock().write_all(lines.as_bytes());
    Ok(())
}

async fn play(
    client: Client,
    running: &RunFile,
    city: &City,
    plan: &Plan,
    options: &Options,
    env: &Env,
) -> Result<()> {
    let no_demo = || format!("{} has no demo to play in", running.url);
    // The accounts have the demo's password, which anyone can read. Only a platform with the demo gets them.
    let owner = play::sign_in_owner(&client).await.with_context(no_demo)?;
    let made = accounts::ensure(running, plan, env).await?;
    let tally = Arc::clone(&client.tally);
    let stage = Stage::set(client, owner, city, plan, options.speed).await;
    let stage = Arc::new(stage.with_context(no_demo)?);
    println!(
        "{}: {} orders of {} customers, {} drivers, {made} new accounts, {}× from {} on",
        running.url,
        plan.order_count(),
        plan.customers.len(),
        plan.drivers.len(),
        options.speed,
        options.from,
    );
    tokio::select! {
        () = play::play(&stage, &plan.checkouts) => {}
        never = report(&stage, &tally, options.from) => match never {},
    }
    println!(
        "\nthe evening is over at {}: {tally}",
        options.from.after(stage.pace.now())
    );
    Ok(())
}

/// Prints the progress in one line, again and again.
async fn report(stage: &Stage, tally: &Tally, from: TimeOfDay) -> std::convert::Infallible {
    let is_terminal = std::io::stdout().is_terminal();
    let interval = if is_terminal {
        Duration::from_secs(1)
    } else {
        REPORT_INTERVAL
    };
    loop {
        let line = format!("{}  {tally}", from.after(stage.pace.now()));
        if is_terminal {
            print!("\r\x1b[K{line}");
            let _ = std::io::stdout().flush();
        } else {
            println!("{line}");
        }
        tokio::time::sleep(interval).await;
    }
}
