//! The pinned NATS, PostgreSQL and OSRM server binaries: found in the environment or fetched once, checked
//! by hash, started as child processes and stopped cleanly.
//!
//! A child never outlives this process: a watcher stops it when the pipe to us closes, however we
//! ended. Children have separate process groups, so that Ctrl-C reaches us alone and we stop them
//! in the right order.

mod home;
mod nats;
mod osrm;
mod package;
mod port;
mod postgres;
mod private;
mod process;
mod secret;
mod server_process;
mod unprivileged;

use std::{io, path::PathBuf};

pub use home::Home;
pub use nats::{Nats, max_file_store, nats_server_binary};
pub use osrm::{Osrm, Router, RouterPorts, Vehicle};
pub use package::Package;
pub use port::free as free_port;
pub use postgres::{Postgres, postgres_binaries};

/// The safety of acknowledged data in a power cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// Everything acknowledged is on the disk.
    Full,
    /// Nothing waits for the disk: for tests, whose data goes with the process.
    Fast,
}

/// Called with a short sentence without a full stop: a step that begins, or its result.
pub type Report<'a> = &'a (dyn Fn(&str) + Sync);

/// The reason why a server is not there, as a sentence for the person who started it.
#[derive(Debug, thiserror::Error)]
pub enum ServersError {
    #[error(
        "there is no pinned {name} for {platform}: install {name} and set {variable} to {wanted}, or \
         set {url} to a server that runs already"
    )]
    NoPackage {
        name: &'static str,
        platform: String,
        variable: &'static str,
        wanted: &'static str,
        url: &'static str,
    },
    #[error("{variable} is {path}, but {reason}")]
    NotABinary {
        variable: &'static str,
        path: PathBuf,
        reason: String,
    },
    #[error("fetching {name} {version} failed: {reason}")]
    Fetch {
        name: &'static str,
        version: &'static str,
        reason: String,
    },
    #[error("{0} is in use by another Tiffin: stop that one, or set TIFFIN_HOME to another folder")]
    InUse(PathBuf),
    #[error("{name} did not start: {reason}")]
    Start { name: &'static str, reason: String },
    #[error("the map {path} can't be used: {reason}")]
    Map { path: PathBuf, reason: String },
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: io::Error },
}

/// Names the path an operation failed on.
trait At<T> {
    fn at(self, path: impl Into<PathBuf>) -> Result<T, ServersError>;
}

impl<T, E: Into<io::Error>> At<T> for Result<T, E> {
    fn at(self, path: impl Into<PathBuf>) -> Result<T, ServersError> {
        self.map_err(|error| ServersError::Io {
            path: path.into(),
            source: error.into(),
        })
    }
}

/// Both servers.
#[derive(Debug)]
pub struct Servers {
    pub postgres: Postgres,
    pub nats: Nats,
}

impl Servers {
    /// Finds or fetches the binaries and starts both servers, PostgreSQL beside NATS.
    pub async fn start(
        home: &Home,
        durability: Durability,
        report: Report<'_>,
    ) -> Result<Self, ServersError> {
        let (postgres, nats) = tokio::join!(
            Postgres::start(home, durability, report),
            Nats::start(home, durability, report)
        );
        Ok(Self {
            postgres: postgres?,
            nats: nats?,
        })
    }

    /// Stops both, NATS first, so that no consumer takes events that PostgreSQL can't store any more.
    pub async fn stop(&mut self) {
        self.nats.stop().await;
        self.postgres.stop().await;
    }
}
