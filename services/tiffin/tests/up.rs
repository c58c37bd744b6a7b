//! `tiffin up` as a process: the first start with its demo, a crash, the next start, a clean stop.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it should be"
)]

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use reqwest::Client;
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};
use tempfile::TempDir;

/// A platform in a folder of its own.
struct Up {
    folder: TempDir,
    process: Child,
    client: Client,
}

impl Up {
    async fn first() -> Self {
        let folder = tempfile::Builder::new()
            .permissions(PermissionsExt::from_mode(0o755))
            .tempdir()
            .unwrap();
        fs::create_dir(folder.path().join("web")).unwrap();
        fs::write(
            folder.path().join("web/index.html"),
            "<!doctype html><title>Tiffin</title>",
        )
        .unwrap();
        let up = Self {
            process: spawn(folder.path()),
            folder,
            client: Client::new(),
        };
        up.ready().await
    }

    /// Starts again what was stopped or killed.
    async fn again(mut self) -> Self {
        self.process = spawn(self.folder.path());
        self.ready().await
    }

    /// Stops it as Ctrl-C does, its servers with it.
    async fn stop(&mut self) {
        let servers = self.servers();
        Command::new("kill")
            .args(["-TERM", &self.process.id().to_string()])
            .status()
            .unwrap();
        assert!(self.process.wait().unwrap().success(), "{}", self.log());
        wait_for_the_end_of(&servers).await;
    }

    async fn ready(mut self) -> Self {
        let began = Instant::now();
        while !self.home().join("run.json").exists() {
            assert!(self.process.try_wait().unwrap().is_none(), "{}", self.log());
            assert!(began.elapsed() < Duration::from_mins(2), "{}", self.log());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        self
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    fn running(&self) -> Value {
        serde_json::from_slice(&fs::read(self.home().join("run.json")).unwrap()).unwrap()
    }

    async fn get(&self, path: &str, token: &str) -> Value {
        let url = format!("{}{path}", self.running()["url"].as_str().unwrap());
        let mut call = self.client.get(url);
        if !token.is_empty() {
            call = call.bearer_auth(token);
        }
        let answer = call.send().await.unwrap();
        assert_eq!(answer.status(), 200, "{path}");
        answer.json().await.unwrap()
    }

    async fn login(&self, email: &str) -> String {
        let url = format!(
            "{}/api/v1/users/login",
            self.running()["url"].as_str().unwrap()
        );
        let body = json!({ "email": email, "password": "Tiffin@2026" });
        let answer = self.client.post(url).json(&body).send().await.unwrap();
        assert_eq!(answer.status(), 200, "{email}");
        let answer: Value = answer.json().await.unwrap();
        assert_eq!(answer["user"]["emailVerified"], true);
        answer["token"].as_str().unwrap().to_owned()
    }

    async fn is_ready(&self) -> bool {
        let url = format!("{}/readyz", self.running()["url"].as_str().unwrap());
        let answer = self.client.get(url).send().await;
        answer.is_ok_and(|answer| answer.status() == 200)
    }

    /// The servers' process ids.
    fn servers(&self) -> Vec<u64> {
        let running = self.running();
        ["nats", "postgres"]
            .map(|server| running[server]["pid"].as_u64().unwrap())
            .to_vec()
    }
}

impl Drop for Up {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn spawn(folder: &Path) -> Child {
    let log = fs::File::create(folder.join("log")).unwrap();
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.tiffin/servers");
    Command::new(env!("CARGO_BIN_EXE_tiffin"))
        .arg("up")
        .env_remove("DATABASE_URL")
        .env_remove("NATS_URL")
        .env("TIFFIN_HOME", folder.join("home"))
        .env("TIFFIN_SERVERS", packages)
        .env("TIFFIN_WEB", folder.join("web"))
        .env("TIFFIN_PORT", "0")
        .stdin(Stdio::null())
        .stdout(log.try_clone().unwrap())
        .stderr(log)
        .spawn()
        .unwrap()
}

async fn wait_for_the_end_of(processes: &[u64]) {
    let began = Instant::now();
    while processes
        .iter()
        .any(|pid| Path::new(&format!("/proc/{pid}")).exists())
    {
        assert!(
            began.elapsed() < Duration::from_secs(30),
            "a server is left behind"
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Every service's role is no superuser, owns its database, and gets into no other.
async fn roles_are_least(up: &Up) {
    let running = up.running();
    let databases = running["databases"].as_object().unwrap();
    assert_eq!(databases.len(), 9);
    for (service, url) in databases {
        let url = url.as_str().unwrap();
        let mut own = PgConnection::connect(url).await.unwrap();
        let (name, is_super, makes): (String, bool, bool) = sqlx::query_as(
            "select rolname::text, rolsuper or rolbypassrls or rolreplication, rolcreatedb or rolcreaterole
             from pg_roles where rolname = current_user",
        )
        .fetch_one(&mut own)
        .await
        .unwrap();
        assert_eq!(
            (name.as_str(), is_super, makes),
            (format!("tiffin_{service}").as_str(), false, false)
        );
        let open: Vec<String> = sqlx::query_scalar(
            "select datname::text from pg_database where has_database_privilege(datname, 'connect')
               and datallowconn",
        )
        .fetch_all(&mut own)
        .await
        .unwrap();
        assert_eq!(open, [format!("tiffin_{service}")]);
        for other in databases
            .keys()
            .map(|it| format!("tiffin_{it}"))
            .chain(["postgres".to_owned()])
        {
            if other == format!("tiffin_{service}") {
                continue;
            }
            let (server, _) = url.rsplit_once('/').unwrap();
            let refused = PgConnection::connect(&format!("{server}/{other}")).await;
            let said = refused.map(drop).unwrap_err().to_string();
            assert!(
                said.contains("permission denied"),
                "{service} in {other}: {said}"
            );
        }
        for sql in [
            "create database mine",
            "create role mine",
            "alter role tiffin_user superuser",
        ] {
            sqlx::query(sql).execute(&mut own).await.unwrap_err();
        }
    }
    let user = databases["user"].as_str().unwrap();
    let mut accounts = PgConnection::connect(user).await.unwrap();
    let plain: i64 = sqlx::query_scalar(
        "select count(*) from signing_keys where get_byte(private_key, 0) <> 1 or length(private_key) < 60",
    )
    .fetch_one(&mut accounts)
    .await
    .unwrap();
    assert_eq!(plain, 0, "signing keys that are not sealed");
    let key = up.home().join("master-key").metadata().unwrap();
    assert_eq!(key.permissions().mode() & 0o777, 0o600);
}

/// Other users see nothing of the data folder. Under root PostgreSQL, which is another user then, passes
/// through it to its own data.
fn the_home_is_closed(up: &Up) {
    let home = up.home();
    let mode = |folder: &Path| folder.metadata().unwrap().mode() & 0o777;
    let of_home = if home.metadata().unwrap().uid() == 0 {
        0o711
    } else {
        0o700
    };
    assert_eq!(format!("{:o}", mode(&home)), format!("{of_home:o}"));
    for folder in ["log", "mail", "nats", "postgres"].map(|name| home.join(name)) {
        // The first mail makes its folder.
        let is_late = folder.ends_with("mail") && !folder.exists();
        assert!(is_late || mode(&folder) == 0o700, "{}", folder.display());
    }
}

/// As an earlier release left them.
fn open_up(home: &Path) {
    fs::create_dir_all(home.join("mail")).unwrap();
    for folder in [home.to_owned(), home.join("log"), home.join("mail")] {
        fs::set_permissions(folder, PermissionsExt::from_mode(0o755)).unwrap();
    }
}

/// `/metrics` and what services ask each other are on the inner listener alone.
async fn the_inner_side_is_apart(up: &Up) {
    let running = up.running();
    let ask = async |side: &str, path: &str| {
        let url = format!("{}{path}", running[side].as_str().unwrap());
        up.client.get(url).send().await.unwrap().status().as_u16()
    };
    for path in ["/metrics", "/metrics/", "/internal/users"] {
        assert_eq!(ask("url", path).await, 404, "{path}");
    }
    for path in ["/healthz", "/readyz", "/metrics"] {
        assert_eq!(ask("internal", path).await, 200, "{path}");
    }
    // It is there, for those who show the key.
    assert_eq!(ask("internal", "/internal/users").await, 405);
    assert!(
        running["internal"]
            .as_str()
            .unwrap()
            .starts_with("http://127.0.0.1:")
    );
}

/// Everything that the start, the demo and the services do is within the rights of their users.
fn nothing_is_refused_by_the_broker(up: &Up) {
    let log = fs::read_to_string(up.home().join("log/nats.log")).unwrap();
    let refused: Vec<&str> = log
        .lines()
        .filter(|line| line.contains("Violation"))
        .collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[tokio::test]
async fn the_demo_is_made_once_and_outlives_crashes_and_stops() {
    let mut up = Up::first().await;
    let restaurants = up.get("/api/v1/restaurant", "").await;
    assert_eq!(restaurants.as_array().unwrap().len(), 12);
    assert_eq!(
        up.get("/api/v1/collection", "")
            .await
            .as_array()
            .unwrap()
            .len(),
        80
    );
    let customer = up.login("customer@tiffin.local").await;
    let orders = up.get("/api/v1/orders", &customer).await;
    let admin = up.login("admin@tiffin.local").await;
    let drivers = up.get("/api/v1/driver", &admin).await;
    assert_eq!(drivers.as_array().unwrap().len(), 6);
    // The driver service hears of the owner's verified restaurant a moment later.
    let owner = up.login("owner@tiffin.local").await;
    let mut seen = up.get("/api/v1/driver", &owner).await;
    for _ in 0..100 {
        if seen.as_array().is_some_and(|drivers| !drivers.is_empty()) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        seen = up.get("/api/v1/driver", &owner).await;
    }
    for driver in seen.as_array().filter(|all| !all.is_empty()).unwrap() {
        assert_eq!(
            (&driver["email"], &driver["isAvailable"]),
            (&json!(""), &json!(true))
        );
    }
    for email in ["driver@tiffin.local", "admin@tiffin.local"] {
        up.login(email).await;
    }
    assert!(
        orders
            .as_array()
            .unwrap()
            .iter()
            .any(|order| order["status"] == "delivered")
    );
    assert_eq!(up.get("/readyz", "").await["status"], "ready");
    roles_are_least(&up).await;
    the_inner_side_is_apart(&up).await;
    nothing_is_refused_by_the_broker(&up);
    the_home_is_closed(&up);

    let servers = up.servers();
    up.process.kill().unwrap();
    up.process.wait().unwrap();
    fs::remove_file(up.home().join("run.json")).unwrap();
    wait_for_the_end_of(&servers).await;
    open_up(&up.home());
    let mut up = up.again().await;
    the_home_is_closed(&up);
    let customer = up.login("customer@tiffin.local").await;
    assert_eq!(up.get("/api/v1/orders", &customer).await, orders);

    up.stop().await;
    assert!(!up.home().join("run.json").exists());
    let up = up.again().await;
    assert_eq!(up.get("/api/v1/restaurant", "").await, restaurants);
}

/// Kills a server of the platform as a crash would, and waits until another runs in its place.
async fn kill_and_wait(up: &Up, server: &str) {
    let killed = up.running()[server]["pid"].as_u64().unwrap();
    kill(killed);
    let began = Instant::now();
    while up.running()[server]["pid"].as_u64() == Some(killed) || !up.is_ready().await {
        assert!(began.elapsed() < Duration::from_mins(1), "{}", up.log());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

fn kill(process: u64) {
    let killed = Command::new("kill")
        .args(["-KILL", &process.to_string()])
        .status();
    assert!(killed.unwrap().success());
}

#[tokio::test]
async fn a_broker_and_a_database_that_die_are_started_again_until_they_die_too_often() {
    let mut up = Up::first().await;
    // Five times each; a start between them, since three deaths within a minute are too often.
    for times in [2, 2, 1] {
        for server in ["nats", "postgres"].repeat(times) {
            kill_and_wait(&up, server).await;
        }
        up.login("owner@tiffin.local").await;
        if times == 2 {
            up.stop().await;
            up = up.again().await;
        }
    }
    let status = kill_until_it_ends(&mut up).await;
    assert!(!status.success(), "{status}");
    let sentence = "nats-server ended 3 times within a minute";
    assert!(up.log().contains(sentence), "{}", up.log());
    assert!(!up.home().join("run.json").exists());
}

/// Kills each broker of the platform as soon as it runs, until the platform gives up.
async fn kill_until_it_ends(up: &mut Up) -> std::process::ExitStatus {
    let began = Instant::now();
    let mut killed = 0;
    loop {
        if let Some(status) = up.process.try_wait().unwrap() {
            return status;
        }
        assert!(began.elapsed() < Duration::from_mins(2), "{}", up.log());
        let text = fs::read(up.home().join("run.json")).unwrap_or_default();
        let running: Value = serde_json::from_slice(&text).unwrap_or_default();
        if let Some(broker) = running["nats"]["pid"].as_u64()
            && broker != killed
        {
            kill(broker);
            killed = broker;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
