//! `cargo xtask test`: everything, in the order that fails soonest.

use std::time::Instant;

use anyhow::Result;

use crate::{chromium, generate, platform::Platform, step, web};

pub fn run() -> Result<()> {
    let began = Instant::now();
    chromium::ensure_installed()?;
    step::run(
        "formatting",
        step::cargo().args(["fmt", "--all", "--check"]),
    )?;
    step::run(
        "lints",
        step::cargo().args([
            "clippy",
            "--quiet",
            "--workspace",
            "--all-targets",
            "--",
            "--deny",
            "warnings",
        ]),
    )?;
    step::run(
        "Rust tests",
        step::cargo().args(["test", "--workspace", "--no-fail-fast"]),
    )?;
    web::ensure_packages()?;
    step::run("web: lints", step::npm().args(["run", "--silent", "lint"]))?;
    step::run(
        "web: unit tests",
        step::npm().args(["run", "--silent", "test"]),
    )?;
    generate::assert_clean()?;
    journey()?;
    eprintln!(
        "\neverything passed in {:.0} min",
        began.elapsed().as_secs_f64() / 60.0
    );
    Ok(())
}

/// The main job in three browsers, against a platform of its own.
pub fn journey() -> Result<()> {
    chromium::ensure_installed()?;
    web::ensure_packages()?;
    let platform = Platform::start("dev")?;
    step::run(
        "browser journey",
        browser(&platform).args(["run", "--silent", "journey"]),
    )?;
    Ok(())
}

/// Screenshots of every page, from a platform of its own.
pub fn shots(folder: &str) -> Result<()> {
    chromium::ensure_installed()?;
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
