//! Made-up bytes for the readers of what strangers send: `cargo fuzz` on the frames of clients, the
//! protocol of the broker, the envelope of events and uploaded pictures. Coverage leads it to inputs
//! that reach further; the address sanitizer watches the memory.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail, ensure};

use crate::step;

/// The version of cargo-fuzz that is installed where there is none.
const CARGO_FUZZ: &str = "0.13.2";
/// Seconds that one input may take.
const MAX_INPUT_SECONDS: u32 = 20;
/// Megabytes of the whole process.
const MAX_MEMORY_MB: u32 = 2_048;

/// The inputs of a run.
pub const TARGETS: [&str; 4] = ["frame", "protocol", "envelope", "picture"];

/// The target of that name.
pub fn target(name: &str) -> Result<&'static str> {
    let target = TARGETS.into_iter().find(|known| *known == name);
    target.with_context(|| format!("there is no target {name}"))
}

/// Tries each target for its part of the time. What is found lies in `infra/fuzz/findings/<target>`,
/// where the Rust tests try it from then on.
pub fn run(minutes: u32, targets: &[&str]) -> Result<()> {
    let tool = ensure_installed()?;
    step::run("build the targets", fuzz(&tool, "build").arg("--release"))?;
    let seconds = minutes * 60 / u32::try_from(targets.len())?.max(1);
    let mut lines = Vec::new();
    let mut failed = Vec::new();
    for target in targets {
        match try_one(&tool, target, seconds) {
            Ok(line) => lines.push(line),
            Err(error) => failed.push(format!("{error:#}")),
        }
    }
    eprintln!();
    for line in lines {
        eprintln!("{line}");
    }
    ensure!(failed.is_empty(), "{}", failed.join("\n"));
    Ok(())
}

fn try_one(tool: &Path, target: &str, seconds: u32) -> Result<String> {
    let folder = step::root().join("infra/fuzz");
    let findings = folder.join("findings").join(target);
    let seeds = folder.join("seeds").join(target);
    let grown = step::root().join(".tiffin/fuzz").join(target);
    for folder in [&findings, &seeds, &grown] {
        fs::create_dir_all(folder)?;
    }
    let log = grown.with_extension("log");
    eprintln!("\n== {target}: {seconds} s, the log is {}", log.display());
    let mut command = fuzz(tool, "run");
    // The first folder takes what grows, the others are read.
    command.arg(target).args([&grown, &seeds, &findings]);
    if target == "envelope" {
        command.arg(step::root().join("events/catalog/samples"));
    }
    let status = command
        .arg("--")
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-artifact_prefix={}/", findings.display()))
        .arg(format!("-timeout={MAX_INPUT_SECONDS}"))
        .arg(format!("-rss_limit_mb={MAX_MEMORY_MB}"))
        .args(["-max_len=65536", "-print_final_stats=1", "-verbosity=1"])
        .stdout(Stdio::null())
        .stderr(fs::File::create(&log)?)
        .status()
        .context("cargo fuzz")?;
    let said = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
    if !status.success() {
        let last: Vec<&str> = said.lines().rev().take(40).collect();
        let last: Vec<&str> = last.into_iter().rev().collect();
        bail!(
            "{target}: a finding in {}\n{}",
            findings.display(),
            last.join("\n")
        );
    }
    let last = said.lines().rev().find(|line| line.contains(" cov: "));
    let last = last.with_context(|| format!("{target} tried nothing:\n{said}"))?;
    Ok(format!("{target:<10} {}", last.trim()))
}

/// A command of cargo-fuzz. Coverage and the sanitizer are unstable flags of the compiler.
fn fuzz(tool: &Path, command: &str) -> Command {
    let mut fuzz = Command::new(tool);
    fuzz.current_dir(step::root())
        .env("RUSTC_BOOTSTRAP", "1")
        .env_remove("DATABASE_URL")
        .env_remove("NATS_URL")
        .args([command, "--fuzz-dir", "infra/fuzz"])
        .arg("--target-dir")
        .arg(step::root().join("target/fuzz"));
    fuzz
}

fn ensure_installed() -> Result<PathBuf> {
    let root = step::root().join(".tiffin/cargo-fuzz");
    let tool = root.join("bin/cargo-fuzz");
    if tool.exists() {
        return Ok(tool);
    }
    eprintln!("\ncargo-fuzz is not there: building {CARGO_FUZZ}, about a minute");
    let mut install = step::cargo();
    install
        .args(["install", "cargo-fuzz", "--locked", "--version", CARGO_FUZZ])
        .arg("--root")
        .arg(&root);
    step::run("install cargo-fuzz", &mut install)?;
    Ok(tool)
}
