//! A bridge as a process beside the platform.

use std::{
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use anyhow::{Context, Result};
use tokio::net::TcpStream;

use crate::orders::town::Running;

const PAUSE: Duration = Duration::from_millis(20);

pub struct Bridge {
    binary: PathBuf,
    /// The port that watchers connect to.
    pub port: u16,
    internal: u16,
    broker: String,
    keys: String,
    process: Child,
}

impl Bridge {
    pub async fn start(binary: &Path, platform: &Running) -> Result<Self> {
        let (port, internal) = (tiffin_servers::free_port()?, tiffin_servers::free_port()?);
        let broker = platform.nats.url.clone();
        let keys = format!("{}/.well-known/jwks.json", platform.url);
        let bridge = Self {
            process: spawn(binary, port, internal, &broker, &keys)?,
            binary: binary.to_owned(),
            port,
            internal,
            broker,
            keys,
        };
        bridge.listens().await;
        Ok(bridge)
    }

    /// Ends it as if the machine had lost power.
    pub fn kill(&mut self) -> Result<()> {
        self.process.kill()?;
        self.process.wait()?;
        Ok(())
    }

    pub async fn start_again(&mut self) -> Result<()> {
        let (broker, keys) = (&self.broker, &self.keys);
        self.process = spawn(&self.binary, self.port, self.internal, broker, keys)?;
        self.listens().await;
        Ok(())
    }

    async fn listens(&self) {
        while TcpStream::connect(("127.0.0.1", self.port)).await.is_err() {
            tokio::time::sleep(PAUSE).await;
        }
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.kill();
    }
}

fn spawn(binary: &Path, port: u16, internal: u16, broker: &str, keys: &str) -> Result<Child> {
    Command::new(binary)
        .args(["serve", "live"])
        .env("TIFFIN_BIND", format!("127.0.0.1:{port}"))
        .env("TIFFIN_INTERNAL_BIND", format!("127.0.0.1:{internal}"))
        .env("NATS_URL", broker)
        .env("TIFFIN_JWKS_URL", keys)
        // Every watcher says which network it comes from, as a proxy would.
        .env("TIFFIN_BEHIND_PROXY", "true")
        .env("RUST_LOG", "error")
        .stdin(Stdio::null())
        .spawn()
        .with_context(|| binary.display().to_string())
}
