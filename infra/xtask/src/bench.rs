//! Benchmarks that need a release build of the load generator.

use anyhow::Result;

use crate::{
    platform::{Platform, target_folder},
    step,
};

/// The log filter of a platform whose round trips are counted.
const STATEMENTS: &str = "info,sqlx::query=debug,tiffin_chassis=debug";

/// Logins with addresses that have an account, beside those that have none.
pub fn login() -> Result<()> {
    run("login", &[])
}

/// The live bridge beside two others, on this machine in one run.
pub fn live(stalled: bool, drivers: bool) -> Result<()> {
    let options: &[&str] = match (stalled, drivers) {
        (true, _) => &["--stalled"],
        (false, true) => &["--drivers"],
        (false, false) => &[],
    };
    run("live", options)
}

/// A bridge that is killed under its watchers, beside a release build of the platform.
pub fn storm() -> Result<()> {
    let platform = Platform::start("release")?;
    let home = platform.home().to_string_lossy().into_owned();
    let binary = target_folder()?.join("release/tiffin");
    let binary = binary.to_string_lossy().into_owned();
    run("storm", &["--home", &home, "--binary", &binary])
}

/// The cost of an order on a release build with demo data, started for it; then the round trips of its calls on
/// another one, which logs its statements.
pub fn orders(rounds: u32) -> Result<()> {
    let platform = Platform::start("release")?;
    orders_at(&platform, rounds, &[])?;
    drop(platform);
    let log = tempfile::NamedTempFile::new()?;
    let platform = Platform::start_logging("release", STATEMENTS, log.path())?;
    let home = platform.home().to_string_lossy().into_owned();
    let log = log.path().to_string_lossy().into_owned();
    run("round-trips", &["--home", &home, "--log", &log])
}

/// The cost of an order with two processes of each service.
pub fn orders_with_second(rounds: u32) -> Result<()> {
    let platform = Platform::start("release")?;
    let binary = target_folder()?.join("release/tiffin");
    let binary = binary.to_string_lossy().into_owned();
    orders_at(&platform, rounds, &["--second", &binary])
}

/// Orders that are placed with and without archiving beside them.
pub fn orders_beside_archiving(rounds: u32) -> Result<()> {
    let platform = Platform::start("release")?;
    orders_at(&platform, rounds, &["--archiving"])
}

fn orders_at(platform: &Platform, rounds: u32, options: &[&str]) -> Result<()> {
    let home = platform.home().to_string_lossy().into_owned();
    let rounds = rounds.to_string();
    let usual = ["--home", &home, "--rounds", &rounds];
    run("orders", &[&usual[..], options].concat())
}

/// Replays beside a bare pull consumer, and the read model of orders rebuilt from a million events: in the stream, in
/// the archive, and from a snapshot.
pub fn replay() -> Result<()> {
    run("replay", &[])
}

/// A million orders through stream, outbox, event log and archive.
pub fn history() -> Result<()> {
    run("history", &[])
}

/// The archive's reader beside DuckDB's, on the same files.
pub fn archive() -> Result<()> {
    run("archive", &[])
}

/// Suggested drivers beside the nearest and the earliest, on made-up days.
pub fn dispatch(seeds: u32) -> Result<()> {
    run("dispatch", &["--seeds", &seeds.to_string()])
}

/// Runs one benchmark of the load generator.
pub fn run(bench: &str, options: &[&str]) -> Result<()> {
    let mut command = step::cargo();
    command.args(["run", "--release", "--package", "tiffin-bench", "--", bench]);
    command.args(options);
    step::run(&format!("bench {bench}"), &mut command).map(drop)
}
