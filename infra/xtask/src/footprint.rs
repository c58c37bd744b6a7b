//! Memory of the idle platform, fresh and after load.

use std::{thread, time::Duration};

use anyhow::Result;

use crate::{bench, platform::Platform};

/// The most memory in MB that all processes of the idle platform may hold together, with its demo data alone.
const MAX_FRESH_MB: u64 = 220;
/// The same after orders and whole lives.
const MAX_AFTER_LOAD_MB: u64 = 240;
/// The time to settle first.
const SETTLE_TIME: Duration = Duration::from_mins(1);

/// Starts a release build with its demo data and prints the proportional set size of each kind of process when
/// it has settled, and again two minutes after a load of orders.
pub fn run() -> Result<()> {
    let platform = Platform::start("release")?;
    eprintln!("settling for {} s", SETTLE_TIME.as_secs());
    thread::sleep(SETTLE_TIME);
    let memory = |most: u64| {
        let pid = platform.process_id().to_string();
        bench::run("footprint", &["--pid", &pid, "--most", &most.to_string()])
    };
    memory(MAX_FRESH_MB)?;
    let home = platform.home().to_string_lossy().into_owned();
    bench::run("orders", &["--home", &home, "--rounds", "1"])?;
    memory(MAX_AFTER_LOAD_MB)
}
