//! nats-server with JetStream.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader},
    net::{Ipv4Addr, SocketAddr, TcpStream},
    path::{Path, PathBuf},
    process::{Command, ExitStatus},
    time::Duration,
};

use rustix::process::Signal;

use crate::{
    At, Durability, Home, Report, ServersError,
    package::{self, NATS},
    port, private, process, secret,
    server_process::ServerProcess,
};

const CONFIG: &str = include_str!("../../../infra/nats/nats-server.conf");
/// The users that the configuration includes.
const USERS: &str = include_str!("../../../infra/nats/users.conf");
/// The one that may do everything.
const SETUP: &str = "setup";
/// The bytes that all streams may hold together in `infra/nats/nats-server.conf`; `None` if it does not say.
pub fn max_file_store() -> Option<u64> {
    let (_, after) = CONFIG.split_once("max_file_store:")?;
    // The server counts a gigabyte as 2^30 bytes.
    let gigabytes = after.lines().next()?.trim().strip_suffix("GB")?;
    Some(gigabytes.parse::<u64>().ok()? << 30)
}

const START_TIMEOUT: Duration = Duration::from_secs(20);

/// The nats-server binary: the one in `TIFFIN_NATS_SERVER`, or the pinned one, fetched if need be.
pub async fn nats_server_binary(
    packages: &Path,
    report: Report<'_>,
) -> Result<PathBuf, ServersError> {
    let Some(set) = std::env::var_os(NATS.variable).filter(|set| !set.is_empty()) else {
        return NATS.binary(packages, report).await;
    };
    let path = PathBuf::from(set);
    if path.is_file() {
        return path.canonicalize().at(path);
    }
    Err(ServersError::NotABinary {
        variable: NATS.variable,
        path,
        reason: "there is no such file".to_owned(),
    })
}

/// A nats-server of ours, on the loopback address.
#[derive(Debug)]
pub struct Nats {
    binary: PathBuf,
    config: PathBuf,
    folder: PathBuf,
    /// By user.
    passwords: BTreeMap<&'static str, String>,
    port: u16,
    process: ServerProcess,
}

impl Nats {
    /// Starts it on a free port with its data below `home`.
    pub async fn start(
        home: &Home,
        durability: Durability,
        report: Report<'_>,
    ) -> Result<Self, ServersError> {
        let binary = nats_server_binary(home.packages(), report).await?;
        let folder = home.folder().join("nats");
        private::make(&folder, private::OWNER_ONLY)?;
        let config = folder.join("nats-server.conf");
        std::fs::write(&config, configuration(durability)).at(&config)?;
        let users = folder.join("users.conf");
        std::fs::write(&users, USERS).at(&users)?;
        let secret = secret::password(&folder.join("password"))?;
        process::end_stale(&folder.join("pid"), &folder, Signal::TERM).await;
        let mut server = Self {
            binary,
            config,
            passwords: users_of(USERS)
                .map(|user| (user, secret::derived(&secret, user)))
                .collect(),
            folder,
            port: port::free()?,
            process: ServerProcess::new(package::NATS.name, Signal::TERM, "nats.log", home)?,
        };
        let mut started = server.start_again().await;
        // Another process may have taken the port in the meantime.
        for _ in 0..3 {
            if started.is_ok() {
                break;
            }
            server.port = port::free()?;
            started = server.start_again().await;
        }
        started.map(|()| server)
    }

    /// The URL of a client with all rights, user and password included.
    pub fn url(&self) -> String {
        self.url_of(SETUP)
    }

    /// The URL of a user, password included. A user that the configuration does not name is refused there.
    pub fn url_of(&self, user: &str) -> String {
        let password = self.passwords.get(user).map_or("", String::as_str);
        format!("nats://{user}:{password}@127.0.0.1:{}", self.port)
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

    /// Stops it cleanly.
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
        let (command, port) = (self.command(), self.port);
        self.process
            .start(command, START_TIMEOUT, |_| answers(port))
            .await
    }

    fn command(&self) -> Command {
        let mut command = process::program(&self.binary);
        command
            .arg("-c")
            .arg(&self.config)
            .args(["-a", "127.0.0.1", "-p", &self.port.to_string()])
            .arg("-sd")
            .arg(&self.folder)
            .arg("-P")
            .arg(self.folder.join("pid"))
            .envs(
                self.passwords
                    .iter()
                    .map(|(user, password)| (variable(user), password)),
            )
            // A little more collecting for a much smaller idle footprint.
            .env("GOGC", "50")
            .env("GOMEMLIMIT", "256MiB");
        command
    }
}

/// The users that a configuration names.
fn users_of(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.split("user: ")
        .skip(1)
        .filter_map(|rest| rest.split([',', '\n', ' ']).next())
}

/// The variable from which the configuration takes a user's password.
fn variable(user: &str) -> String {
    format!("TIFFIN_NATS_{}_PASSWORD", user.to_uppercase())
}

fn configuration(durability: Durability) -> String {
    match durability {
        Durability::Full => CONFIG.to_owned(),
        Durability::Fast => CONFIG.replace("sync_interval: always", "sync_interval: \"10m\""),
    }
}

/// True if a nats-server answers there.
fn answers(port: u16) -> bool {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let Ok(stream) = TcpStream::connect_timeout(&address, Duration::from_millis(200)) else {
        return false;
    };
    let mut line = String::new();
    stream
        .set_read_timeout(Some(Duration::from_secs(1)))
        .is_ok()
        && BufReader::new(stream).read_line(&mut line).is_ok()
        && line.starts_with("INFO ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_user_of_the_configuration_has_a_password() {
        let users: Vec<&str> = users_of(USERS).collect();
        assert_eq!(users.len(), USERS.matches("password: ").count());
        for user in users {
            assert!(
                USERS.contains(&format!("password: ${}", variable(user))),
                "{user}"
            );
        }
    }

    #[test]
    fn a_fast_server_differs_in_nothing_but_its_waiting_for_the_disk() {
        assert_ne!(configuration(Durability::Fast), CONFIG);
        assert_eq!(
            configuration(Durability::Fast).lines().count(),
            CONFIG.lines().count()
        );
    }
}
