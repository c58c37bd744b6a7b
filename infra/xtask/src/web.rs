//! The web app's packages.

use anyhow::Result;

use crate::step;

/// Installs what the lock file names, unless it is there already.
pub fn ensure_packages() -> Result<()> {
    let web = step::root().join("web");
    let wanted = std::fs::metadata(web.join("package-lock.json")).and_then(|file| file.modified());
    let there = std::fs::metadata(web.join("node_modules/.package-lock.json"))
        .and_then(|file| file.modified());
    if let (Ok(wanted), Ok(there)) = (wanted, there)
        && there >= wanted
    {
        return Ok(());
    }
    step::run(
        "web: npm ci",
        step::npm().args(["ci", "--no-audit", "--no-fund"]),
    )
    .map(drop)
}
