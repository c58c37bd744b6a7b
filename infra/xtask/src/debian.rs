//! Debian's packages: the browser and the attack tools.

use std::{path::Path, process::Command};

use anyhow::{Result, ensure};

use crate::step;

/// Installs a package where its program, which has the same name, is missing, and says so.
pub fn ensure_installed(package: &str) -> Result<()> {
    let program = Path::new("/usr/bin").join(package);
    if program.exists() {
        return Ok(());
    }
    eprintln!("{package} is not installed: installing Debian's package");
    step::run("apt-get update", as_root("apt-get").args(["update", "-qq"]))?;
    step::run(
        &format!("apt-get install {package}"),
        as_root("apt-get")
            .env("DEBIAN_FRONTEND", "noninteractive")
            .args(["install", "-y", "-qq", package]),
    )?;
    ensure!(
        program.exists(),
        "{package} was installed, but {} is not there",
        program.display()
    );
    Ok(())
}

/// Only root may install; others are asked for their password.
fn as_root(program: &str) -> Command {
    let id = Command::new("id").arg("-u").output();
    if id.is_ok_and(|output| output.stdout.trim_ascii() == b"0") {
        return Command::new(program);
    }
    let mut command = Command::new("sudo");
    command.arg(program);
    command
}
