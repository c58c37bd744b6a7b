//! A second process of each service, beside a running platform.

use std::{
    collections::BTreeMap,
    fs::File,
    path::Path,
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use anyhow::{Context, Result, bail};
use reqwest::Client;
use tiffin_events::services::{SERVICES, Service};

use super::town::Running;

const PAUSE: Duration = Duration::from_millis(100);
/// Tries until a service is ready.
const TRIES: u32 = 600;

#[derive(Default)]
pub struct Replicas {
    processes: Vec<Child>,
    /// The address of each service's second process.
    urls: BTreeMap<&'static str, String>,
    calls: AtomicU64,
}

impl Replicas {
    /// Starts one process for each service and waits until all are ready. `home` is the platform's data folder.
    pub async fn start(binary: &Path, home: &Path, platform: &Running) -> Result<Self> {
        let mut replicas = Self::default();
        for service in &SERVICES {
            let port = tiffin_servers::free_port()?;
            let process = spawn(binary, home, platform, service, port)?;
            replicas.processes.push(process);
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

    /// Takes calls in turn: every second one goes to the second process of its service.
    pub fn url_of(&self, path: &str) -> Option<&str> {
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
    for _ in 0..TRIES {
        let answer = client.get(format!("{url}/readyz")).send().await;
        if answer.is_ok_and(|answer| answer.status().is_success()) {
            return Ok(());
        }
        tokio::time::sleep(PAUSE).await;
    }
    bail!("it did not become ready")
}

fn spawn(
    binary: &Path,
    home: &Path,
    platform: &Running,
    service: &Service,
    port: u16,
) -> Result<Child> {
    let mut command = Command::new(binary);
    command
        .args(["serve", service.name])
        .env("TIFFIN_BIND", format!("127.0.0.1:{port}"))
        .env(
            "TIFFIN_INTERNAL_BIND",
            format!("127.0.0.1:{}", tiffin_servers::free_port()?),
        )
        .env("TIFFIN_HOME", home)
        .env("TIFFIN_MAIL_DIR", &platform.mail)
        .env("TIFFIN_MASTER_KEY_FILE", home.join("master-key"))
        .env("TIFFIN_ADMIN_SECOND_FACTOR", "optional")
        .env("TIFFIN_WRITE_LIMIT_FACTOR", "1000")
        .env("NATS_URL", &platform.nats.url)
        .env(
            "TIFFIN_JWKS_URL",
            format!("{}/.well-known/jwks.json", platform.url),
        )
        .env("TIFFIN_USER_URL", &platform.url)
        .env("TIFFIN_USER_INTERNAL_URL", &platform.internal)
        // No call of an order's life goes from one service to another by HTTP.
        .env("TIFFIN_SERVICE_KEY", "a key of the benchmark alone")
        .env("RUST_LOG", "warn,sqlx::query=error")
        .stdin(Stdio::null())
        .stderr(File::create(log_file(home, service.name))?);
    if service.has_database {
        command.env("DATABASE_URL", platform.database(service.name)?);
    }
    command
        .spawn()
        .with_context(|| binary.display().to_string())
}

fn log_file(home: &Path, service: &str) -> std::path::PathBuf {
    home.join(format!("second-{service}.log"))
}
