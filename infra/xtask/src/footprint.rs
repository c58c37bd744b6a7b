//! Memory of the idle platform.

use std::{thread, time::Duration};

use anyhow::Result;

use crate::{bench, platform::Platform};

/// The most memory in MB that all processes of the idle platform may hold together.
const MOST_MB: u64 = 250;
/// The time to settle first.
const SETTLE: Duration = Duration::from_mins(1);

/// Starts a release build with its demo data, lets it settle and prints the proportional set size of
/// each kind of process. `bench orders` prints the same after load.
pub fn run() -> Result<()> {
    let platform = Platform::start("release")?;
    eprintln!("settling for {} s", SETTLE.as_secs());
    thread::sleep(SETTLE);
    let pid = platform.process_id().to_string();
    bench::run(
        "footprint",
        &["--pid", &pid, "--most", &MOST_MB.to_string()],
    )
}
