//! Commands to a hub, and its questions.

use std::{
    net::{IpAddr, TcpStream},
    sync::atomic::{AtomicU64, Ordering},
};

use bytes::Bytes;
use tiffin_chassis::{
    connections::Connection,
    slots::{Slot, Slots},
};
use tiffin_events::{Role, UserId, audience::Audience, live::DevicePosition};
use time::OffsetDateTime;
use tokio::sync::mpsc::Receiver;

use crate::{refusal::Refusal, topic_key::TopicKey, wire::dial::Dialled};

/// Names one socket, and no other after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SocketId {
    /// Its index among the sockets of its hub.
    pub index: usize,
    serial: u64,
}

impl SocketId {
    pub fn new(index: usize) -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Self {
            index,
            serial: LAST.fetch_add(1, Ordering::Relaxed),
        }
    }
}

/// The user of a socket, by its token.
#[derive(Clone, Copy, Debug)]
pub struct Identity {
    pub user: UserId,
    pub role: Role,
    /// True if they operate the event history.
    pub operator: bool,
    /// The time of the token's issue, which revocations are compared with.
    pub issued: OffsetDateTime,
    pub expires: OffsetDateTime,
}

/// The state that a new watcher starts from.
#[derive(Debug, Default)]
pub struct Opening {
    /// `None` for a topic that has none: a user's own.
    pub audience: Option<Audience>,
    /// The last known position, as it was published.
    pub position: Option<Bytes>,
    /// Statuses with their stream sequence, as they were published.
    pub events: Vec<(u64, Bytes)>,
}

/// The sockets of every account, over all hubs of a bridge.
pub type AccountSockets = Slots<UserId>;

/// The slots of a socket in the bridge and of its connection in the process, until it is gone.
#[derive(Debug)]
pub struct SocketSlots {
    _of_network: Slot<Option<IpAddr>>,
    /// None where another server than ours accepted the connection.
    of_process: Option<Connection>,
}

impl SocketSlots {
    pub fn new(of_network: Slot<Option<IpAddr>>, of_process: Option<Connection>) -> Self {
        Self {
            _of_network: of_network,
            of_process,
        }
    }

    /// Notes that the connection was upgraded.
    pub fn become_socket(&self) {
        if let Some(connection) = &self.of_process {
            connection.become_socket();
        }
    }
}

/// A command to the hub.
#[derive(Debug)]
pub enum Command {
    /// A connection that was upgraded, and what was read of it already.
    Accept {
        stream: TcpStream,
        early: Bytes,
        slots: SocketSlots,
    },
    Linked(Dialled),
    Authenticated {
        socket: SocketId,
        identity: Result<Identity, String>,
    },
    Opened {
        socket: SocketId,
        key: TopicKey,
        opening: Result<Opening, Refusal>,
    },
    /// The statuses of a topic while the broker was away; `None` if they can't be read.
    Recovered {
        key: TopicKey,
        epoch: u64,
        opening: Option<Opening>,
    },
    /// An error frame for one socket.
    SendError {
        socket: SocketId,
        refusal: Refusal,
    },
    /// This user's tokens ended, or any may have where it is `None`.
    Revoked(Option<UserId>),
    Stop,
    #[cfg(test)]
    Fail,
}

/// From where on a topic's statuses are wanted.
#[derive(Clone, Copy, Debug)]
pub enum Since {
    /// None at all.
    Nothing,
    /// Those after a stream sequence.
    Sequence(u64),
    Time(OffsetDateTime),
}

/// A question of the hub.
#[derive(Debug)]
pub enum Question {
    /// A new connection to the broker.
    Dial,
    /// The `INFO` of a server, which names those of its cluster.
    Learn {
        info: Vec<u8>,
    },
    Authenticate {
        socket: SocketId,
        token: String,
    },
    /// Asks whether the socket's user may watch, and for the state to start from.
    Open {
        socket: SocketId,
        key: TopicKey,
        identity: Identity,
        since: Since,
    },
    /// Asks for the statuses of a topic while the broker was away, before its connection number `epoch`.
    Recover {
        key: TopicKey,
        since: Since,
        epoch: u64,
    },
    /// The statuses of a topic that its watchers may have missed although the broker was there.
    Compare {
        key: TopicKey,
        since: Since,
        epoch: u64,
    },
    /// A driver started to send positions.
    Drive {
        socket: SocketId,
        user: UserId,
        positions: Receiver<Vec<DevicePosition>>,
    },
}
