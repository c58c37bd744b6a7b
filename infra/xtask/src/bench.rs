//! Benchmarks that need a release build of the load generator.

use anyhow::Result;

use crate::step;

/// Logins with addresses that have an account, beside those that have none.
pub fn login() -> Result<()> {
    let mut command = step::cargo();
    command.args([
        "run",
        "--release",
        "--package",
        "tiffin-bench",
        "--",
        "login",
    ]);
    step::run("bench login", &mut command).map(drop)
}

/// The live bridge beside two others, on this machine in one run.
pub fn live(stalled: bool) -> Result<()> {
    let mut command = step::cargo();
    command.args([
        "run",
        "--release",
        "--package",
        "tiffin-bench",
        "--",
        "live",
    ]);
    if stalled {
        command.arg("--stalled");
    }
    step::run("bench live", &mut command).map(drop)
}

/// Replays beside a bare pull consumer, and the read model of orders rebuilt from a million events.
pub fn replay() -> Result<()> {
    let mut command = step::cargo();
    command.args([
        "run",
        "--release",
        "--package",
        "tiffin-bench",
        "--",
        "replay",
    ]);
    step::run("bench replay", &mut command).map(drop)
}
