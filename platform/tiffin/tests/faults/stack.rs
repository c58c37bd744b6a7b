//! The platform as processes: `tiffin serve` for each service, on separate servers.

mod outcome;

use std::{
    collections::BTreeMap,
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Child, Command},
    time::Duration,
};

use reqwest::{Client, Method};
use serde_json::Value;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tempfile::TempDir;
use tiffin_bus::Broker;
use tiffin_servers::{Durability, Home, Servers, free_port};

use crate::{accounts::Account, chaos::link::Link};

const SERVICES: [&str; 7] = [
    "user",
    "restaurant",
    "order",
    "delivery",
    "driver",
    "notification",
    "live",
];

/// 32 bytes in base64.
pub const MASTER_KEY: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

/// A server that services connect to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Server {
    Broker,
    Database,
}

/// Names and values of environment variables.
pub type Settings = &'static [(&'static str, &'static str)];

pub struct Stack {
    pub servers: Servers,
    /// Proxies between services and servers, where a test wants them.
    links: BTreeMap<(&'static str, Server), Link>,
    services: &'static [&'static str],
    /// Settings besides those of every stack.
    settings: Settings,
    processes: BTreeMap<&'static str, Child>,
    ports: BTreeMap<&'static str, u16>,
    /// Of the listeners that no client reaches.
    inner_ports: BTreeMap<&'static str, u16>,
    folder: TempDir,
    client: Client,
    broker: Broker,
    _home: Home,
}

impl Stack {
    /// Starts servers and every service, and waits until all are ready.
    pub async fn start() -> Self {
        Self::of(&SERVICES).await
    }

    /// Some of the services alone.
    pub async fn of(services: &'static [&'static str]) -> Self {
        Self::launch(services, false, &[]).await
    }

    /// Some of the services, with settings besides those of every stack.
    pub async fn with_settings(services: &'static [&'static str], settings: Settings) -> Self {
        Self::launch(services, false, settings).await
    }

    /// Some of the services, each with a link to each server.
    pub async fn with_links(services: &'static [&'static str], settings: Settings) -> Self {
        Self::launch(services, true, settings).await
    }

    async fn launch(
        services: &'static [&'static str],
        with_links: bool,
        settings: Settings,
    ) -> Self {
        let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.tiffin/servers");
        let home = Home::temporary(&packages).unwrap();
        let report = |text: &str| eprintln!("{text}");
        let servers = Servers::start(&home, Durability::Full, &report)
            .await
            .unwrap();
        let mut main = PgConnection::connect(&servers.postgres.url("postgres"))
            .await
            .unwrap();
        for service in services {
            let create = AssertSqlSafe(format!("create database tiffin_{service}"));
            sqlx::query(create).execute(&mut main).await.unwrap();
        }
        let ports = || {
            let each = services.iter();
            each.map(|service| (*service, free_port().unwrap()))
                .collect()
        };
        let broker = Broker::connect(&servers.nats.url(), "faults")
            .await
            .unwrap();
        broker.prepare().await.unwrap();
        let mut links = BTreeMap::new();
        for service in services.iter().filter(|_| with_links) {
            for (server, port) in [
                (Server::Broker, servers.nats.port()),
                (Server::Database, servers.postgres.port()),
            ] {
                links.insert((*service, server), Link::to(port).await);
            }
        }
        let mut stack = Self {
            servers,
            links,
            services,
            settings,
            processes: BTreeMap::new(),
            ports: ports(),
            inner_ports: ports(),
            folder: TempDir::new().unwrap(),
            client: Client::builder()
                .timeout(Duration::from_secs(20))
                .build()
                .unwrap(),
            broker,
            _home: home,
        };
        for service in services {
            stack.start_service(service);
        }
        stack.wait_for_all().await;
        stack
    }

    pub fn database_url(&self, service: &str) -> String {
        self.servers.postgres.url(&format!("tiffin_{service}"))
    }

    /// The listener that no client reaches.
    pub fn inner_url(&self, service: &str) -> String {
        format!("http://127.0.0.1:{}", self.inner_ports[service])
    }

    pub fn url(&self, service: &str) -> String {
        format!("http://127.0.0.1:{}", self.ports[service])
    }

    /// The log of a service.
    pub fn log(&self, service: &str) -> String {
        fs::read_to_string(self.file(&format!("{service}.log"))).unwrap_or_default()
    }

    pub fn live_url(&self) -> String {
        format!("ws://127.0.0.1:{}/live", self.ports["live"])
    }

    fn spawn(&mut self, service: &'static str, fault: Option<&str>) {
        let log = File::options()
            .create(true)
            .append(true)
            .open(self.file(&format!("{service}.log")))
            .unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_tiffin"));
        command
            .args(["serve", service])
            .env("TIFFIN_BIND", format!("127.0.0.1:{}", self.ports[service]))
            .env(
                "DATABASE_URL",
                self.through_link(service, Server::Database, &self.database_url(service)),
            )
            // Each as its own user, who may do what it needs and no more.
            .env(
                "NATS_URL",
                self.through_link(service, Server::Broker, &self.servers.nats.url_of(service)),
            )
            .env(
                "TIFFIN_INTERNAL_BIND",
                format!("127.0.0.1:{}", self.inner_ports[service]),
            )
            .env("TIFFIN_USER_INTERNAL_URL", self.inner_url("user"))
            .env("TIFFIN_MASTER_KEY", MASTER_KEY)
            .env(
                "TIFFIN_JWKS_URL",
                format!(
                    "http://127.0.0.1:{}/.well-known/jwks.json",
                    self.ports["user"]
                ),
            )
            .env(
                "TIFFIN_USER_URL",
                format!("http://127.0.0.1:{}", self.ports["user"]),
            )
            .env("TIFFIN_SERVICE_KEY", "a key of this test alone")
            // Orders wait here for as long as a test needs.
            .env("TIFFIN_ANSWER_MINUTES", "0")
            .env("TIFFIN_WRITE_LIMIT_FACTOR", "1000")
            .env("TIFFIN_SIGN_UPS", "1000")
            // Turning it on has its own tests.
            .env("TIFFIN_ADMIN_SECOND_FACTOR", "optional")
            .env("TIFFIN_MAIL_DIR", self.mail_folder())
            .envs(self.settings.iter().copied())
            .stderr(log);
        if let Some(place) = fault {
            command.env(
                "TIFFIN_FAULT",
                format!(
                    "{place}:{}",
                    self.file(&format!("{service}.fault")).display()
                ),
            );
        }
        self.processes.insert(service, command.spawn().unwrap());
    }

    pub fn mail_folder(&self) -> PathBuf {
        self.file("mail")
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A service's process.
    pub fn pid(&self, service: &str) -> u32 {
        self.processes[service].id()
    }

    /// The link between a service and a server.
    pub fn link(&self, service: &'static str, server: Server) -> &Link {
        &self.links[&(service, server)]
    }

    /// A server's address, by way of the service's link where there is one.
    fn through_link(&self, service: &'static str, server: Server, url: &str) -> String {
        let mut url = url::Url::parse(url).unwrap();
        if let Some(link) = self.links.get(&(service, server)) {
            url.set_port(Some(link.port())).unwrap();
        }
        url.to_string()
    }

    /// Starts a service that does not run, and does not wait for it.
    pub fn start_service(&mut self, service: &'static str) {
        self.spawn(service, None);
    }

    /// Kills a service and starts it so that it stops dead at `place`; does not wait for it.
    pub fn start_with_fault(&mut self, service: &'static str, place: &str) {
        self.kill(service);
        self.spawn(service, Some(place));
    }

    /// True if the service has stopped at its fault point since the last call.
    pub fn has_reached_fault(&self, service: &str) -> bool {
        fs::remove_file(self.file(&format!("{service}.fault"))).is_ok()
    }

    /// SIGKILL: no word of farewell.
    pub fn kill(&mut self, service: &str) {
        let mut process = self.processes.remove(service).unwrap();
        process.kill().unwrap();
        process.wait().unwrap();
    }

    /// Starts a killed service again, as it should run.
    pub async fn restart(&mut self, service: &'static str) {
        self.spawn(service, None);
        self.wait_until_ready(service).await;
    }

    /// Starts a service so that it stops dead at `place`.
    pub async fn restart_with_fault(&mut self, service: &'static str, place: &str) {
        self.start_with_fault(service, place);
        self.wait_until_ready(service).await;
    }

    /// Waits until the service is at its fault point, and kills it there.
    pub async fn kill_at_fault(&mut self, service: &str) {
        let reached = self.file(&format!("{service}.fault"));
        eventually("the fault is reached", async || reached.exists()).await;
        self.kill(service);
        fs::remove_file(reached).unwrap();
    }

    pub async fn wait_for_all(&self) {
        for service in self.services {
            self.wait_until_ready(service).await;
        }
    }

    async fn wait_until_ready(&self, service: &str) {
        let url = format!("http://127.0.0.1:{}/readyz", self.ports[service]);
        let ready = async || {
            self.client
                .get(&url)
                .send()
                .await
                .is_ok_and(|answer| answer.status().is_success())
        };
        eventually(&format!("{service} is ready"), ready).await;
    }

    pub async fn get(&self, service: &str, path: &str, caller: &Account) -> Result<Value, String> {
        self.ask(Method::GET, service, path, Some(caller), None)
            .await
    }

    pub async fn put(
        &self,
        service: &str,
        path: &str,
        caller: &Account,
        body: &Value,
    ) -> Result<Value, String> {
        self.ask(Method::PUT, service, path, Some(caller), Some(body))
            .await
    }

    pub async fn post(
        &self,
        service: &str,
        path: &str,
        caller: Option<&Account>,
        body: &Value,
    ) -> Result<Value, String> {
        self.ask(Method::POST, service, path, caller, Some(body))
            .await
    }

    async fn ask(
        &self,
        method: Method,
        service: &str,
        path: &str,
        caller: Option<&Account>,
        body: Option<&Value>,
    ) -> Result<Value, String> {
        let mut request = self.client.request(
            method,
            format!("http://127.0.0.1:{}{path}", self.ports[service]),
        );
        if let Some(caller) = caller {
            request = request.bearer_auth(&caller.token);
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        let answer = request.send().await.map_err(|error| error.to_string())?;
        let status = answer.status();
        let body: Value = answer.json().await.map_err(|error| error.to_string())?;
        if status.is_success() {
            Ok(body)
        } else {
            Err(format!("{status}: {body}"))
        }
    }

    pub async fn stop(mut self) {
        for service in self.services {
            self.kill(service);
        }
        self.servers.stop().await;
    }
}

impl Drop for Stack {
    /// A test that failed leaves no process behind, and shows what the services said.
    fn drop(&mut self) {
        for (service, process) in &mut self.processes {
            let _ = process.kill();
            let _ = process.wait();
            let log = fs::read_to_string(self.folder.path().join(format!("{service}.log")))
                .unwrap_or_default();
            let tail: Vec<&str> = log.lines().rev().take(15).collect();
            eprintln!("-- {service}");
            for line in tail.iter().rev() {
                eprintln!("{line}");
            }
        }
    }
}

/// Waits for something to become true, for as long as a slow machine may need.
pub async fn eventually<F: AsyncFnMut() -> bool>(what: &str, mut holds: F) {
    for _ in 0..900 {
        if holds().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("{what}: did not come true within 90 s");
}
