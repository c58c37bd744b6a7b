//! A service whose database and broker are not there yet: it says so once, waits, and starts.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it should be"
)]

use std::{
    fs::{self, File},
    path::Path,
    process::{Child, Command},
    time::Duration,
};

use serde_json::Value;
use sqlx::{Connection, PgConnection};
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

#[tokio::test]
async fn a_service_waits_for_its_database_and_its_broker_and_says_so_once() {
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.tiffin/servers");
    let home = Home::temporary(&packages).unwrap();
    let tell = |text: &str| eprintln!("{text}");
    let mut servers = Servers::start(&home, Durability::Fast, &tell)
        .await
        .unwrap();
    let mut main = PgConnection::connect(&servers.postgres.url("postgres"))
        .await
        .unwrap();
    sqlx::query("create database tiffin_order")
        .execute(&mut main)
        .await
        .unwrap();
    servers.stop().await;

    let port = free_port().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("order.log");
    let service = Command::new(env!("CARGO_BIN_EXE_tiffin"))
        .args(["serve", "order"])
        .env("TIFFIN_BIND", format!("127.0.0.1:{port}"))
        .env("DATABASE_URL", servers.postgres.url("tiffin_order"))
        .env("NATS_URL", servers.nats.url())
        .env("TIFFIN_LOG_FORMAT", "json")
        .stderr(File::create(&log).unwrap())
        .spawn()
        .unwrap();
    let _service = Service(service);
    let ready = format!("http://127.0.0.1:{port}/readyz");

    until_ready_says(&ready, 503, "waiting for the database").await;
    // Time for a few tries more, each of which fails.
    tokio::time::sleep(Duration::from_secs(4)).await;
    servers.postgres.start_again().await.unwrap();
    until_ready_says(&ready, 503, "waiting for the broker").await;
    tokio::time::sleep(Duration::from_secs(4)).await;
    servers.nats.start_again().await.unwrap();
    // The broker is there, and its streams are not.
    tokio::time::sleep(Duration::from_secs(4)).await;
    let prepared = Command::new(env!("CARGO_BIN_EXE_tiffin"))
        .arg("prepare")
        .env("NATS_URL", servers.nats.url())
        .status();
    assert!(prepared.unwrap().success());
    until_ready_says(&ready, 200, "ready").await;

    let said = fs::read_to_string(&log).unwrap();
    let count = |what: &str| said.lines().filter(|line| line.contains(what)).count();
    assert_eq!(count("waiting for the database"), 1, "{said}");
    assert_eq!(count("waiting for the broker"), 1, "{said}");
    assert_eq!(count("the streams are not there yet"), 1, "{said}");
    servers.stop().await;
}
