//! Generated files: committed, and written again by `cargo xtask generate`.

use std::{fs, process::Command};

use anyhow::{Context, Result, ensure};

use crate::{queries, step, web};

/// The merged description of what the services answer.
pub const OPENAPI: &str = "web/openapi.json";
/// The description of the events and the live websocket.
pub const ASYNCAPI: &str = "events/asyncapi.json";
/// The manual's pages.
const MANUAL: &str = "infra/man";

/// Everything that is generated, by path.
const GENERATED: [&str; 12] = [
    "docs/operations.md",
    "events/catalog/schemas",
    "events/catalog/README.md",
    "infra/nats/users.conf",
    "infra/postgres/databases.sql",
    ASYNCAPI,
    OPENAPI,
    MANUAL,
    "platform/tiffin/demo/colombo.osm",
    "web/src/api/generated",
    "web/src/lib/services.ts",
    "*/.sqlx",
];

pub fn run() -> Result<()> {
    queries::run(&[])?;
    contracts()
}

/// Event schemas, the configuration tables, the merged documents, the manual, the API client, and the demo's
/// roads.
pub fn contracts() -> Result<()> {
    step::run(
        "event schemas",
        tests_of("tiffin-events")
            .args(["--test", "contract"])
            .env("TIFFIN_GENERATE", "1"),
    )?;
    step::run(
        "configuration tables",
        tests_of("tiffin-chassis")
            .args(["--lib", "operations_page"])
            .env("TIFFIN_GENERATE", "1"),
    )?;
    write("openapi", OPENAPI)?;
    write("asyncapi", ASYNCAPI)?;
    manual()?;
    web::ensure_packages()?;
    step::run(
        "API client",
        step::npm().args(["run", "--silent", "generate"]),
    )?;
    step::run(
        "roads of the demo",
        step::npm().args(["run", "--silent", "generate:roads"]),
    )
    .map(drop)
}

/// The tests of one package, built with the platform's features, so that the build of all tests uses the same artifacts.
fn tests_of(package: &str) -> Command {
    let mut command = step::cargo();
    command.args([
        "test",
        "--quiet",
        "--package",
        package,
        "--package",
        "tiffin",
    ]);
    command
}

/// Writes a page a command. The pages of commands that are gone go.
fn manual() -> Result<()> {
    let folder = step::root().join(MANUAL);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let mut write = step::cargo();
    write.args([
        "run",
        "--quiet",
        "--package",
        "tiffin",
        "--",
        "man",
        "--folder",
    ]);
    step::run("manual", write.arg(&folder)).map(drop)
}

/// Writes what `tiffin <command>` prints to a file.
fn write(command: &str, file: &str) -> Result<()> {
    let document = step::cargo()
        .args(["run", "--quiet", "--package", "tiffin", "--", command])
        .output()
        .with_context(|| format!("tiffin {command}"))?;
    ensure!(
        document.status.success(),
        "tiffin {command}: {}",
        String::from_utf8_lossy(&document.stderr)
    );
    Ok(fs::write(step::root().join(file), document.stdout)?)
}

/// Fails if writing the contracts again changed anything that is committed.
pub fn assert_clean() -> Result<()> {
    contracts()?;
    let mut status = Command::new("git");
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
