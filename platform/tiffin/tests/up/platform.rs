use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use reqwest::Client;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A platform in a temporary folder.
pub struct Up {
    folder: TempDir,
    pub process: Child,
    pub client: Client,
}

impl Up {
    pub async fn first() -> Self {
        let folder = tempfile::Builder::new()
            .permissions(PermissionsExt::from_mode(0o755))
            .tempdir()
            .unwrap();
        tiffin_testkit::web_app(folder.path());
        let up = Self {
            process: spawn(folder.path(), &[]),
            folder,
            client: Client::new(),
        };
        up.ready().await
    }

    /// Starts again what was stopped or killed.
    pub async fn again(self) -> Self {
        self.again_with(&[]).await
    }

    /// The same with more settings.
    pub async fn again_with(mut self, settings: &[(&str, &str)]) -> Self {
        self.process = spawn(self.folder.path(), settings);
        self.ready().await
    }

    /// Starts what was stopped with more settings, which it refuses.
    pub async fn refused_with(&mut self, settings: &[(&str, &str)]) -> String {
        self.process = spawn(self.folder.path(), settings);
        let began = Instant::now();
        loop {
            if let Some(status) = self.process.try_wait().unwrap() {
                assert!(!status.success(), "{}", self.log());
                return self.log();
            }
            assert!(began.elapsed() < Duration::from_mins(2), "{}", self.log());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Stops it as Ctrl-C does, its servers with it.
    pub async fn stop(&mut self) {
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

    pub fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    pub fn running(&self) -> Value {
        serde_json::from_slice(&fs::read(self.home().join("run.json")).unwrap()).unwrap()
    }

    pub async fn get(&self, path: &str, token: &str) -> Value {
        let url = format!("{}{path}", self.running()["url"].as_str().unwrap());
        let mut call = self.client.get(url);
        if !token.is_empty() {
            call = call.bearer_auth(token);
        }
        let answer = call.send().await.unwrap();
        assert_eq!(answer.status(), 200, "{path}");
        answer.json().await.unwrap()
    }

    pub async fn login(&self, email: &str) -> String {
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

    pub async fn is_ready(&self) -> bool {
        let url = format!("{}/readyz", self.running()["url"].as_str().unwrap());
        let answer = self.client.get(url).send().await;
        answer.is_ok_and(|answer| answer.status() == 200)
    }

    /// The servers' process ids, with those of the routers that run already.
    pub fn servers(&self) -> Vec<u64> {
        let running = self.running();
        let routers = running["routers"].as_object().unwrap().values();
        [&running["nats"], &running["postgres"]]
            .into_iter()
            .chain(routers)
            .map(|server| server["pid"].as_u64().unwrap())
            .collect()
    }
}

impl Drop for Up {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn spawn(folder: &Path, settings: &[(&str, &str)]) -> Child {
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
        .envs(settings.iter().copied())
        .stdin(Stdio::null())
        .stdout(log.try_clone().unwrap())
        .stderr(log)
        .spawn()
        .unwrap()
}

pub async fn wait_for_the_end_of(processes: &[u64]) {
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
