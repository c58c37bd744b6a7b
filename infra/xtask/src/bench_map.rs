//! The administrators' map with 500 drivers, drawn by a headless browser.

use anyhow::Result;

use crate::{debian, platform::Platform, step, web};

/// Frames a second and the page's heap over two minutes, while 500 drivers send a position a second over
/// separate websockets. A debug build: a release build leaves the browser more of the machine.
pub fn run() -> Result<()> {
    debian::ensure_installed("chromium")?;
    web::ensure_packages()?;
    let platform = Platform::start("dev")?;
    let mut command = step::npm();
    command
        .args(["run", "--silent", "bench:map"])
        .env("TIFFIN_URL", &platform.url)
        .env("TIFFIN_HOME", platform.home());
    step::run("bench map", &mut command).map(drop)
}
