//! The hub: one thread that owns its sockets, its topics and its connection to the broker, and waits
//! for all of them with one `epoll`. What the broker delivered is read in one go, encoded once,
//! put into the queues of those who watch, and leaves with one write a socket; no task is woken, no
//! lock taken and nothing encoded for a second watcher.
//!
//! Nothing in here blocks or waits for an answer: a question to the broker or about a token goes to
//! the look-ups, which run on the asynchronous side and answer with a [`Command`].

mod attach;
mod clients;
mod compare;
mod deliver;
mod dispatch;
mod hints;
mod pace;
mod recover;
mod replay;
mod send_queue;
mod socket;
mod sockets;
mod stats;
mod topics;

use std::{
    io,
    net::{IpAddr, TcpStream},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc,
    },
    thread::{self, JoinHandle},
};

use bytes::Bytes;
use mio::{Poll, Waker};
use tiffin_chassis::{
    Verifier,
    connections::Connection,
    places::{Place, Places},
};
use tiffin_events::{Role, UserId, audience::Audience};
use time::OffsetDateTime;
use tokio::sync::mpsc as channel;

use crate::{limits::Limits, nats::dial::Dialled};

#[cfg(any(test, fuzzing))]
pub use clients::read as read_frame;
pub use stats::Stats;
pub use topics::Key;

/// Names one socket, and no other after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SocketId {
    index: usize,
    serial: u64,
}

impl SocketId {
    fn new(index: usize) -> Self {
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
pub type AccountSockets = Places<UserId>;

/// A socket's place in the bridge, and its connection's in the process, until it is gone.
#[derive(Debug)]
pub struct Seat {
    _of_network: Place<Option<IpAddr>>,
    /// None where another server than ours accepted the connection.
    of_process: Option<Connection>,
}

impl Seat {
    pub fn new(of_network: Place<Option<IpAddr>>, of_process: Option<Connection>) -> Self {
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
    Adopt {
        stream: TcpStream,
        early: Bytes,
        seat: Seat,
    },
    Linked(Dialled),
    Authenticated {
        socket: SocketId,
        identity: Result<Identity, String>,
    },
    Opened {
        socket: SocketId,
        key: Key,
        opening: Result<Opening, String>,
    },
    /// The statuses of a topic while the broker was away; `None` if they can't be read.
    Recovered {
        key: Key,
        epoch: u64,
        opening: Option<Opening>,
    },
    /// An error frame for one socket.
    Complain {
        socket: SocketId,
        message: String,
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
    Authenticate {
        socket: SocketId,
        token: String,
    },
    /// Asks whether the socket's user may watch, and for the state to start from.
    Open {
        socket: SocketId,
        key: Key,
        identity: Identity,
        since: Since,
    },
    /// Asks for the statuses of a topic while the broker was away, before its connection number `epoch`.
    Recover {
        key: Key,
        since: Since,
        epoch: u64,
    },
    /// The statuses of a topic that its watchers may have missed although the broker was there.
    Compare {
        key: Key,
        since: Since,
        epoch: u64,
    },
    /// A driver started to send positions.
    Drive {
        socket: SocketId,
        user: UserId,
        fixes: channel::Receiver<Vec<tiffin_events::live::Fix>>,
    },
}

/// The asynchronous side's end of a hub.
#[derive(Clone, Debug)]
pub struct Hub {
    commands: mpsc::Sender<Command>,
    waker: Arc<Waker>,
    pub stats: Arc<Stats>,
}

impl Hub {
    /// Starts the thread. It ends after [`Command::Stop`], once every socket has said goodbye.
    pub fn start(
        limits: Limits,
        verifier: &Verifier,
        questions: channel::UnboundedSender<Question>,
        accounts: AccountSockets,
    ) -> io::Result<(Self, JoinHandle<()>)> {
        let poll = Poll::new()?;
        let waker = Arc::new(Waker::new(poll.registry(), dispatch::WAKE)?);
        let (commands, orders) = mpsc::channel();
        let stats = Arc::new(Stats::default());
        let work = Work {
            limits,
            verifier: verifier.clone(),
            questions,
            accounts,
            stats: Arc::clone(&stats),
        };
        let thread = thread::Builder::new()
            .name("live-hub".to_owned())
            .spawn(move || work.run(poll, &orders))?;
        Ok((
            Self {
                commands,
                waker,
                stats,
            },
            thread,
        ))
    }

    /// A hub that no thread runs, the receiver of its commands, and one socket.
    #[cfg(test)]
    pub fn without_a_thread() -> io::Result<(Self, mpsc::Receiver<Command>, SocketId)> {
        let waker = Arc::new(Waker::new(Poll::new()?.registry(), dispatch::WAKE)?);
        let (commands, received) = mpsc::channel();
        let hub = Self {
            commands,
            waker,
            stats: Arc::default(),
        };
        Ok((hub, received, SocketId::new(0)))
    }

    /// Sends a command. After the hub's end it is dropped, which is harmless.
    pub fn tell(&self, command: Command) {
        if self.commands.send(command).is_ok()
            && let Err(error) = self.waker.wake()
        {
            tracing::error!(%error, "the hub can't be woken");
        }
    }
}

/// The state that a hub's thread starts with, also after a panic.
struct Work {
    limits: Limits,
    verifier: Verifier,
    questions: channel::UnboundedSender<Question>,
    accounts: AccountSockets,
    stats: Arc<Stats>,
}

impl Work {
    /// Runs the hub. After a panic its sockets are closed (browsers connect again and resume), and it
    /// starts again: the next socket finds a hub.
    fn run(self, mut poll: Poll, orders: &mpsc::Receiver<Command>) {
        loop {
            let registry = match poll.registry().try_clone() {
                Ok(registry) => registry,
                Err(error) => return tracing::error!(%error, "a hub can't begin"),
            };
            let dispatcher = dispatch::Dispatcher::new(
                registry,
                self.questions.clone(),
                self.limits,
                self.verifier.clone(),
                self.accounts.clone(),
                Arc::clone(&self.stats),
            );
            let work = AssertUnwindSafe(|| dispatcher.run(&mut poll, orders));
            let ended = catch_unwind(work);
            self.stats.set_linked(false);
            if ended.is_ok() {
                return;
            }
            metrics::counter!("live_hub_restarts_total").increment(1);
            tracing::error!("a hub failed and starts again");
        }
    }
}

#[cfg(test)]
mod tests {
    use tiffin_events::Clock;

    use super::*;

    #[test]
    fn a_hub_that_fails_begins_anew() {
        let (questions, mut asked) = channel::unbounded_channel();
        let verifier = tiffin_testkit::verifier(&Clock::system());
        let (hub, thread) = Hub::start(
            Limits::default(),
            &verifier,
            questions,
            AccountSockets::default(),
        )
        .unwrap();
        hub.tell(Command::Fail);
        for _ in 0..2 {
            assert!(matches!(asked.blocking_recv(), Some(Question::Dial)));
        }
        hub.tell(Command::Stop);
        thread.join().unwrap();
    }
}
