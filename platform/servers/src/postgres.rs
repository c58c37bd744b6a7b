//! PostgreSQL.

use std::{
    fmt::Write,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, ExitStatus},
    time::{Duration, Instant},
};

use rustix::process::Signal;

use crate::{
    At, Durability, Home, Report, ServersError, package::POSTGRES, port, process, secret,
    server_process::ServerProcess, unprivileged,
};

const CONFIG: &str = include_str!("../../../infra/postgres/postgresql.conf");
const USER: &str = "tiffin";
/// Recovery after a crash is part of starting.
const START_TIMEOUT: Duration = Duration::from_mins(1);

/// The folder with `postgres` and `initdb`: the one in `TIFFIN_POSTGRES_BIN`, or the pinned one,
/// fetched if need be.
pub async fn postgres_binaries(
    packages: &Path,
    report: Report<'_>,
) -> Result<PathBuf, ServersError> {
    let Some(set) = std::env::var_os(POSTGRES.variable).filter(|set| !set.is_empty()) else {
        let binary = POSTGRES
            .binary(&unprivileged::reachable(packages), report)
            .await?;
        return Ok(binary.parent().unwrap_or(&binary).to_owned());
    };
    let path = PathBuf::from(set);
    let reason = if !path.join("postgres").is_file() || !path.join("initdb").is_file() {
        "there is no postgres with its initdb in it"
    } else if !unprivileged::reaches(&path.join("postgres")) {
        "PostgreSQL does not run as root, and another user can't reach that folder"
    } else {
        return path.canonicalize().at(path);
    };
    Err(ServersError::NotABinary {
        variable: POSTGRES.variable,
        path,
        reason: reason.to_owned(),
    })
}

/// A PostgreSQL server of ours, on the loopback address.
#[derive(Debug)]
pub struct Postgres {
    binaries: PathBuf,
    /// Holds `data` and the configuration; belongs to the user the server runs as.
    folder: PathBuf,
    password: String,
    port: u16,
    durability: Durability,
    process: ServerProcess,
}

impl Postgres {
    /// Starts it on a free port with its data below `home`, making the data at the first start.
    pub async fn start(
        home: &Home,
        durability: Durability,
        report: Report<'_>,
    ) -> Result<Self, ServersError> {
        let binaries = postgres_binaries(home.packages(), report).await?;
        let wanted = home.folder().join("postgres");
        let folder = unprivileged::reachable(&wanted);
        if folder != wanted {
            report(&format!(
                "PostgreSQL does not run as root, and no other user can reach {}: its data is in {}",
                home.folder().display(),
                folder.display()
            ));
        }
        unprivileged::make_folder(&folder)?;
        let mut server = Self {
            binaries,
            password: secret::password(&folder.join("password"))?,
            folder,
            port: port::free()?,
            durability,
            process: ServerProcess::new(POSTGRES.name, Signal::INT, "postgres.log", home)?,
        };
        server.configure()?;
        if !server.data().is_dir() {
            report("making the PostgreSQL data folder");
            server.initialise().await?;
            // It took seconds, in which another process may have taken the port.
            server.port = port::free()?;
        }
        process::end_stale(
            &server.data().join("postmaster.pid"),
            &server.data(),
            Signal::INT,
        )
        .await;
        server.start_again().await?;
        Ok(server)
    }

    /// The URL of one database, user and password included.
    pub fn url(&self, database: &str) -> String {
        format!(
            "postgres://{USER}:{}@127.0.0.1:{}/{database}",
            self.password, self.port
        )
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// The server's process id, while it runs.
    pub fn pid(&self) -> Option<u32> {
        self.process.id()
    }

    /// Its exit status, if it has ended without being stopped.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.process.ended()
    }

    /// Stops it cleanly: connections are ended, nothing committed is lost.
    pub async fn stop(&mut self) {
        self.process.stop().await;
    }

    /// Kills it as a crash would.
    pub fn kill(&mut self) {
        self.process.kill();
    }

    /// Starts it again on the same port and data. Nothing happens if it runs.
    pub async fn start_again(&mut self) -> Result<(), ServersError> {
        if self.process.is_running() {
            return Ok(());
        }
        let started = Instant::now();
        loop {
            let pid_file = self.data().join("postmaster.pid");
            let _ = std::fs::remove_file(&pid_file);
            let command = self.command();
            let is_ready = |id| is_ready(&pid_file, id);
            let ended = self
                .process
                .try_start(command, START_TIMEOUT, is_ready)
                .await?;
            let Some(status) = ended else { return Ok(()) };
            // After a crash the old server's last processes may take a moment to go.
            if started.elapsed() > Duration::from_secs(10) {
                return Err(self.process.ended_early(status));
            }
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    fn configure(&self) -> Result<(), ServersError> {
        let mut text = CONFIG.to_owned();
        if self.durability == Durability::Fast {
            text.push_str("\nfsync = off\nsynchronous_commit = off\nfull_page_writes = off\n");
        }
        if cfg!(target_os = "linux") {
            // After a crash one call, and not one for each of the thousands of files of nine databases.
            text.push_str("\nrecovery_init_sync_method = syncfs\n");
        }
        let file = self.folder.join("postgresql.conf");
        std::fs::write(&file, text).at(&file)?;
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o644)).at(&file)
    }

    /// Into another folder first, so that an interrupted one is never taken for whole.
    async fn initialise(&self) -> Result<(), ServersError> {
        let (fresh, pass) = (self.folder.join("data.new"), self.folder.join("pass"));
        if fresh.exists() {
            std::fs::remove_dir_all(&fresh).at(&fresh)?;
        }
        std::fs::write(&pass, &self.password).at(&pass)?;
        std::fs::set_permissions(&pass, PermissionsExt::from_mode(0o600)).at(&pass)?;
        unprivileged::chown(&pass)?;
        let mut command = self.program("initdb");
        command
            .arg("-D")
            .arg(&fresh)
            .args([
                "-U",
                USER,
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--no-instructions",
            ])
            .args([
                "--locale=C",
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8",
            ])
            .arg("--pwfile")
            .arg(&pass)
            .current_dir("/");
        if self.durability == Durability::Fast {
            command.arg("--no-sync");
        }
        let answer = tokio::task::spawn_blocking(move || command.output()).await;
        let answer = answer
            .map_err(|error| self.process.failed(&error.to_string()))?
            .at(self.binaries.join("initdb"))?;
        std::fs::remove_file(&pass).at(&pass)?;
        if !answer.status.success() {
            return Err(self.process.failed(&format!(
                "initdb: {}",
                String::from_utf8_lossy(&answer.stderr).trim()
            )));
        }
        std::fs::rename(&fresh, self.data()).at(self.data())
    }

    fn command(&self) -> Command {
        let mut setting = String::from("config_file=");
        let _ = write!(setting, "{}", self.folder.join("postgresql.conf").display());
        let mut command = self.program("postgres");
        command
            .arg("-D")
            .arg(self.data())
            .args(["-p", &self.port.to_string(), "-c", &setting]);
        command
    }

    /// A command as the server's user.
    fn program(&self, name: &str) -> Command {
        let mut command = process::program(self.binaries.join(name));
        command.env("LC_ALL", "C");
        unprivileged::apply(&mut command);
        command
    }
}

/// True if the server with this id says so in the last line of its pid file.
fn is_ready(pid_file: &Path, id: u32) -> bool {
    let text = std::fs::read_to_string(pid_file).unwrap_or_default();
    let first = text.lines().next().map(str::trim);
    let last = text.lines().last().map(str::trim);
    first == Some(&id.to_string()) && last == Some("ready")
}
