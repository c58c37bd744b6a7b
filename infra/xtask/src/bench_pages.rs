//! Pages on which much moves, drawn by a headless browser on a platform started for it. The platform has the lowest
//! priority: in use, it does not run on the machine of the browser.

use anyhow::Result;

use crate::{debian, platform::Platform, step, web};

/// Frames a second and the page's heap over two minutes, while 500 drivers send a position a second over
/// separate websockets.
pub fn map() -> Result<()> {
    run("bench:map")
}

/// Frames a second of the owner's board with a hundred tickets, while others come and go.
pub fn board() -> Result<()> {
    run("bench:board")
}

fn run(script: &str) -> Result<()> {
    debian::ensure_installed("chromium")?;
    web::ensure_packages()?;
    let platform = Platform::start_behind_browser("dev")?;
    let mut command = step::npm();
    command
        .args(["run", "--silent", script])
        .env("TIFFIN_URL", &platform.url)
        .env("TIFFIN_HOME", platform.home());
    step::run(script, &mut command).map(drop)
}
