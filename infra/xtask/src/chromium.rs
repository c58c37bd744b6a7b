//! Debian's Chromium, which the browser tests drive.

use std::{path::Path, process::Command};

use anyhow::{Result, ensure};

use crate::step;

const BROWSER: &str = "/usr/bin/chromium";

/// Installs Chromium where it is missing, and says so.
pub fn ensure_installed() -> Result<()> {
    if Path::new(BROWSER).exists() {
        return Ok(());
    }
    eprintln!("chromium is not installed: installing Debian's package");
    let privileged = |program: &str| {
        // Only root may install; others are asked for their password.
        let is_root = Command::new("id")
            .arg("-u")
            .output()
            .is_ok_and(|out| out.stdout.trim_ascii() == b"0");
        if is_root {
            Command::new(program)
        } else {
            let mut command = Command::new("sudo");
            command.arg(program);
            command
        }
    };
    step::run(
        "apt-get update",
        privileged("apt-get").args(["update", "-qq"]),
    )?;
    step::run(
        "apt-get install chromium",
        privileged("apt-get")
            .env("DEBIAN_FRONTEND", "noninteractive")
            .args(["install", "-y", "-qq", "chromium"]),
    )?;
    ensure!(
        Path::new(BROWSER).exists(),
        "chromium was installed, but {BROWSER} is not there"
    );
    Ok(())
}
