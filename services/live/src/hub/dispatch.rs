//! The hub's loop.

use std::{
    io,
    sync::{Arc, mpsc::Receiver},
    thread,
    time::{Duration, Instant},
};

use mio::{Events, Poll, Registry, Token, event::Event};
use tiffin_chassis::Verifier;
use tokio::sync::mpsc::UnboundedSender;

use super::{
    broker::Broker,
    drain::Drain,
    sockets::Sockets,
    stats::{Counters, Stats},
    topics::Topics,
};
use crate::{
    limits::Limits,
    messages::{AccountSockets, Command, Question},
    wire::frame::{Encoder, Incoming},
};

#[cfg(test)]
mod tests;

pub(super) const WAKE_TOKEN: Token = Token(usize::MAX);
const LINK_TOKEN: Token = Token(usize::MAX - 1);

/// The interval of checks of deadlines.
const TICK_INTERVAL: Duration = Duration::from_millis(250);
/// The rest of a hub as a multiple of its work: under load more gathers for each write, while a single position leaves
/// at once.
const REST_FACTOR: u32 = 2;
/// The longest rest of a hub.
const MAX_REST: Duration = Duration::from_millis(10);
/// The shortest rest: a shorter one costs more than it saves.
const MIN_REST: Duration = Duration::from_micros(150);
/// The shortest rest after positions. To wake the hub, the broker and the tasks that it exchanges positions with costs
/// more than all the rest of a delivery.
const POSITIONS_REST: Duration = Duration::from_millis(3);

pub(super) struct Dispatcher {
    pub questions: UnboundedSender<Question>,
    pub limits: Limits,
    pub verifier: Verifier,
    /// The sockets of every account.
    pub accounts: AccountSockets,
    pub broker: Broker,
    pub sockets: Sockets,
    pub topics: Topics,
    pub drain: Drain,
    pub encoder: Encoder,
    /// Messages of the socket that is read.
    pub incoming: Vec<Incoming>,
    pub counters: Counters,
    pub stats: Arc<Stats>,
    /// True if this cycle took a position, of the broker or of a driver.
    pub carries_positions: bool,
    ticked: Instant,
}

impl Dispatcher {
    pub fn new(
        registry: &Registry,
        questions: UnboundedSender<Question>,
        limits: Limits,
        verifier: Verifier,
        accounts: AccountSockets,
        stats: Arc<Stats>,
    ) -> io::Result<Self> {
        let now = Instant::now();
        Ok(Self {
            questions,
            limits,
            verifier,
            accounts,
            broker: Broker::new(registry.try_clone()?, LINK_TOKEN, now),
            sockets: Sockets::new(registry.try_clone()?, limits),
            topics: Topics::default(),
            drain: Drain::new(now),
            encoder: Encoder::default(),
            incoming: Vec::new(),
            counters: Counters::default(),
            stats,
            carries_positions: false,
            ticked: now,
        })
    }

    /// Runs until it is stopped and every socket is closed.
    pub fn run(mut self, poll: &mut Poll, commands: &Receiver<Command>) {
        self.ask(Question::Dial);
        let mut events = Events::with_capacity(1024);
        while !(self.drain.has_begun() && self.sockets.is_empty()) {
            if let Err(error) = poll.poll(&mut events, self.poll_timeout())
                && error.kind() != io::ErrorKind::Interrupted
            {
                tracing::error!(%error, "the hub can't poll its sockets and ends");
                return;
            }
            let now = Instant::now();
            self.carries_positions = false;
            for event in &events {
                self.on_event(event, now);
            }
            if self.broker.has_more {
                self.read_link(false, now);
            }
            while let Ok(command) = commands.try_recv() {
                self.on_command(command, now);
            }
            if self.drain.is_due(now) {
                self.close_some(now);
            }
            if now.duration_since(self.ticked) >= TICK_INTERVAL {
                self.tick(now);
            }
            self.flush();
            if !self.broker.has_more {
                thread::sleep(rest_after(now.elapsed(), self.carries_positions));
            }
        }
        self.counters.hand_over(&self.stats, 0, 0);
    }

    /// The time-out of the next poll. Deadlines only exist while there are sockets.
    fn poll_timeout(&self) -> Option<Duration> {
        if self.broker.has_more {
            return Some(Duration::ZERO);
        }
        if self.drain.is_waiting() {
            return Some(self.limits.drain.1);
        }
        if !self.sockets.is_empty() {
            return Some(TICK_INTERVAL);
        }
        self.broker.link.is_up().then_some(TICK_INTERVAL * 40)
    }

    pub fn ask(&self, question: Question) {
        // Without look-ups the process is about to end.
        let _ = self.questions.send(question);
    }

    fn on_event(&mut self, event: &Event, now: Instant) {
        let has_ended = event.is_read_closed() || event.is_error();
        match event.token() {
            LINK_TOKEN if event.is_readable() || has_ended => self.read_link(has_ended, now),
            WAKE_TOKEN | LINK_TOKEN => {}
            Token(index) => {
                if event.is_writable() {
                    self.sockets.mark(index);
                }
                if event.is_readable() || has_ended {
                    self.read(index, has_ended, now);
                }
            }
        }
    }

    fn on_command(&mut self, command: Command, now: Instant) {
        match command {
            Command::Accept {
                stream,
                early,
                slots,
            } => self.accept(stream, &early, slots, now),
            Command::Linked(dialled) => self.linked(dialled, now),
            Command::Authenticated { socket, identity } => self.authenticated(socket, identity),
            Command::Opened {
                socket,
                key,
                opening,
            } => self.opened(socket, key, opening),
            Command::Recovered {
                key,
                epoch,
                opening,
            } => self.recovered(key, epoch, opening),
            Command::SendError { socket, refusal } => {
                if self.sockets.is_alive(socket) {
                    self.send_error(socket.index, refusal);
                }
            }
            Command::Revoked(user) => self.revoked(user),
            #[cfg(test)]
            Command::Fail => panic!("as asked"),
            Command::Stop => {
                self.drain.begin(self.sockets.indexes());
                self.close_some(now);
            }
        }
    }

    /// Writes everything that gathered: to the broker, and once to each marked socket.
    fn flush(&mut self) {
        if let Err(error) = self.broker.link.flush() {
            self.lost(&error);
        }
        let flushed = self.sockets.flush();
        self.counters.conflated += flushed.conflated;
        for index in flushed.gone {
            self.remove(index, "gone");
        }
    }

    fn tick(&mut self, now: Instant) {
        self.ticked = now;
        if let Err(error) = self.broker.link.check_liveness(now) {
            self.lost(&error);
        }
        self.send_role_hints();
        self.compare();
        let clock = self.verifier.clock().now();
        for index in self.sockets.indexes() {
            self.check_deadlines(index, now, clock);
        }
        let (sockets, subjects) = (self.sockets.len(), self.broker.link.subscriptions());
        self.counters.hand_over(&self.stats, sockets, subjects);
    }
}

/// The rest after a cycle that took so long.
fn rest_after(work: Duration, carries_positions: bool) -> Duration {
    let least = if carries_positions {
        POSITIONS_REST
    } else {
        Duration::ZERO
    };
    let rest = (work * REST_FACTOR).min(MAX_REST).max(least);
    if rest < MIN_REST {
        Duration::ZERO
    } else {
        rest
    }
}
