//! A bridge as a process beside the platform.

use std::{
    path::Path,
    process::{Child, Command},
    time::Duration,
};

use anyhow::{Context, Result};
use tiffin_events::services::SERVICES;
use tokio::net::TcpStream;

use crate::{orders::platform::RunFile, serve};

const POLL_INTERVAL: Duration = Duration::from_millis(20);

pub struct Bridge {
    /// The port that watchers connect to.
    pub port: u16,
    command: Command,
    process: Option<Child>,
}

impl Bridge {
    /// A bridge that is not started yet. `home` is the platform's data folder.
    pub fn new(binary: &Path, home: &Path, run_file: &RunFile) -> Result<Self> {
        let port = tiffin_servers::free_port()?;
        let live = SERVICES.iter().find(|service| service.name == "live");
        let live = live.context("the bridge among the services")?;
        let mut command = serve::command(binary, home, run_file, live, port)?;
        // Every watcher says which network it comes from, as a proxy would.
        command.env("TIFFIN_BEHIND_PROXY", "true");
        Ok(Self {
            port,
            command,
            process: None,
        })
    }

    /// Starts it, and returns once it listens.
    pub async fn start(&mut self) -> Result<()> {
        self.process = Some(self.command.spawn().context("the bridge")?);
        while TcpStream::connect(("127.0.0.1", self.port)).await.is_err() {
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        Ok(())
    }

    /// Ends it as if the machine had lost power.
    pub fn kill(&mut self) -> Result<()> {
        if let Some(mut process) = self.process.take() {
            process.kill()?;
            process.wait()?;
        }
        Ok(())
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.kill();
    }
}
