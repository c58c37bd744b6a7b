//! A service whose database or broker is away or stopped: it says so once, answers as far as it can, and
//! goes on.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it should be"
)]

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Child, Command},
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use sqlx::{Connection, PgConnection};
use tempfile::TempDir;
use tiffin_servers::{Durability, Home, Servers, free_port};

/// Ends the service with the test, however that ends.
struct Service(Child);

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Asks until `/readyz` answers with a status and a text.
async fn until_ready_says(url: &str, status: u16, text: &str) -> Value {
    let mut last = (0, Value::Null);
    for _ in 0..600 {
        if let Ok(answer) = reqwest::get(url).await {
            last = (answer.status().as_u16(), answer.json().await.unwrap());
            if last.0 == status && last.1.to_string().contains(text) {
                return last.1;
            }
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("/readyz did not answer {status} with {text:?}: {last:?}");
}

/// The user service's part: keys to check tokens with, at one address.
async fn keys() -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/jwks", listener.local_addr().unwrap());
    let routes = axum::Router::new().route(
        "/jwks",
        axum::routing::get(async || axum::Json(tiffin_testkit::jwks())),
    );
    tokio::spawn(async move { axum::serve(listener, routes).await });
    url
}

/// Servers with the database of the order service, and that service, which writes to a log.
struct Fixture {
    servers: Servers,
    /// Goes with this.
    _home: Home,
    folder: TempDir,
    port: u16,
    keys: String,
}

impl Fixture {
    async fn new() -> Self {
        let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.tiffin/servers");
        let home = Home::temporary(&packages).unwrap();
        let report = |text: &str| eprintln!("{text}");
        let servers = Servers::start(&home, Durability::Fast, &report)
            .await
            .unwrap();
        let mut main = PgConnection::connect(&servers.postgres.url("postgres"))
            .await
            .unwrap();
        sqlx::query("create database tiffin_order")
            .execute(&mut main)
            .await
            .unwrap();
        Self {
            servers,
            _home: home,
            folder: tempfile::tempdir().unwrap(),
            port: free_port().unwrap(),
            keys: keys().await,
        }
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("order.log")
    }

    fn serve(&self) -> Service {
        self.serve_with(&[])
    }

    fn serve_with(&self, settings: &[(&str, &str)]) -> Service {
        let service = Command::new(env!("CARGO_BIN_EXE_tiffin"))
            .args(["serve", "order"])
            .envs(settings.iter().copied())
            .env("TIFFIN_BIND", format!("127.0.0.1:{}", self.port))
            .env("DATABASE_URL", self.servers.postgres.url("tiffin_order"))
            .env("NATS_URL", self.servers.nats.url())
            .env("TIFFIN_JWKS_URL", &self.keys)
            .env("TIFFIN_LOG_FORMAT", "json")
            .stderr(File::create(self.log()).unwrap())
            .spawn();
        Service(service.unwrap())
    }

    /// Runs `tiffin migrate order`, which reads the database's address from a file. Returns what it prints.
    fn migrate(&self) -> String {
        let file = self.folder.path().join("database-url");
        fs::write(&file, self.servers.postgres.url("tiffin_order") + "\n").unwrap();
        let migrated = Command::new(env!("CARGO_BIN_EXE_tiffin"))
            .args(["migrate", "order"])
            .env_remove("DATABASE_URL")
            .env("DATABASE_URL_FILE", file)
            .output()
            .unwrap();
        assert!(migrated.status.success(), "{migrated:?}");
        String::from_utf8(migrated.stdout).unwrap()
    }

    fn prepare(&self) {
        let prepared = Command::new(env!("CARGO_BIN_EXE_tiffin"))
            .arg("prepare")
            .env("NATS_URL", self.servers.nats.url())
            .status();
        assert!(prepared.unwrap().success());
    }

    fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }
}

#[tokio::test]
async fn a_service_waits_for_its_database_and_answers_without_its_broker() {
    let mut fixture = Fixture::new().await;
    fixture.servers.stop().await;
    let _service = fixture.serve();
    let ready = fixture.url("/readyz");

    until_ready_says(&ready, 503, "waiting for the database").await;
    // Time for a few tries more, each of which fails.
    tokio::time::sleep(Duration::from_secs(4)).await;
    fixture.servers.postgres.start_again().await.unwrap();
    let answer = until_ready_says(&ready, 200, "degraded").await;
    assert_eq!(answer["checks"]["broker"], "not connected");
    let quote = reqwest::Client::new()
        .post(fixture.url("/api/v1/orders/quote"))
        .json(&serde_json::json!({ "items": [] }))
        .send();
    assert!(quote.await.unwrap().status().as_u16() < 500);
    tokio::time::sleep(Duration::from_secs(4)).await;
    fixture.servers.nats.start_again().await.unwrap();
    // The broker is there, and its streams are not.
    until_ready_says(&ready, 200, "run `tiffin prepare`").await;
    tokio::time::sleep(Duration::from_secs(4)).await;
    fixture.prepare();
    let answer = until_ready_says(&ready, 200, "\"broker\":\"ok\"").await;
    assert_eq!(answer["checks"]["tasks"], "ok");

    let said = fs::read_to_string(fixture.log()).unwrap();
    let count = |what: &str| said.lines().filter(|line| line.contains(what)).count();
    assert_eq!(count("waiting for the database"), 1, "{said}");
    assert_eq!(count("waiting for the broker"), 1, "{said}");
    assert_eq!(count("the streams are not there yet"), 1, "{said}");
    fixture.servers.stop().await;
}

#[tokio::test]
async fn a_service_that_does_not_migrate_waits_for_the_command() {
    let mut fixture = Fixture::new().await;
    fixture.prepare();
    let _service = fixture.serve_with(&[("TIFFIN_MIGRATE", "off")]);
    let ready = fixture.url("/readyz");
    until_ready_says(&ready, 503, "waiting for `tiffin migrate`").await;

    let said = fixture.migrate();
    let (applied, at) = said.trim_end().rsplit_once('\n').unwrap();
    assert!(applied.lines().count() > 10, "{said}");
    until_ready_says(&ready, 200, "\"order database\":\"ok\"").await;
    // A second time there is nothing to do.
    assert_eq!(fixture.migrate().trim_end(), at);

    let version = Command::new(env!("CARGO_BIN_EXE_tiffin"))
        .arg("version")
        .output()
        .unwrap();
    let version = String::from_utf8(version.stdout).unwrap();
    let step = at.rsplit(' ').next().unwrap();
    let line = format!("schema order {step}");
    assert!(version.lines().any(|one| one == line), "{version}");
    fixture.servers.stop().await;
}

/// Stops a process and its children where they are, or lets them go on.
fn signal(process: u32, signal: Signal) {
    let mut all = vec![process.to_string()];
    for entry in fs::read_dir("/proc").unwrap() {
        let stat = fs::read_to_string(entry.unwrap().path().join("stat")).unwrap_or_default();
        // The name, in brackets, may hold anything; then come the state and the parent.
        let parent = stat.rsplit(')').next().unwrap_or_default();
        if parent.split_whitespace().nth(1) == Some(all[0].as_str()) {
            all.push(stat.split_whitespace().next().unwrap().to_owned());
        }
    }
    for process in all {
        let process = Pid::from_raw(process.parse().unwrap()).unwrap();
        let _ = kill_process(process, signal);
    }
}

#[tokio::test]
async fn readiness_answers_within_a_second_during_any_outage() {
    let mut fixture = Fixture::new().await;
    fixture.prepare();
    let _service = fixture.serve();
    let ready = fixture.url("/readyz");
    until_ready_says(&ready, 200, "\"broker\":\"ok\"").await;

    let broker = fixture.servers.nats.pid().unwrap();
    signal(broker, Signal::STOP);
    let (status, said) = soonest(&ready).await;
    assert_eq!((status, &said["status"]), (200, &"degraded".into()));
    assert_eq!(said["checks"]["order database"], "ok");
    signal(broker, Signal::CONT);

    let database = fixture.servers.postgres.pid().unwrap();
    signal(database, Signal::STOP);
    let (status, said) = soonest(&ready).await;
    assert_eq!((status, &said["status"]), (503, &"not ready".into()));
    assert_eq!(said["checks"]["order database"], "no answer in time");
    signal(database, Signal::CONT);
    until_ready_says(&ready, 200, "\"order database\":\"ok\"").await;
    fixture.servers.stop().await;
}

/// Asks until an answer takes less than a second: a machine that is busy may need a few.
async fn soonest(url: &str) -> (u16, Value) {
    let client = reqwest::Client::builder()
        .timeout(Duration::from_secs(1))
        .build()
        .unwrap();
    for _ in 0..10 {
        let Ok(answer) = client.get(url).send().await else {
            continue;
        };
        let status = answer.status().as_u16();
        if let Ok(said) = answer.json().await {
            return (status, said);
        }
    }
    panic!("no answer of /readyz came within a second");
}
