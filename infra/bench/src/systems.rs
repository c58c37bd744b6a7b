//! The three ways from a broker to a browser that are compared.

pub mod audience;
mod broker;
mod node;
mod process;

use std::{net::SocketAddr, path::Path, process::Command, time::Duration};

use anyhow::{Context, Result};

use crate::{bridge::Ready, load::Dialect};
use broker::Broker;
use process::Process;

/// One of the three.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum System {
    #[value(name = "tiffin")]
    Bridge,
    #[value(name = "nats")]
    NatsServer,
    Node,
}

impl System {
    pub const ALL: [Self; 3] = [Self::Bridge, Self::NatsServer, Self::Node];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Bridge => "tiffin live",
            Self::NatsServer => "nats-server",
            Self::Node => "node ws",
        }
    }
}

/// A running system with its broker.
#[derive(Debug)]
pub struct Running {
    broker: Broker,
    /// The process that sockets connect to, where it isn't the broker.
    bridge: Option<Process>,
    /// The address of the websockets.
    pub address: SocketAddr,
    pub dialect: Dialect,
    /// The bridge's tokens of drivers, one for each topic.
    pub drivers: Vec<String>,
}

impl Running {
    /// Starts it with an audience for `topics` topics. `folder` keeps what is installed and logged.
    pub fn start(system: System, topics: u128, is_stored: bool, folder: &Path) -> Result<Self> {
        let broker = Broker::start(folder)?;
        audience::prepare(&broker.url(), topics, is_stored)?;
        let mut drivers = Vec::new();
        let (bridge, address, dialect) = match system {
            System::NatsServer => {
                let dialect = Dialect::Nats {
                    connect: Broker::connect_line(),
                };
                (None, broker.websocket, dialect)
            }
            System::Bridge => {
                let mut command = Command::new(std::env::current_exe()?);
                command
                    .args(["bridge", "--drivers", &topics.to_string()])
                    .env("NATS_URL", broker.url())
                    .env("RUST_LOG", "error");
                let (process, line) = Process::with_line(&mut command)?;
                let ready: Ready = serde_json::from_str(&line)?;
                drivers = ready.drivers;
                let address = SocketAddr::from(([127, 0, 0, 1], ready.port));
                let dialect = Dialect::Tiffin { token: ready.token };
                (Some(process), address, dialect)
            }
            System::Node => {
                let mut command = node::command(folder)?;
                let (process, line) = Process::with_line(command.env("NATS_URL", broker.url()))?;
                let port: u16 = line.trim().parse().context(line)?;
                let dialect = Dialect::Tiffin {
                    token: String::new(),
                };
                (
                    Some(process),
                    SocketAddr::from(([127, 0, 0, 1], port)),
                    dialect,
                )
            }
        };
        Ok(Self {
            broker,
            bridge,
            address,
            dialect,
            drivers,
        })
    }

    /// The address for positions, and the first frame there.
    pub fn publishing(&self) -> (SocketAddr, String) {
        (self.broker.address, Broker::connect_line())
    }

    /// CPU time of all server processes so far.
    pub fn cpu(&self) -> Result<Duration> {
        let bridge = self
            .bridge
            .as_ref()
            .map_or(Ok(Duration::ZERO), Process::cpu)?;
        Ok(self.broker.process.cpu()? + bridge)
    }

    /// CPU time so far of the broker alone.
    pub fn broker_cpu(&self) -> Result<Duration> {
        self.broker.process.cpu()
    }

    /// Resident memory of the process that sockets are connected to: proportional set size, in bytes.
    pub fn memory(&self) -> Result<u64> {
        self.bridge
            .as_ref()
            .unwrap_or(&self.broker.process)
            .memory()
    }
}
