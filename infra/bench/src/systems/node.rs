//! The plain bridge in Node.js, with its packages installed at first use.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, ensure};

const FILES: [(&str, &str); 3] = [
    ("package.json", include_str!("../../node/package.json")),
    (
        "package-lock.json",
        include_str!("../../node/package-lock.json"),
    ),
    ("bridge.mjs", include_str!("../../node/bridge.mjs")),
];

/// Its command.
pub fn command(folder: &Path) -> Result<Command> {
    let folder = folder.join("node");
    install(&folder)?;
    let mut command = Command::new("node");
    command.arg("bridge.mjs").current_dir(folder);
    Ok(command)
}

fn install(folder: &PathBuf) -> Result<()> {
    fs::create_dir_all(folder)?;
    let mut is_new = !folder.join("node_modules").is_dir();
    for (name, content) in FILES {
        let file = folder.join(name);
        if fs::read_to_string(&file).ok().as_deref() != Some(content) {
            fs::write(file, content)?;
            is_new = true;
        }
    }
    if is_new {
        println!("installing the packages of the Node.js bridge");
        let status = Command::new("npm")
            .args(["ci", "--no-audit", "--no-fund", "--loglevel=error"])
            .current_dir(folder)
            .status()
            .context("npm, which the Node.js bridge needs")?;
        ensure!(status.success(), "npm ci failed");
    }
    Ok(())
}
