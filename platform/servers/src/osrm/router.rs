//! One osrm-routed.

use std::{
    io::{Read, Write},
    net::{Ipv4Addr, SocketAddr, TcpStream},
    path::PathBuf,
    process::{Command, ExitStatus},
    time::Duration,
};

use rustix::process::Signal;

use super::{Vehicle, tools::Tools};
use crate::{Home, ServersError, process, server_process::ServerProcess, unprivileged};

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
    process: ServerProcess,
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
        let log = format!("osrm-{}.log", vehicle.name());
        let mut router = Self {
            vehicle,
            port,
            program: tools.program("osrm-routed").get_program().into(),
            roads,
            process: ServerProcess::new("osrm-routed", Signal::TERM, &log, home)?,
        };
        router.start_again().await.map(|()| router)
    }

    pub fn url(&self) -> String {
        url(self.port)
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

    /// Starts it again on the same port and roads. Nothing happens if it runs.
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
