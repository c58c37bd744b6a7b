//! nats-server as the platform configures it, with its websocket listener switched on.

use std::{
    fs::{self, File},
    net::{SocketAddr, TcpStream},
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use anyhow::{Result, ensure};
use serde_json::json;
use tempfile::TempDir;

use super::process::Process;

const CONFIG: &str = include_str!("../../../nats/nats-server.conf");
const USER: &str = "tiffin";
const PASSWORD: &str = "benchmark";

#[derive(Debug)]
pub struct Broker {
    pub process: Process,
    pub address: SocketAddr,
    pub websocket: SocketAddr,
    _data: TempDir,
}

impl Broker {
    pub fn start(folder: &Path) -> Result<Self> {
        let binary = binary(folder)?;
        let data = tempfile::tempdir()?;
        let (address, websocket) = (free()?, free()?);
        let config = format!(
            "{}\nwebsocket {{ listen: \"{websocket}\", no_tls: true, compression: false }}\n",
            CONFIG
                .replace("sync_interval: always", "sync_interval: \"10m\"")
                // The Node bridge and the load have no users of Tiffin's.
                .replace(
                    "include \"users.conf\"",
                    &format!("user: {USER}\n  password: {PASSWORD}")
                )
        );
        let file = data.path().join("nats-server.conf");
        fs::write(&file, config)?;
        let log = File::create(folder.join("nats.log"))?;
        let mut command = Command::new(binary);
        command
            .arg("-c")
            .arg(&file)
            .args(["-a", "127.0.0.1", "-p", &address.port().to_string(), "-sd"])
            .arg(data.path())
            .stderr(log);
        let process = Process::start(&mut command)?;
        let started = Instant::now();
        while TcpStream::connect(address).is_err() || TcpStream::connect(websocket).is_err() {
            ensure!(
                started.elapsed() < Duration::from_secs(10),
                "nats-server does not start; see {}",
                folder.join("nats.log").display()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(Self {
            process,
            address,
            websocket,
            _data: data,
        })
    }

    pub fn url(&self) -> String {
        format!("nats://{USER}:{PASSWORD}@{}", self.address)
    }

    /// A client's first frame.
    pub fn connect_line() -> String {
        let options = json!({
            "verbose": false, "pedantic": false, "user": USER, "pass": PASSWORD, "lang": "bench",
            "version": "1", "protocol": 1, "headers": true, "no_responders": true,
        });
        format!("CONNECT {options}\r\n")
    }
}

fn binary(folder: &Path) -> Result<std::path::PathBuf> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let report = |line: &str| println!("{line}");
    let found = tiffin_servers::nats_server_binary(folder, &report);
    Ok(runtime.block_on(found)?)
}

fn free() -> Result<SocketAddr> {
    Ok(SocketAddr::from((
        [127, 0, 0, 1],
        tiffin_servers::free_port()?,
    )))
}
