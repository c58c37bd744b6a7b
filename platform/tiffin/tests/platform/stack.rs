//! The platform as it ships: `tiffin up` as a process without accounts, on separate servers. Their data
//! goes with the test, so it need not wait for the disk.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

use reqwest::{Client, Method, RequestBuilder};
use serde_json::Value;
use tempfile::TempDir;
use tiffin_servers::{Durability, Home, Servers};
use tiffin_testkit::Answer;
use tokio::sync::{Mutex, MutexGuard};

use crate::accounts::Account;

/// The longest time that a condition may take to become true on a slow machine.
const CONDITION_TIMEOUT: Duration = Duration::from_mins(1);

/// One platform at a time: two would only wait for each other.
static ONE_AT_A_TIME: Mutex<()> = Mutex::const_new(());

pub struct Stack {
    /// The name of this test. Its requests carry it, and the platform's own log names the calls that they
    /// made.
    test: &'static str,
    folder: TempDir,
    process: Child,
    client: Client,
    running: Value,
    requests: AtomicU32,
    servers: Servers,
    server_home: Home,
    _turn: MutexGuard<'static, ()>,
}

impl Stack {
    pub async fn start(test: &'static str) -> Self {
        Self::with(test, &[]).await
    }

    /// With more settings than those a test always makes.
    pub async fn with(test: &'static str, settings: &[(&str, &str)]) -> Self {
        let turn = ONE_AT_A_TIME.lock().await;
        let folder = tempfile::Builder::new()
            .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .tempdir()
            .unwrap();
        let web = tiffin_testkit::web_app(folder.path());
        let log = File::create(folder.path().join("log")).unwrap();
        let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.tiffin/servers");
        let server_home = Home::temporary(&packages).unwrap();
        let report = |line: &str| eprintln!("{line}");
        let servers = Servers::start(&server_home, Durability::Fast, &report)
            .await
            .unwrap();
        let process = Command::new(env!("CARGO_BIN_EXE_tiffin"))
            .args(["up", "--no-demo"])
            .env("DATABASE_URL", servers.postgres.url("postgres"))
            .env("NATS_URL", servers.nats.url())
            .env("TIFFIN_HOME", folder.path().join("home"))
            .env("TIFFIN_WEB", web)
            .env("TIFFIN_PORT", "0")
            .env("TIFFIN_LOG_FORMAT", "json")
            .env("RUST_LOG", "warn,sqlx=error,tiffin=debug")
            .env("TIFFIN_BEHIND_PROXY", "true")
            // Tests of one stack write more than people do; the limits have their own tests.
            // Orders wait here for as long as a test needs.
            .env("TIFFIN_ANSWER_MINUTES", "0")
            .env("TIFFIN_WRITE_LIMIT_FACTOR", "1000")
            // Turning it on has its own tests.
            .env("TIFFIN_ADMIN_SECOND_FACTOR", "optional")
            .envs(settings.iter().copied())
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn()
            .unwrap();
        let client = Client::builder()
            .timeout(Duration::from_mins(1))
            .build()
            .unwrap();
        let mut stack = Self {
            test,
            folder,
            process,
            client,
            running: Value::Null,
            requests: AtomicU32::new(0),
            servers,
            server_home,
            _turn: turn,
        };
        stack.wait_until_ready().await;
        stack
    }

    async fn wait_until_ready(&mut self) {
        let began = Instant::now();
        let file = self.home().join("run.json");
        while !file.exists() {
            assert!(self.process.try_wait().unwrap().is_none(), "{}", self.log());
            assert!(began.elapsed() < CONDITION_TIMEOUT * 2, "{}", self.log());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        self.running = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    }

    /// The folder that the platform keeps everything in, but for what its servers keep.
    pub fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// Everything that it and its servers keep.
    pub fn folders(&self) -> [PathBuf; 2] {
        [self.home(), self.server_home.folder().to_owned()]
    }

    /// The log of the platform.
    pub fn log(&self) -> String {
        let bytes = fs::read(self.folder.path().join("log")).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Its address, without a slash at the end.
    pub fn url(&self) -> &str {
        self.running["url"].as_str().unwrap()
    }

    /// Address by service, password included.
    pub fn databases(&self) -> Vec<(String, String)> {
        let databases = self.running["databases"].as_object().unwrap();
        databases
            .iter()
            .map(|(service, url)| (service.clone(), url.as_str().unwrap().to_owned()))
            .collect()
    }

    /// The address of a database for PostgreSQL's own administrator.
    pub fn postgres_url(&self, database: &str) -> String {
        self.servers.postgres.url(database)
    }

    pub fn nats_url(&self) -> String {
        self.servers.nats.url()
    }

    /// The broker dies, its disk is gone, and it starts again with nothing.
    pub async fn lose_broker(&mut self) {
        self.servers.nats.kill();
        fs::remove_dir_all(self.server_home.folder().join("nats/jetstream")).unwrap();
        self.servers.nats.start_again().await.unwrap();
    }

    /// The texts of all mails, headers included.
    pub fn mails(&self) -> Vec<String> {
        let Ok(folder) = fs::read_dir(self.home().join("mail")) else {
            return Vec::new();
        };
        folder
            .filter_map(|entry| fs::read_to_string(entry.unwrap().path()).ok())
            .filter(|mail| mail.contains("\r\n\r\n"))
            .collect()
    }

    pub fn mails_to(&self, email: &str) -> Vec<String> {
        let to = |mail: &String| {
            mail.lines()
                .filter_map(|line| line.strip_prefix("To: "))
                .any(|to| to.trim_matches(['<', '>']) == email)
        };
        self.mails().into_iter().filter(to).collect()
    }

    /// A request in the making, with the test's name and the caller's token.
    pub fn request(&self, method: Method, path: &str, caller: Option<&Account>) -> RequestBuilder {
        let request = self
            .client
            .request(method, format!("{}{path}", self.url()))
            .header("x-request-id", self.test)
            .header("x-forwarded-for", self.address());
        match caller {
            Some(caller) => request.bearer_auth(&caller.token),
            None => request,
        }
    }

    /// The address of a request, another one each time: limits by address are tested elsewhere.
    fn address(&self) -> String {
        let [.., high, low] = self.requests.fetch_add(1, Ordering::Relaxed).to_be_bytes();
        format!("10.0.{high}.{low}")
    }

    pub async fn get(&self, path: &str, caller: Option<&Account>) -> Answer {
        send(self.request(Method::GET, path, caller)).await
    }

    pub async fn post(&self, path: &str, caller: Option<&Account>, body: &Value) -> Answer {
        send(self.request(Method::POST, path, caller).json(body)).await
    }

    pub async fn put(&self, path: &str, caller: Option<&Account>, body: &Value) -> Answer {
        send(self.request(Method::PUT, path, caller).json(body)).await
    }

    pub async fn delete(&self, path: &str, caller: Option<&Account>) -> Answer {
        send(self.request(Method::DELETE, path, caller)).await
    }

    /// Writes down which calls of this test succeeded, by the platform's own log: `METHOD /route`.
    fn record(&self) {
        let log = self.log();
        let calls: BTreeSet<String> = log
            .lines()
            .filter_map(|line| self.succeeded(line))
            .collect();
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exercised");
        let text: Vec<String> = calls.into_iter().map(|call| call + "\n").collect();
        let written = fs::create_dir_all(&folder)
            .and_then(|()| fs::write(folder.join(format!("{}.txt", self.test)), text.concat()));
        if let Err(error) = written {
            eprintln!("{}: {error}", folder.display());
        }
    }

    /// The call that a line of the log tells of, if it is this test's and was answered as wanted.
    fn succeeded(&self, line: &str) -> Option<String> {
        let line: Value = serde_json::from_str(line).ok()?;
        let is_mine = line["message"] == "answered" && line["request_id"] == self.test;
        let is_done = line["status"].as_u64().is_some_and(|status| status < 400);
        (is_mine && is_done).then(|| {
            let text = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
            format!("{} {}", text("http.request.method"), text("http.route"))
        })
    }
}

impl Drop for Stack {
    /// A test that failed leaves no process behind, and says where the platform's log is.
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        if std::thread::panicking() {
            let server_home =
                Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}.log", self.test));
            if fs::write(&server_home, self.log()).is_ok() {
                eprintln!("what the platform said is in {}", server_home.display());
            }
        } else {
            self.record();
        }
    }
}

/// Sends it and reads the answer. What is not ready yet, on a machine that is busy with other things,
/// is asked again, as it asks for.
pub async fn send(request: RequestBuilder) -> Answer {
    let began = Instant::now();
    loop {
        let answer = read(request.try_clone().unwrap()).await;
        if answer.status != 503 || began.elapsed() > CONDITION_TIMEOUT {
            return answer;
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

async fn read(request: RequestBuilder) -> Answer {
    let response = request.send().await.unwrap();
    let (status, headers) = (response.status(), response.headers().clone());
    let bytes = response.bytes().await.unwrap();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Answer {
        status,
        headers,
        body: serde_json::from_str(&text).unwrap_or(Value::Null),
        text,
    }
}

/// Waits for something to become true, for as long as a slow machine may need.
pub async fn eventually<F: AsyncFnMut() -> bool>(what: &str, mut holds: F) {
    let began = Instant::now();
    while !holds().await {
        assert!(
            began.elapsed() < CONDITION_TIMEOUT,
            "{what}: did not come true in time"
        );
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
}
