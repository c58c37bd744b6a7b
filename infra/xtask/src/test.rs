//! `cargo xtask test`: everything, in the order that fails soonest.

use std::{
    io::{self, Seek},
    process::Command,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};

use crate::{
    attack, calls, contract, debian, fuzz, generate, localstripe::LocalStripe, platform::Platform,
    step, web,
};

/// The number of made-up requests for each operation and role here; `cargo xtask fuzz` makes more.
const EXAMPLES: u32 = 10;

/// A step's name and its work.
type Step = (&'static str, fn() -> Result<()>);

pub fn run() -> Result<()> {
    let steps: [Step; 12] = [
        ("formatting", formatting),
        ("contracts: documents", contract::check),
        ("lints", lints),
        ("web: packages", web::ensure_packages),
        ("web: lints", || npm("web: lints", "lint")),
        ("web: unit tests", || npm("web: unit tests", "test")),
        ("generated files", generate::assert_clean),
        ("Rust tests: build", || test_workspace(&["--no-run"])),
        ("Rust tests, browser journey", rust_tests_and_journey),
        ("calls of the specification", calls::print),
        ("made-up requests", || fuzz::run(EXAMPLES, &fuzz::ROLES)),
        ("attack tools", || attack::run(attack::Extent::SHORT)),
    ];
    let began = Instant::now();
    let mut times = Vec::new();
    for (name, step) in steps {
        let start = Instant::now();
        let outcome = step();
        times.push((name, start.elapsed()));
        if let Err(error) = outcome {
            report(&times, began);
            return Err(error.context(name));
        }
    }
    report(&times, began);
    eprintln!("everything passed");
    Ok(())
}

/// The time of each step.
fn report(times: &[(&str, Duration)], began: Instant) {
    eprintln!();
    for (name, took) in times {
        eprintln!("{name:<32} {:>7.1} s", took.as_secs_f64());
    }
    let all = began.elapsed().as_secs_f64();
    eprintln!("{:<32} {all:>7.1} s", "all");
}

fn formatting() -> Result<()> {
    let mut command = step::cargo();
    command.args(["fmt", "--all", "--check"]);
    step::run("formatting", &mut command).map(drop)
}

fn lints() -> Result<()> {
    let mut command = step::cargo();
    command.args(["clippy", "--quiet", "--workspace", "--all-targets"]);
    command.args(["--", "--deny", "warnings"]);
    step::run("lints", &mut command).map(drop)
}

/// Both at once: much of their time they wait. The journey is a process whose output comes after that of the Rust
/// tests.
fn rust_tests_and_journey() -> Result<()> {
    calls::clear()?;
    let mut output = tempfile::tempfile()?;
    // The build of the tests has replaced this program's file: its path leads to another or to none.
    let mut journey = Command::new("/proc/self/exe")
        .arg("journey")
        .stdout(output.try_clone()?)
        .stderr(output.try_clone()?)
        .spawn()
        .context("browser journey")?;
    let tests = test_workspace(&["--no-fail-fast"]);
    let journey = journey.wait()?;
    output.rewind()?;
    io::copy(&mut output, &mut io::stdout())?;
    tests?;
    ensure!(
        journey.success(),
        "browser journey: it ended with {journey}"
    );
    Ok(())
}

fn test_workspace(options: &[&str]) -> Result<()> {
    let mut command = step::cargo();
    command.args(["test", "--workspace"]).args(options);
    step::run("Rust tests", &mut command).map(drop)
}

fn npm(name: &str, script: &str) -> Result<()> {
    step::run(name, step::npm().args(["run", "--silent", script])).map(drop)
}

/// The main job in three browsers, against a separate platform.
pub fn journey() -> Result<()> {
    debian::ensure_installed("chromium")?;
    web::ensure_packages()?;
    let platform = Platform::start("dev")?;
    step::run(
        "browser journey",
        browser(&platform).args(["run", "--silent", "journey"]),
    )?;
    drop(platform);
    let stripe = LocalStripe::start()?;
    let platform = Platform::start_with_settings("dev", &stripe.settings)?;
    step::run(
        "browser journey with Stripe",
        browser(&platform)
            .args(["run", "--silent", "journey:stripe"])
            .env("TIFFIN_STRIPE", &stripe.url),
    )?;
    Ok(())
}

/// Lighthouse on the most important pages, against a separate platform. It is built as for tests: the
/// harder case, in a tenth of the time.
pub fn lighthouse() -> Result<()> {
    debian::ensure_installed("chromium")?;
    web::ensure_packages()?;
    let platform = Platform::start("dev")?;
    step::run(
        "Lighthouse",
        browser(&platform).args(["run", "--silent", "lighthouse"]),
    )?;
    Ok(())
}

/// Screenshots of every page, from a separate platform.
pub fn shots(folder: &str) -> Result<()> {
    debian::ensure_installed("chromium")?;
    web::ensure_packages()?;
    let platform = Platform::start("dev")?;
    let folder = step::root().join(folder);
    step::run(
        "screenshots",
        browser(&platform)
            .args(["run", "--silent", "shots"])
            .env("TIFFIN_SHOTS", &folder),
    )?;
    println!("screenshots are in {}", folder.display());
    Ok(())
}

fn browser(platform: &Platform) -> std::process::Command {
    let mut command = step::npm();
    command
        .env("TIFFIN_URL", &platform.url)
        .env("TIFFIN_HOME", platform.home());
    command
}
