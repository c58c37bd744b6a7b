use std::{
    io::{Read, Write},
    net::{Ipv4Addr, SocketAddr, TcpStream},
    path::{Path, PathBuf},
    process::{Command, ExitStatus},
    time::{Duration, Instant},
};

use rustix::process::Signal;

use super::{Vehicle, tools::Tools};
use crate::{
    Home, ServersError,
    process::{self, Process},
    unprivileged,
};

/// The roads of a large country take seconds to read.
const START_TIMEOUT: Duration = Duration::from_mins(1);

/// An osrm-routed of ours, on the loopback address.
#[derive(Debug)]
pub struct Router {
    pub vehicle: Vehicle,
    port: u16,
    program: PathBuf,
    /// The prepared roads.
    roads: PathBuf,
    log: PathBuf,
    remove: Option<PathBuf>,
    process: Option<Process>,
}

/// The address of a router's port.
pub(super) fn url(port: u16) -> String {
    format!("http://127.0.0.1:{port}")
}

impl Router {
    pub(super) async fn start(
        home: &Home,
        tools: &Tools,
        vehicle: Vehicle,
        port: u16,
        roads: PathBuf,
    ) -> Result<Self, ServersError> {
        let mut router = Self {
            vehicle,
            port,
            program: tools.program("osrm-routed").get_program().into(),
            roads,
            log: home.log(&format!("osrm-{}.log", vehicle.name()))?,
            remove: home.to_remove().map(Path::to_owned),
            process: None,
        };
        router.start_again().await.map(|()| router)
    }

    pub fn url(&self) -> String {
        url(self.port)
    }

    /// The server's process id, while it runs.
    pub fn pid(&self) -> Option<u32> {
        self.process.as_ref().map(Process::id)
    }

    /// Its exit status, if it has ended without being stopped.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.process.as_mut()?.ended()
    }

    /// Stops it cleanly.
    pub async fn stop(&mut self) {
        if let Some(process) = self.process.take() {
            process.stop().await;
        }
    }

    /// Kills it as a crash would.
    pub fn kill(&mut self) {
        if let Some(process) = self.process.take() {
            process.kill();
        }
    }

    /// Starts it again on the same port and roads. Nothing happens if it runs.
    pub async fn start_again(&mut self) -> Result<(), ServersError> {
        if self
            .process
            .as_mut()
            .is_some_and(|process| process.ended().is_none())
        {
            return Ok(());
        }
        self.process = None;
        let mut process = Process::spawn(
            &mut self.command(),
            Signal::TERM,
            &self.log,
            self.remove.as_deref(),
        )?;
        let started = Instant::now();
        while !answers(self.port) {
            if let Some(status) = process.ended() {
                return Err(self.failed(&format!("it ended with {status}")));
            }
            if started.elapsed() > START_TIMEOUT {
                return Err(self.failed(&format!(
                    "it was not ready within {} s",
                    START_TIMEOUT.as_secs()
                )));
            }
            tokio::time::sleep(process::POLL_INTERVAL).await;
        }
        self.process = Some(process);
        Ok(())
    }

    fn command(&self) -> Command {
        let mut command = process::program(&self.program);
        command
            .args(["--algorithm", "ch", "--ip", "127.0.0.1", "--port"])
            .arg(self.port.to_string())
            // The files' pages are the system's to keep or to drop.
            .args(["--mmap", "--threads", "2"])
            // It would log each request, which is a place of a customer or driver.
            .args(["--verbosity", "WARNING"])
            .arg(&self.roads);
        unprivileged::apply(&mut command);
        command
    }

    fn failed(&self, reason: &str) -> ServersError {
        let reason = format!(
            "{reason}; {} ends with: {}",
            self.log.display(),
            process::last_lines(&self.log)
        );
        ServersError::Start {
            name: "osrm-routed",
            reason,
        }
    }
}

/// True if a web server answers there.
fn answers(port: u16) -> bool {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let Ok(mut stream) = TcpStream::connect_timeout(&address, Duration::from_millis(200)) else {
        return false;
    };
    let mut begin = [0; 5];
    let request =
        b"GET /nearest/v1/any/0,0 HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
    stream
        .set_read_timeout(Some(Duration::from_secs(1)))
        .is_ok()
        && stream.write_all(request).is_ok()
        && stream.read_exact(&mut begin).is_ok()
        && begin == *b"HTTP/"
}
