//! One step of a task: a heading, a command, its time.

use std::{
    path::PathBuf,
    process::Command,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};

/// The repository's root.
pub fn root() -> PathBuf {
    // This is infra/xtask.
    let mut root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    root.pop();
    root.pop();
    root
}

/// The cargo that runs this task.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command
        .current_dir(root())
        .env_remove("DATABASE_URL")
        .env_remove("NATS_URL");
    command
}

/// A program of the web app's folder.
pub fn npm() -> Command {
    let mut command = Command::new("npm");
    command
        .current_dir(root().join("web"))
        .env("npm_config_fund", "false")
        .env("npm_config_audit", "false");
    command
}

/// Runs a command to its end, and fails with the step's name if it fails.
pub fn run(name: &str, command: &mut Command) -> Result<Duration> {
    eprintln!("\n== {name}");
    let began = Instant::now();
    let status = command
        .status()
        .with_context(|| format!("{name}: {command:?} could not be started"))?;
    ensure!(status.success(), "{name}: {command:?} ended with {status}");
    let took = began.elapsed();
    eprintln!("== {name}: {:.1} s", took.as_secs_f64());
    Ok(took)
}
