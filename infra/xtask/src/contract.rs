//! The documents of the interfaces, read by other people's tools, and the services tried against them.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::Result;

use crate::{generate, step};

/// Both documents, by the validators that their specifications' authors keep.
pub fn check() -> Result<()> {
    let tools = python_tools()?;
    step::run(
        "OpenAPI document",
        python(&tools)
            .args(["-m", "openapi_spec_validator", "--schema", "3.1"])
            .arg(step::root().join(generate::OPENAPI)),
    )?;
    node_packages()?;
    step::run(
        "AsyncAPI document",
        Command::new("node")
            .current_dir(folder())
            .arg("asyncapi.mjs")
            .arg(step::root().join(generate::ASYNCAPI)),
    )
    .map(drop)
}

/// A Python that finds the pinned tools.
pub fn python(tools: &Path) -> Command {
    let mut command = Command::new("python3");
    command
        .current_dir(step::root())
        .env("PYTHONPATH", tools)
        .env("PYTHONDONTWRITEBYTECODE", "1");
    command
}

/// The folder of the pinned Python tools: fetched and checked by hash if they are missing, as the servers
/// are.
pub fn python_tools() -> Result<PathBuf> {
    let pins = folder().join("requirements.txt");
    let tools = step::root().join(".tiffin/contracts");
    let marker = tools.join("requirements.txt");
    let wanted = std::fs::read(&pins)?;
    if std::fs::read(&marker).is_ok_and(|there| there == wanted) {
        return Ok(tools);
    }
    eprintln!(
        "\nthe contract tools (openapi-spec-validator, schemathesis) are not there: fetching 20 MB"
    );
    if tools.exists() {
        std::fs::remove_dir_all(&tools)?;
    }
    step::run(
        "fetch the contract tools",
        Command::new("python3")
            .args([
                "-m",
                "pip",
                "install",
                "--quiet",
                "--no-input",
                "--no-compile",
            ])
            .args(["--disable-pip-version-check", "--root-user-action=ignore"])
            .args(["--no-deps", "--only-binary=:all:", "--require-hashes"])
            .arg("--target")
            .arg(&tools)
            .arg("--requirement")
            .arg(&pins),
    )?;
    std::fs::write(marker, wanted)?;
    Ok(tools)
}

fn node_packages() -> Result<()> {
    let lock = std::fs::read(folder().join("package-lock.json"))?;
    let marker = folder().join("node_modules/.installed");
    if std::fs::read(&marker).is_ok_and(|there| there == lock) {
        return Ok(());
    }
    step::run(
        "contracts: npm ci",
        Command::new("npm").current_dir(folder()).args([
            "ci",
            "--no-audit",
            "--no-fund",
            "--ignore-scripts",
        ]),
    )?;
    Ok(std::fs::write(marker, lock)?)
}

fn folder() -> PathBuf {
    step::root().join("infra/contracts")
}
