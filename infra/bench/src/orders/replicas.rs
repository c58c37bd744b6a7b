//! A second process of each service, beside a running platform.

use std::{
    collections::BTreeMap,
    fs::File,
    path::{Path, PathBuf},
    process::Child,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use anyhow::{Context, Result, bail};
use reqwest::Client;
use tiffin_events::services::SERVICES;

use super::platform::RunFile;
use crate::serve;

/// The connections of each process: those of both and of the benchmark fit into the server's 120.
const CONNECTIONS: &str = "3";
const RETRY_PAUSE: Duration = Duration::from_millis(100);
/// Tries until a service is ready.
const MAX_TRIES: u32 = 600;

#[derive(Default)]
pub struct Replicas {
    processes: Vec<Child>,
    /// The address of each service's second process.
    urls: BTreeMap<&'static str, String>,
    calls: AtomicU64,
}

impl Replicas {
    /// Starts one process for each service and waits until all are ready. `home` is the platform's data folder.
    pub async fn start(binary: &Path, home: &Path, run_file: &RunFile) -> Result<Self> {
        let mut replicas = Self::default();
        for service in &SERVICES {
            let port = tiffin_servers::free_port()?;
            let mut command = serve::command(binary, home, run_file, service, port)?;
            command
                .env("TIFFIN_DATABASE_CONNECTIONS", CONNECTIONS)
                .stderr(File::create(log_file(home, service.name))?);
            let process = command.spawn();
            replicas
                .processes
                .push(process.with_context(|| binary.display().to_string())?);
            let url = format!("http://127.0.0.1:{port}");
            replicas.urls.insert(service.name, url);
        }
        let client = Client::new();
        for (service, url) in &replicas.urls {
            ready(&client, url)
                .await
                .with_context(|| format!("{service}: see {}", log_file(home, service).display()))?;
        }
        Ok(replicas)
    }

    /// The address for the next call of `path`, if it goes to the second process of its service: every second one does.
    pub fn next_url(&self, path: &str) -> Option<&str> {
        let service = SERVICES.iter().find(|service| {
            let mut paths = service.paths.iter();
            paths.any(|beginning| path.starts_with(beginning))
        })?;
        let url = self.urls.get(service.name)?;
        let is_second = self.calls.fetch_add(1, Ordering::Relaxed) % 2 == 1;
        is_second.then_some(url)
    }

    pub fn process_ids(&self) -> impl Iterator<Item = u32> {
        self.processes.iter().map(Child::id)
    }
}

impl Drop for Replicas {
    fn drop(&mut self) {
        for process in &mut self.processes {
            // It may have ended by itself.
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

async fn ready(client: &Client, url: &str) -> Result<()> {
    for _ in 0..MAX_TRIES {
        let answer = client.get(format!("{url}/readyz")).send().await;
        if answer.is_ok_and(|answer| answer.status().is_success()) {
            return Ok(());
        }
        tokio::time::sleep(RETRY_PAUSE).await;
    }
    bail!("it did not become ready")
}

fn log_file(home: &Path, service: &str) -> PathBuf {
    home.join(format!("second-{service}.log"))
}
