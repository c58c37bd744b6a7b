//! The round trips to the database of each call of an order's life, from the log of a platform that logs its
//! statements.
//!
//! sqlx logs each statement but `begin`, so a request takes as many round trips as it has lines, and one more for
//! each of its transactions. A statement that its connection has not prepared yet takes another one, so the
//! first lives are left out.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use super::{life, platform::Platform};

/// Lives that prepare the statements of each connection.
const WARM_UP: usize = 20;
/// Lives that count.
const LIVES: usize = 20;

#[derive(Debug, clap::Args)]
pub struct Options {
    /// The data folder of a running `tiffin up` with demo data.
    #[arg(long)]
    home: PathBuf,
    /// The log that it writes: JSON lines with `RUST_LOG=info,sqlx::query=debug,tiffin_chassis=debug`.
    #[arg(long)]
    log: PathBuf,
}

/// A line of the log, inside a request.
#[derive(Debug, Deserialize)]
struct Line {
    target: String,
    request_id: Option<String>,
    #[serde(rename = "http.request.method", default)]
    method: String,
    #[serde(rename = "http.route", default)]
    route: String,
    /// The beginning of a statement.
    summary: Option<String>,
    /// The status of an answer.
    status: Option<u16>,
}

#[derive(Debug, Default)]
struct Request {
    call: String,
    round_trips: usize,
    is_answered: bool,
}

pub fn run(options: &Options) -> Result<()> {
    tokio::runtime::Runtime::new()?.block_on(async {
        let platform = Platform::open(&options.home, 1, Arc::default()).await?;
        for _ in 0..WARM_UP {
            live(&platform).await?;
        }
        let warm = fs::metadata(&options.log)?.len();
        for _ in 0..LIVES {
            live(&platform).await?;
        }
        print(&calls(&options.log, warm)?)
    })
}

async fn live(platform: &Platform) -> Result<()> {
    let order = platform.place(0).await?;
    life::complete(platform, 0, &order).await
}

/// The round trips of each successful request, by call.
fn calls(log: &Path, from: u64) -> Result<BTreeMap<String, Vec<usize>>> {
    let log = fs::read(log).with_context(|| log.display().to_string())?;
    let log = log.get(usize::try_from(from)?..).unwrap_or_default();
    let mut requests: HashMap<String, Request> = HashMap::new();
    for line in log.split(|byte| *byte == b'\n') {
        let Ok(line) = serde_json::from_slice::<Line>(line) else {
            continue;
        };
        let Some(id) = line.request_id else { continue };
        let request = requests.entry(id).or_default();
        request.call = format!("{} {}", line.method, line.route);
        if line.target == "sqlx::query" {
            let ends = matches!(line.summary.as_deref(), Some("COMMIT" | "ROLLBACK"));
            request.round_trips += if ends { 2 } else { 1 };
        }
        request.is_answered |= line
            .status
            .is_some_and(|status| (200..300).contains(&status));
    }
    let mut calls: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for request in requests.into_values().filter(|request| request.is_answered) {
        calls
            .entry(request.call)
            .or_default()
            .push(request.round_trips);
    }
    Ok(calls)
}

fn print(calls: &BTreeMap<String, Vec<usize>>) -> Result<()> {
    ensure!(
        !calls.is_empty(),
        "the log has no requests: is it written with the right RUST_LOG?"
    );
    println!("\nround trips to the database, median of the successful requests");
    for (call, round_trips) in calls {
        let mut round_trips = round_trips.clone();
        round_trips.sort_unstable();
        println!("{call:<48} {:>3}", round_trips[round_trips.len() / 2]);
    }
    Ok(())
}
