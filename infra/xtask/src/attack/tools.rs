//! The tools themselves, from Debian.

use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use crate::step;

/// Installs a tool where it is missing, and says so.
pub fn ensure_installed(tool: &str) -> Result<()> {
    if is_there(tool) {
        return Ok(());
    }
    eprintln!("\n{tool} is not there: installing the package of that name with apt-get");
    let mut install = if is_root() {
        Command::new("apt-get")
    } else {
        let mut sudo = Command::new("sudo");
        sudo.args(["--non-interactive", "apt-get"]);
        sudo
    };
    install
        .env("DEBIAN_FRONTEND", "noninteractive")
        .args(["install", "--yes", "--quiet", "--no-install-recommends"])
        .arg(tool);
    step::run(&format!("install {tool}"), &mut install)
        .with_context(|| format!("install {tool} by hand, after `apt-get update`"))
        .map(drop)
}

fn is_there(tool: &str) -> bool {
    let mut which = Command::new("which");
    which.arg(tool).stdout(Stdio::null());
    which.status().is_ok_and(|status| status.success())
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}
