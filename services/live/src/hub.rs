//! The hub: one thread that owns its sockets, its topics and its connection to the broker, and waits
//! for all of them with one `epoll`. It reads what the broker delivered in one go, encodes it once, puts it into the
//! send queues of the watchers, and writes once to each socket. No task is woken, no lock taken and nothing encoded for
//! a second watcher.
//!
//! Nothing in here blocks or waits for an answer: a question to the broker or about a token goes to
//! the look-ups, which run on the asynchronous side and answer with a [`Command`].

mod broker;
mod clients;
mod compare;
mod deliver;
mod dispatch;
mod drain;
mod frame_limiter;
mod hints;
mod lifecycle;
mod recover;
mod replay;
mod send_queue;
mod socket;
mod sockets;
mod stats;
mod topics;
mod watch;

use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, mpsc},
    thread::{self, JoinHandle},
};

use mio::{Poll, Waker};
use tiffin_chassis::Verifier;
use tokio::sync::mpsc as channel;

use crate::{
    limits::Limits,
    messages::{AccountSockets, Command, Question},
};

#[cfg(any(test, fuzzing))]
pub use clients::read as read_frame;
pub use stats::Stats;

/// The asynchronous side's end of a hub.
#[derive(Clone, Debug)]
pub struct Hub {
    commands: mpsc::Sender<Command>,
    waker: Arc<Waker>,
    pub stats: Arc<Stats>,
}

impl Hub {
    /// Starts the thread. It ends after [`Command::Stop`], once every socket is closed.
    pub fn start(
        limits: Limits,
        verifier: &Verifier,
        questions: channel::UnboundedSender<Question>,
        accounts: AccountSockets,
    ) -> io::Result<(Self, JoinHandle<()>)> {
        let poll = Poll::new()?;
        let waker = Arc::new(Waker::new(poll.registry(), dispatch::WAKE_TOKEN)?);
        let (commands, received) = mpsc::channel();
        let stats = Arc::new(Stats::default());
        let hub_thread = HubThread {
            limits,
            verifier: verifier.clone(),
            questions,
            accounts,
            stats: Arc::clone(&stats),
        };
        let thread = thread::Builder::new()
            .name("live-hub".to_owned())
            .spawn(move || hub_thread.run(poll, &received))?;
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
    pub fn without_a_thread()
    -> io::Result<(Self, mpsc::Receiver<Command>, crate::messages::SocketId)> {
        let waker = Arc::new(Waker::new(Poll::new()?.registry(), dispatch::WAKE_TOKEN)?);
        let (commands, received) = mpsc::channel();
        let hub = Self {
            commands,
            waker,
            stats: Arc::default(),
        };
        Ok((hub, received, crate::messages::SocketId::new(0)))
    }

    /// Sends a command. After the hub's end it is dropped, which is harmless.
    pub fn send(&self, command: Command) {
        if self.commands.send(command).is_ok()
            && let Err(error) = self.waker.wake()
        {
            tracing::error!(%error, "the hub can't be woken; the command waits for its next tick");
        }
    }
}

/// The state that a hub's thread starts with, also after a panic.
struct HubThread {
    limits: Limits,
    verifier: Verifier,
    questions: channel::UnboundedSender<Question>,
    accounts: AccountSockets,
    stats: Arc<Stats>,
}

impl HubThread {
    /// Runs the hub. After a panic its sockets are closed (browsers connect again and resume), and it
    /// starts again: the next socket finds a hub.
    fn run(self, mut poll: Poll, commands: &mpsc::Receiver<Command>) {
        loop {
            let dispatcher = dispatch::Dispatcher::new(
                poll.registry(),
                self.questions.clone(),
                self.limits,
                self.verifier.clone(),
                self.accounts.clone(),
                Arc::clone(&self.stats),
            );
            let dispatcher = match dispatcher {
                Ok(dispatcher) => dispatcher,
                Err(error) => {
                    return tracing::error!(%error, "a hub can't start; its sockets are refused");
                }
            };
            let run = AssertUnwindSafe(|| dispatcher.run(&mut poll, commands));
            let ended = catch_unwind(run);
            self.stats.set_linked(false);
            if ended.is_ok() {
                return;
            }
            metrics::counter!("live_hub_restarts_total").increment(1);
            tracing::error!("a hub panicked; its sockets are closed and it starts again");
        }
    }
}

#[cfg(test)]
mod tests {
    use tiffin_events::Clock;

    use super::*;

    #[test]
    fn a_hub_that_fails_starts_again() {
        let (questions, mut asked) = channel::unbounded_channel();
        let verifier = tiffin_testkit::verifier(&Clock::system());
        let (hub, thread) = Hub::start(
            Limits::default(),
            &verifier,
            questions,
            AccountSockets::default(),
        )
        .unwrap();
        hub.send(Command::Fail);
        for _ in 0..2 {
            assert!(matches!(asked.blocking_recv(), Some(Question::Dial)));
        }
        hub.send(Command::Stop);
        thread.join().unwrap();
    }
}
