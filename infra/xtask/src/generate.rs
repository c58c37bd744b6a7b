//! Generated files: committed, and written again by `cargo xtask generate`.

use std::fs;

use anyhow::{Context, Result, ensure};

use crate::{queries, step, web};

/// Everything that is generated, by path.
const GENERATED: [&str; 5] = [
    "events/catalog/schemas",
    "events/catalog/README.md",
    "web/openapi.json",
    "web/src/api/generated",
    "*/.sqlx",
];

pub fn run() -> Result<()> {
    queries::run()?;
    contracts()
}

/// Event schemas, the merged OpenAPI document, and the API client made from it.
pub fn contracts() -> Result<()> {
    step::run(
        "event schemas",
        step::cargo()
            .args(["test", "--quiet", "--package", "tiffin-events"])
            .env("TIFFIN_GENERATE", "1"),
    )?;
    let document = step::cargo()
        .args(["run", "--quiet", "--package", "tiffin", "--", "openapi"])
        .output()
        .context("tiffin openapi")?;
    ensure!(
        document.status.success(),
        "tiffin openapi: {}",
        String::from_utf8_lossy(&document.stderr)
    );
    fs::write(step::root().join("web/openapi.json"), document.stdout)?;
    web::ensure_packages()?;
    step::run(
        "API client",
        step::npm().args(["run", "--silent", "generate"]),
    )
    .map(drop)
}

/// Fails if writing the contracts again changed anything that is committed.
pub fn assert_clean() -> Result<()> {
    contracts()?;
    let mut status = std::process::Command::new("git");
    status
        .current_dir(step::root())
        .args(["status", "--porcelain", "--"])
        .args(GENERATED);
    let output = status.output().context("git status")?;
    let changed = String::from_utf8_lossy(&output.stdout);
    ensure!(
        changed.is_empty(),
        "generated files are not what the code says; run `cargo xtask generate`:\n{changed}"
    );
    Ok(())
}
