//! A whole platform for a task: `tiffin up` in a temporary folder, stopped at the end.

use std::{
    fs::File,
    path::{Path, PathBuf},
    process::{Child, Command},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use serde_json::Value;
use tempfile::TempDir;

use crate::step;

pub struct Platform {
    process: Child,
    home: TempDir,
    pub url: String,
}

impl Platform {
    /// Builds the binary in a profile (`dev` or `release`) and starts everything with demo data.
    pub fn start(profile: &str) -> Result<Self> {
        Self::start_with(profile, |_| Ok(()))
    }

    /// The same with a log of that filter, as JSON lines in a file.
    pub fn start_logging(profile: &str, filter: &str, log: &Path) -> Result<Self> {
        Self::start_with(profile, |command| {
            let log = File::create(log)?;
            command
                .env("RUST_LOG", filter)
                .env("TIFFIN_LOG_FORMAT", "json")
                .stderr(log);
            Ok(())
        })
    }

    /// The same at the lowest priority: a browser beside it gets the time that it has on a customer's own machine.
    pub fn start_behind_browser(profile: &str) -> Result<Self> {
        Self::start_by(&["chrt", "--idle", "0"], profile, |_| Ok(()))
    }

    /// The same with settings besides those of every platform.
    pub fn start_with_settings(profile: &str, settings: &[(String, String)]) -> Result<Self> {
        Self::start_with(profile, |command| {
            command.envs(settings.iter().cloned());
            Ok(())
        })
    }

    fn start_with(profile: &str, change: impl FnOnce(&mut Command) -> Result<()>) -> Result<Self> {
        Self::start_by(&[], profile, change)
    }

    /// Starts it by another command, `launcher`, or by none.
    fn start_by(
        launcher: &[&str],
        profile: &str,
        change: impl FnOnce(&mut Command) -> Result<()>,
    ) -> Result<Self> {
        step::run(
            "build the platform",
            step::cargo().args(["build", "--package", "tiffin", "--profile", profile]),
        )?;
        let folder = if profile == "dev" { "debug" } else { profile };
        let binary = target_folder()?.join(folder).join("tiffin");
        let home = tempfile::Builder::new().prefix("tiffin-").tempdir()?;
        let port = tiffin_servers::free_port()?;
        let mut command = match launcher {
            [] => Command::new(binary),
            [program, arguments @ ..] => {
                let mut command = Command::new(program);
                command.args(arguments).arg(binary);
                command
            }
        };
        command
            .arg("up")
            .current_dir(step::root())
            .env_remove("DATABASE_URL")
            .env_remove("NATS_URL")
            .env("TIFFIN_HOME", home.path())
            // The fetched server binaries are shared with every other run from this folder.
            .env("TIFFIN_SERVERS", step::root().join(".tiffin/servers"))
            .env("TIFFIN_PORT", port.to_string())
            // Tests and measurements open hundreds of accounts from one address.
            .env("TIFFIN_SIGN_UPS", "100000")
            // Orders wait here for as long as a test needs.
            .env("TIFFIN_ANSWER_MINUTES", "0")
            .env("TIFFIN_WRITE_LIMIT_FACTOR", "1000");
        change(&mut command)?;
        let process = command.spawn().context("tiffin up")?;
        let mut platform = Self {
            process,
            home,
            url: format!("http://localhost:{port}"),
        };
        platform.wait_until_ready()?;
        Ok(platform)
    }

    pub fn home(&self) -> PathBuf {
        self.home.path().to_owned()
    }

    pub fn process_id(&self) -> u32 {
        self.process.id()
    }

    fn wait_until_ready(&mut self) -> Result<()> {
        let began = Instant::now();
        while began.elapsed() < Duration::from_mins(10) {
            if let Some(status) = self.process.try_wait()? {
                bail!("tiffin up ended with {status} before it was ready");
            }
            if self.home.path().join("run.json").exists() {
                return Ok(());
            }
            thread::sleep(Duration::from_millis(200));
        }
        bail!("tiffin up was not ready within ten minutes")
    }
}

impl Drop for Platform {
    fn drop(&mut self) {
        let id = self.process.id().to_string();
        let asked = Command::new("kill").args(["-TERM", &id]).status();
        if asked.is_err() || self.process.wait().is_err() {
            eprintln!("tiffin up (process {id}) could not be stopped");
        }
    }
}

/// Cargo's target folder.
pub fn target_folder() -> Result<PathBuf> {
    let output = step::cargo()
        .args(["metadata", "--format-version=1", "--no-deps"])
        .output()?;
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    metadata["target_directory"]
        .as_str()
        .map(PathBuf::from)
        .context("cargo metadata names no target folder")
}
