//! The binary as a process, on servers whose data goes with the test, and what the system says of it.

use std::{
    fs::{self, File},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use axum::{Json, Router, routing::get};
use reqwest::Client;
use serde_json::Value;
use sqlx::{Connection, PgConnection};
use tempfile::TempDir;
use tiffin_servers::{Durability, Home, Servers, free_port};
use tokio::{
    net::{TcpListener, TcpSocket, TcpStream},
    sync::{Mutex, MutexGuard},
};

const BINARY: &str = env!("CARGO_BIN_EXE_tiffin");
/// The longest time that a condition may take to become true on a slow machine.
const CONDITION_TIMEOUT: Duration = Duration::from_mins(2);

/// One process at a time, so that each has the whole machine.
static ONE_AT_A_TIME: Mutex<()> = Mutex::const_new(());

/// A running process of the platform, or of one service.
pub struct Process {
    pub address: SocketAddr,
    pub client: Client,
    inner: String,
    child: Child,
    environment: Environment,
}

/// The servers that the process uses, and its folder.
struct Environment {
    servers: Servers,
    folder: TempDir,
    _server_home: Home,
    _turn: MutexGuard<'static, ()>,
}

impl Process {
    /// The whole platform, which may have so many files open: a hard limit, below which the soft one starts
    /// at half.
    pub async fn up(files: usize) -> Self {
        let environment = environment().await;
        let (servers, folder) = (&environment.servers, &environment.folder);
        let web = tiffin_testkit::web_app(folder.path());
        let limited = format!(
            "ulimit -Sn {} && ulimit -Hn {files} && exec \"$0\" up --no-demo",
            files / 2
        );
        let child = Command::new("sh")
            .args(["-c", &limited, BINARY])
            .env("DATABASE_URL", servers.postgres.url("postgres"))
            .env("NATS_URL", servers.nats.url())
            .env("TIFFIN_HOME", folder.path().join("home"))
            .env("TIFFIN_WEB", web)
            .env("TIFFIN_PORT", "0")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(folder.path().join("log")).unwrap())
            .spawn()
            .unwrap();
        let mut process = Self::of(child, environment);
        let file = process.environment.folder.path().join("home/run.json");
        process.until("the platform runs", || file.exists()).await;
        let running: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
        let port = running["url"].as_str().unwrap().rsplit(':').next().unwrap();
        process.address = SocketAddr::from(([127, 0, 0, 1], port.parse().unwrap()));
        running["internal"]
            .as_str()
            .unwrap()
            .clone_into(&mut process.inner);
        process
    }

    /// The media service alone, behind a proxy that says whose request it is.
    pub async fn media(key: &str) -> Self {
        let environment = environment().await;
        let (servers, folder) = (&environment.servers, &environment.folder);
        let mut main = PgConnection::connect(&servers.postgres.url("postgres"))
            .await
            .unwrap();
        sqlx::query("create database tiffin_media")
            .execute(&mut main)
            .await
            .unwrap();
        let prepared = Command::new(BINARY)
            .arg("prepare")
            .env("NATS_URL", servers.nats.url())
            .status();
        assert!(prepared.unwrap().success());
        let address = |port: u16| SocketAddr::from(([127, 0, 0, 1], port));
        let (outer, inner) = (address(free_port().unwrap()), address(free_port().unwrap()));
        let child = Command::new(BINARY)
            .args(["serve", "media"])
            .env("TIFFIN_BIND", outer.to_string())
            .env("TIFFIN_INTERNAL_BIND", inner.to_string())
            .env("DATABASE_URL", servers.postgres.url("tiffin_media"))
            .env("NATS_URL", servers.nats.url())
            .env("TIFFIN_MEDIA_DIR", folder.path().join("media"))
            .env("TIFFIN_ANON_KEY", key)
            .env("TIFFIN_BEHIND_PROXY", "true")
            .env("TIFFIN_JWKS_URL", keys().await)
            .stderr(File::create(folder.path().join("log")).unwrap())
            .spawn()
            .unwrap();
        let mut process = Self::of(child, environment);
        process.address = outer;
        process.inner = format!("http://{inner}");
        let began = Instant::now();
        loop {
            let ready = process.client.get(process.url("/readyz")).send().await;
            if ready.is_ok_and(|ready| ready.status() == 200) {
                return process;
            }
            assert!(began.elapsed() < CONDITION_TIMEOUT, "{}", process.log());
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    fn of(child: Child, environment: Environment) -> Self {
        // Each request is a new connection, as of another client.
        let client = Client::builder()
            .no_proxy()
            .pool_max_idle_per_host(0)
            .timeout(Duration::from_secs(30));
        Self {
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            client: client.build().unwrap(),
            inner: String::new(),
            child,
            environment,
        }
    }

    async fn until(&mut self, what: &str, holds: impl Fn() -> bool) {
        let began = Instant::now();
        while !holds() {
            assert!(self.child.try_wait().unwrap().is_none(), "{}", self.log());
            assert!(
                began.elapsed() < CONDITION_TIMEOUT,
                "{what}: {}",
                self.log()
            );
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub fn log(&self) -> String {
        fs::read_to_string(self.environment.folder.path().join("log")).unwrap_or_default()
    }

    /// The mails that it wrote.
    pub fn mails(&self) -> Vec<String> {
        let Ok(folder) = fs::read_dir(self.environment.folder.path().join("home/mail")) else {
            return Vec::new();
        };
        let files = folder.filter_map(|entry| fs::read_to_string(entry.unwrap().path()).ok());
        files.collect()
    }

    /// The sum of a metric over all its labels.
    pub async fn metric(&self, name: &str) -> f64 {
        let answer = self.client.get(format!("{}/metrics", self.inner)).send();
        let text = answer.await.unwrap().text().await.unwrap();
        let lines = text.lines().filter_map(|line| {
            let (series, value) = line.rsplit_once(' ')?;
            let is_it = series == name || series.starts_with(&format!("{name}{{"));
            is_it.then(|| value.parse::<f64>().unwrap())
        });
        lines.sum()
    }

    /// The number of its open files.
    pub fn files(&self) -> usize {
        fs::read_dir(self.proc("fd")).unwrap().count()
    }

    /// The number of files that it may open: the soft limit.
    pub fn max_files(&self) -> usize {
        let limits = fs::read_to_string(self.proc("limits")).unwrap();
        let line = limits
            .lines()
            .find(|line| line.starts_with("Max open files"));
        line.unwrap()
            .split_whitespace()
            .nth(3)
            .unwrap()
            .parse()
            .unwrap()
    }

    /// The memory that it has now, in MiB.
    pub fn memory(&self) -> u64 {
        self.status("VmRSS:")
    }

    /// The most memory that it had since [`Process::reset_peak`], in MiB.
    pub fn peak(&self) -> u64 {
        self.status("VmHWM:")
    }

    /// proc(5): 5 sets the peak to what it has now.
    pub fn reset_peak(&self) {
        fs::write(self.proc("clear_refs"), "5").unwrap();
    }

    fn status(&self, name: &str) -> u64 {
        let status = fs::read_to_string(self.proc("status")).unwrap();
        let line = status.lines().find(|line| line.starts_with(name)).unwrap();
        let kib: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
        kib / 1024
    }

    fn proc(&self, name: &str) -> PathBuf {
        PathBuf::from(format!("/proc/{}/{name}", self.child.id()))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            eprintln!("{}", self.log());
        }
    }
}

async fn environment() -> Environment {
    let turn = ONE_AT_A_TIME.lock().await;
    tiffin_chassis::connections::raise_limit();
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.tiffin/servers");
    let server_home = Home::temporary(&packages).unwrap();
    let report = |line: &str| eprintln!("{line}");
    let servers = Servers::start(&server_home, Durability::Fast, &report)
        .await
        .unwrap();
    Environment {
        servers,
        folder: tempfile::tempdir().unwrap(),
        _server_home: server_home,
        _turn: turn,
    }
}

/// The address of the user service's keys, without which no service is ready.
async fn keys() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let routes = Router::new().route("/jwks", get(|| async { Json(tiffin_testkit::jwks()) }));
    tokio::spawn(async move { axum::serve(listener, routes).await.unwrap() });
    format!("http://{address}/jwks")
}

/// A connection from another address of this machine, which is another network.
pub async fn connect_from(network: u8, to: SocketAddr) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::from(([127, 0, 0, network], 0)))?;
    socket.connect(to).await
}
