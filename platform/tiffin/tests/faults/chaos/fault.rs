//! The faults: their target, their length, and the recovery.

use std::{fmt, fs, time::Duration};

use async_nats::jetstream;
use rand::{RngExt, rngs::StdRng};
use rustix::process::{Pid, Signal, kill_process};
use tiffin_bus::Broker;
use tokio::time::timeout;

use super::link::LinkState;
use crate::stack::{Server, Stack};

/// Streams that fill up.
const STREAMS: [&str; 4] = ["ORDERS", "PAYMENTS", "DELIVERIES", "NOTIFICATIONS"];

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    Service(&'static str),
    Server(Server),
    Link(&'static str, Server),
    Stream(&'static str),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// SIGKILL.
    Kill,
    /// SIGKILL at a fault point; anywhere, if the service does not come there in time.
    KillAt(&'static str),
    /// SIGSTOP.
    Stop,
    Link(LinkState),
    /// A stream that takes nothing more.
    Fill,
}

/// One fault.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    pub target: Target,
    pub kind: FaultKind,
    pub lasts: Duration,
}

impl Fault {
    /// `points` are fault points of services, if some are to be reached.
    pub fn draw(
        random: &mut StdRng,
        services: &[&'static str],
        points: &[(&'static str, &'static str)],
    ) -> Self {
        if !points.is_empty() && random.random_bool(0.25) {
            let (service, place) = points[random.random_range(0..points.len())];
            return Self {
                target: Target::Service(service),
                kind: FaultKind::KillAt(place),
                lasts: Duration::from_millis(random.random_range(2_000..6_000)),
            };
        }
        let service = services[random.random_range(0..services.len())];
        let server = [Server::Broker, Server::Database][random.random_range(0..2)];
        let stream = STREAMS[random.random_range(0..STREAMS.len())];
        let slow = LinkState::Slow(Duration::from_millis(random.random_range(5..250)));
        let (target, kind) = match random.random_range(0..100) {
            0..35 => (Target::Service(service), FaultKind::Kill),
            35..55 => (Target::Service(service), FaultKind::Stop),
            55..63 => (Target::Server(server), FaultKind::Kill),
            63..70 => (Target::Server(server), FaultKind::Stop),
            70..82 => (Target::Link(service, server), FaultKind::Link(slow)),
            82..94 => (
                Target::Link(service, server),
                FaultKind::Link(LinkState::Cut),
            ),
            _ => (Target::Stream(stream), FaultKind::Fill),
        };
        // Most are short; one in ten lasts up to half a minute.
        let longest = if random.random_bool(0.1) {
            30_000
        } else {
            3_000
        };
        let lasts = Duration::from_millis(random.random_range(100..longest));
        Self {
            target,
            kind,
            lasts,
        }
    }

    /// True if it is to kill a service at a fault point and the service has stopped there.
    pub fn has_reached_point(self, stack: &Stack) -> bool {
        match (self.target, self.kind) {
            (Target::Service(service), FaultKind::KillAt(_)) => stack.has_reached_fault(service),
            _ => false,
        }
    }

    /// Its kind, and its target where that is a server, a stream or a fault point.
    pub fn name(self) -> String {
        match (self.target, self.kind) {
            (_, FaultKind::KillAt(place)) => format!("kill at {place}"),
            (Target::Service(_), kind) => format!("{kind:?} of a service").to_lowercase(),
            (Target::Server(server), kind) => format!("{kind:?} of the {server:?}").to_lowercase(),
            (_, FaultKind::Link(LinkState::Cut)) => "cut link".to_owned(),
            (_, FaultKind::Link(_)) => "slow link".to_owned(),
            _ => "full stream".to_owned(),
        }
    }

    pub async fn begin(self, stack: &mut Stack) {
        match (self.target, self.kind) {
            (Target::Service(service), FaultKind::Kill) => stack.kill(service),
            (Target::Service(service), FaultKind::KillAt(place)) => {
                stack.start_with_fault(service, place);
            }
            (Target::Service(service), _) => signal(&[stack.pid(service)], Signal::STOP),
            (Target::Server(Server::Broker), FaultKind::Kill) => stack.servers.nats.kill(),
            (Target::Server(Server::Database), FaultKind::Kill) => stack.servers.postgres.kill(),
            (Target::Server(server), _) => signal(&processes(stack, server), Signal::STOP),
            (Target::Link(service, server), FaultKind::Link(state)) => {
                stack.link(service, server).set(state);
            }
            (Target::Stream(stream), _) => {
                // Where the broker is away itself, there is nothing to fill.
                let _ = timeout(Duration::from_secs(2), limit(stack, stream, None)).await;
            }
            (Target::Link(..), _) => {}
        }
    }

    /// Returns false if it goes on: a broker that is away gives no stream its room back.
    pub async fn end(self, stack: &mut Stack) -> bool {
        match (self.target, self.kind) {
            (Target::Service(service), FaultKind::Kill) => stack.start_service(service),
            (Target::Service(service), FaultKind::KillAt(_)) => {
                stack.kill(service);
                stack.start_service(service);
            }
            (Target::Service(service), _) => signal(&[stack.pid(service)], Signal::CONT),
            (Target::Server(Server::Broker), FaultKind::Kill) => {
                stack.servers.nats.start_again().await.unwrap();
            }
            (Target::Server(Server::Database), FaultKind::Kill) => {
                stack.servers.postgres.start_again().await.unwrap();
            }
            (Target::Server(server), _) => signal(&processes(stack, server), Signal::CONT),
            (Target::Link(service, server), _) => {
                stack.link(service, server).set(LinkState::Open);
            }
            (Target::Stream(stream), _) => {
                let asked = timeout(Duration::from_secs(2), limit(stack, stream, Some(GIB)));
                return matches!(asked.await, Ok(Ok(())));
            }
        }
        true
    }
}

const GIB: i64 = 1 << 30;

/// Gives every stream its room back.
pub async fn empty_streams(stack: &Stack) {
    for stream in STREAMS {
        limit(stack, stream, Some(GIB)).await.unwrap();
    }
}

/// Sets how many bytes a stream may hold; without a number, what it holds now.
async fn limit(stack: &Stack, name: &str, bytes: Option<i64>) -> Result<(), async_nats::Error> {
    let jetstream: jetstream::Context = Broker::connect(&stack.servers.nats.url(), "chaos")
        .await
        .unwrap()
        .jetstream;
    let mut stream = jetstream.get_stream(name).await?;
    let info = stream.info().await?;
    let mut config = info.config.clone();
    config.max_bytes = bytes.unwrap_or(i64::try_from(info.state.bytes)?.max(1));
    jetstream.update_stream(config).await?;
    Ok(())
}

/// A server's own process and its children: PostgreSQL has one a connection.
fn processes(stack: &Stack, server: Server) -> Vec<u32> {
    let pid = match server {
        Server::Broker => stack.servers.nats.pid(),
        Server::Database => stack.servers.postgres.pid(),
    };
    let pid = pid.unwrap();
    let mut all = vec![pid];
    all.extend(children(pid));
    all
}

fn children(parent: u32) -> Vec<u32> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let pids = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(|pid| parent_of(*pid) == Some(parent)).collect()
}

fn parent_of(pid: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in brackets may hold spaces; the state and the parent follow it.
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(1)?.parse().ok()
}

/// A process that has ended meanwhile is none to signal.
fn signal(pids: &[u32], signal: Signal) {
    for pid in pids {
        let pid = i32::try_from(*pid).ok().and_then(Pid::from_raw).unwrap();
        let _ = kill_process(pid, signal);
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            target,
            kind,
            lasts,
        } = self;
        write!(f, "{kind:?} {target:?} for {} ms", lasts.as_millis())
    }
}
