//! The hub's loop.

use std::{
    collections::VecDeque,
    io,
    sync::{Arc, mpsc::Receiver},
    time::{Duration, Instant},
};

use mio::{Events, Poll, Registry, Token, event::Event};
use slab::Slab;
use tiffin_chassis::Verifier;
use tokio::sync::mpsc::UnboundedSender;

use super::{
    AccountSockets, Command, Question, SocketId,
    recover::Fenced,
    socket::Socket,
    stats::{Counted, Stats},
    topics::Topics,
};
use crate::{
    frame::{self, Encoder, Frame, Incoming},
    limits::Limits,
    nats::Link,
};

#[cfg(test)]
mod tests;

pub(super) const WAKE: Token = Token(usize::MAX);
pub(super) const LINK: Token = Token(usize::MAX - 1);

/// The interval of looking at deadlines.
const TICK: Duration = Duration::from_millis(250);
/// After work the hub rests for so many times as long, so that under load more gathers for each
/// write, while a single position leaves at once …
const REST: u32 = 2;
/// … but never longer than this.
const LONGEST_REST: Duration = Duration::from_millis(10);
/// A rest shorter than this isn't worth going to sleep for.
const SHORTEST_REST: Duration = Duration::from_micros(150);
/// The bytes read from one socket at once.
const READ: usize = 16 * 1024;

pub(super) struct Dispatcher {
    pub registry: Registry,
    pub questions: UnboundedSender<Question>,
    pub limits: Limits,
    pub verifier: Verifier,
    /// The sockets of every account.
    pub accounts: AccountSockets,
    pub link: Link,
    /// Requests that wait until the broker has processed our subscriptions.
    pub fences: VecDeque<(u64, Fenced)>,
    pub lost_at: Option<time::OffsetDateTime>,
    /// The number of the connection to the broker.
    pub epoch: u64,
    /// True if the broker's socket was left with unread bytes.
    pub link_has_more: bool,
    pub sockets: Slab<Socket>,
    pub topics: Topics,
    /// Sockets with something to write.
    pub marked: Vec<usize>,
    pub encoder: Encoder,
    pub ping: Frame,
    /// The bytes that go to one socket at once.
    gathered: Vec<u8>,
    pub buffer: Box<[u8]>,
    pub incoming: Vec<Incoming>,
    pub counted: Counted,
    pub stats: Arc<Stats>,
    ticked: Instant,
    pub stops: bool,
    /// Sockets that are still to be closed because the server stops.
    leaving: Vec<usize>,
    farewell: Instant,
}

impl Dispatcher {
    pub fn new(
        registry: Registry,
        questions: UnboundedSender<Question>,
        limits: Limits,
        verifier: Verifier,
        accounts: AccountSockets,
        stats: Arc<Stats>,
    ) -> Self {
        let now = Instant::now();
        Self {
            registry,
            questions,
            limits,
            verifier,
            accounts,
            link: Link::new(now),
            fences: VecDeque::new(),
            lost_at: None,
            epoch: 0,
            link_has_more: false,
            sockets: Slab::new(),
            topics: Topics::default(),
            marked: Vec::new(),
            encoder: Encoder::default(),
            ping: frame::ping(),
            gathered: Vec::new(),
            buffer: vec![0; READ].into_boxed_slice(),
            incoming: Vec::new(),
            counted: Counted::default(),
            stats,
            ticked: now,
            stops: false,
            leaving: Vec::new(),
            farewell: now,
        }
    }

    /// Runs until it is stopped and every socket is closed.
    pub fn run(mut self, poll: &mut Poll, commands: &Receiver<Command>) {
        self.ask(Question::Dial);
        let mut events = Events::with_capacity(1024);
        while !(self.stops && self.sockets.is_empty()) {
            if let Err(error) = poll.poll(&mut events, self.patience())
                && error.kind() != io::ErrorKind::Interrupted
            {
                tracing::error!(%error, "the hub can't wait for its sockets");
                return;
            }
            let now = Instant::now();
            for event in &events {
                self.happened(event, now);
            }
            if self.link_has_more {
                self.read_link(false, now);
            }
            while let Ok(command) = commands.try_recv() {
                self.obey(command, now);
            }
            if !self.leaving.is_empty() && now >= self.farewell {
                self.say_goodbye(now);
            }
            if now.duration_since(self.ticked) >= TICK {
                self.tick(now);
            }
            self.flush();
            if !self.link_has_more {
                rest_after(now.elapsed());
            }
        }
        self.counted.hand_over(&self.stats, 0, 0);
    }

    /// The longest time without work: deadlines only exist while there are sockets.
    fn patience(&self) -> Option<Duration> {
        if self.link_has_more {
            return Some(Duration::ZERO);
        }
        if !self.leaving.is_empty() {
            return Some(self.limits.goodbyes.1);
        }
        if !self.sockets.is_empty() {
            return Some(TICK);
        }
        self.link.is_up().then_some(TICK * 40)
    }

    /// Tells some of the sockets that the server goes away: their browsers come back to the others at once,
    /// and not all in the same moment.
    fn say_goodbye(&mut self, now: Instant) {
        let (at_once, pause) = self.limits.goodbyes;
        self.farewell = now + pause;
        let rest = self.leaving.len().saturating_sub(at_once);
        for index in self.leaving.split_off(rest) {
            let is_there = self.sockets.get(index).is_some_and(|it| !it.is_closing());
            if is_there {
                self.close(index, 1001, "The server is going away.", "shutdown");
            }
        }
    }

    pub fn ask(&self, question: Question) {
        // Without look-ups the process is about to end.
        let _ = self.questions.send(question);
    }

    fn happened(&mut self, event: &Event, now: Instant) {
        let has_ended = event.is_read_closed() || event.is_error();
        match event.token() {
            LINK if event.is_readable() || has_ended => self.read_link(has_ended, now),
            WAKE | LINK => {}
            Token(index) => {
                if event.is_writable() {
                    self.mark(index);
                }
                if event.is_readable() || has_ended {
                    self.read(index, has_ended, now);
                }
            }
        }
    }

    fn obey(&mut self, command: Command, now: Instant) {
        match command {
            Command::Adopt {
                stream,
                early,
                seat,
            } => self.adopt(stream, &early, seat, now),
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
            Command::Complain { socket, message } => {
                if self.is_alive(socket) {
                    self.complain(socket.index, message);
                }
            }
            Command::Revoked(user) => self.revoked(user),
            #[cfg(test)]
            Command::Fail => panic!("as asked"),
            Command::Stop => {
                self.stops = true;
                self.leaving = self.indexes();
                self.say_goodbye(now);
            }
        }
    }

    /// True if this very socket is still there and not closing.
    pub fn is_alive(&self, id: SocketId) -> bool {
        let socket = self.sockets.get(id.index);
        socket.is_some_and(|socket| socket.id == id && !socket.is_closing())
    }

    pub fn indexes(&self) -> Vec<usize> {
        self.sockets.iter().map(|(index, _)| index).collect()
    }

    /// Puts a socket on the list of those to write to.
    pub fn mark(&mut self, index: usize) {
        if let Some(socket) = self.sockets.get_mut(index)
            && !std::mem::replace(&mut socket.is_marked, true)
        {
            self.marked.push(index);
        }
    }

    /// Writes everything that gathered: to the broker, and once to each marked socket.
    fn flush(&mut self) {
        if let Err(error) = self.link.flush() {
            self.lost(&error);
        }
        let mut marked = std::mem::take(&mut self.marked);
        for index in marked.drain(..) {
            let Some(socket) = self.sockets.get_mut(index) else {
                continue;
            };
            socket.is_marked = false;
            match socket.write(&mut self.gathered) {
                Ok(dropped) => self.counted.conflated += dropped as u64,
                Err(_) => self.remove(index, "gone"),
            }
        }
        // Removing a socket marks none, but keep what may have been marked.
        marked.append(&mut self.marked);
        self.marked = marked;
    }

    fn tick(&mut self, now: Instant) {
        self.ticked = now;
        if let Err(error) = self.link.watch_over(now) {
            self.lost(&error);
        }
        self.tell_roles();
        self.compare();
        let clock = self.verifier.clock().now();
        for index in self.indexes() {
            self.look_after(index, now, clock);
        }
        let (sockets, subjects) = (self.sockets.len(), self.link.subscriptions());
        self.counted.hand_over(&self.stats, sockets, subjects);
    }
}

fn rest_after(work: Duration) {
    let rest = (work * REST).min(LONGEST_REST);
    if rest >= SHORTEST_REST {
        std::thread::sleep(rest);
    }
}
