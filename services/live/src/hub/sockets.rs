//! The sockets of a hub, and the list of those to write to. Their topics are numbers here.

use std::{
    io,
    net::TcpStream as StdStream,
    ops::{Index, IndexMut},
    time::Instant,
};

use mio::{Interest, Registry, Token, net::TcpStream};
use slab::Slab;
use time::OffsetDateTime;

use super::{
    send_queue::Full,
    socket::{Ended, Socket, Stage, Watch},
    stats,
};
use crate::{
    limits::Limits,
    messages::{Identity, SocketId, SocketSlots},
    wire::frame::{self, Frame, Incoming, Malformed},
};

/// The bytes read from one socket at once.
const READ_SIZE: usize = 16 * 1024;

#[derive(Debug)]
pub struct Sockets {
    registry: Registry,
    limits: Limits,
    all: Slab<Socket>,
    /// Sockets with something to write.
    marked: Vec<usize>,
    /// The bytes that go to one socket at once.
    gathered: Vec<u8>,
    buffer: Box<[u8]>,
    ping: Frame,
}

/// The step that a socket's deadline asks for.
#[derive(Debug)]
pub enum Due {
    Removal,
    Close {
        code: u16,
        reason: &'static str,
        why: &'static str,
    },
    Ping(Frame),
}

/// The result of writing to the marked sockets.
#[derive(Debug, Default)]
pub struct Flushed {
    /// Positions that newer ones replaced.
    pub conflated: u64,
    /// Sockets whose connection is gone.
    pub gone: Vec<usize>,
}

impl Sockets {
    pub fn new(registry: Registry, limits: Limits) -> Self {
        Self {
            registry,
            limits,
            all: Slab::new(),
            marked: Vec::new(),
            gathered: Vec::new(),
            buffer: vec![0; READ_SIZE].into_boxed_slice(),
            ping: frame::ping(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn get(&self, index: usize) -> Option<&Socket> {
        self.all.get(index)
    }

    pub fn get_mut(&mut self, index: usize) -> Option<&mut Socket> {
        self.all.get_mut(index)
    }

    pub fn indexes(&self) -> Vec<usize> {
        self.all.iter().map(|(index, _)| index).collect()
    }

    /// True if this very socket is still there and not closing.
    pub fn is_alive(&self, id: SocketId) -> bool {
        let socket = self.all.get(id.index);
        socket.is_some_and(|socket| socket.id == id && !socket.is_closing())
    }

    /// Registers a connection, and returns its index.
    pub fn accept(
        &mut self,
        stream: StdStream,
        slots: SocketSlots,
        now: Instant,
    ) -> io::Result<usize> {
        let mut stream = TcpStream::from_std(stream);
        let entry = self.all.vacant_entry();
        let index = entry.key();
        let interest = Interest::READABLE | Interest::WRITABLE;
        self.registry
            .register(&mut stream, Token(index), interest)?;
        let until = now + self.limits.auth_timeout;
        entry.insert(Socket::new(SocketId::new(index), stream, slots, now, until));
        Ok(index)
    }

    /// Decodes bytes of a socket that were read elsewhere.
    pub fn decode(
        &mut self,
        index: usize,
        bytes: &[u8],
        incoming: &mut Vec<Incoming>,
    ) -> Result<(), Malformed> {
        let most = self.limits.message;
        self.all[index].decoder.decode(bytes, most, incoming)
    }

    /// Reads what a socket has sent.
    pub fn read(
        &mut self,
        index: usize,
        has_ended: bool,
        now: Instant,
        incoming: &mut Vec<Incoming>,
    ) -> Result<(), Ended> {
        let Some(socket) = self.all.get_mut(index) else {
            return Ok(());
        };
        socket.last_heard = now;
        socket.read(&mut self.buffer, self.limits.message, has_ended, incoming)
    }

    /// Queues a frame that must not be lost.
    pub fn send(&mut self, index: usize, frame: Frame) -> Result<(), Full> {
        let (most, bytes) = (self.limits.statuses, self.limits.status_bytes);
        let Some(socket) = self.all.get_mut(index).filter(|it| !it.is_closing()) else {
            return Ok(());
        };
        socket.send_queue.status(frame, most, bytes)?;
        self.mark(index);
        Ok(())
    }

    /// Queues a frame; a slow socket keeps only the newest of its conflation key. True if it took another's place.
    pub fn newest(&mut self, index: usize, conflation_key: u64, frame: &Frame) -> bool {
        let socket = &mut self.all[index];
        let is_conflated = socket.send_queue.newest(conflation_key, frame);
        if !std::mem::replace(&mut socket.is_marked, true) {
            self.marked.push(index);
        }
        is_conflated
    }

    /// Puts a socket on the list of those to write to.
    pub fn mark(&mut self, index: usize) {
        if let Some(socket) = self.all.get_mut(index)
            && !std::mem::replace(&mut socket.is_marked, true)
        {
            self.marked.push(index);
        }
    }

    /// Writes once to each marked socket.
    pub fn flush(&mut self) -> Flushed {
        let mut flushed = Flushed::default();
        for index in self.marked.drain(..) {
            let Some(socket) = self.all.get_mut(index) else {
                continue;
            };
            socket.is_marked = false;
            match socket.write(&mut self.gathered) {
                Ok(dropped) => flushed.conflated += dropped as u64,
                Err(_) => flushed.gone.push(index),
            }
        }
        flushed
    }

    /// Queues a close frame, after the waiting frames where the socket takes them. Returns what it watched.
    #[must_use]
    pub fn close(
        &mut self,
        index: usize,
        code: u16,
        reason: &str,
        why: &'static str,
    ) -> Vec<Watch> {
        let until = Instant::now() + self.limits.close_timeout;
        let Some(socket) = self.all.get_mut(index).filter(|it| !it.is_closing()) else {
            return Vec::new();
        };
        stats::closed(why);
        socket.stage = Stage::Closing { until };
        socket.positions = None;
        if socket.send_queue.is_blocked() {
            socket.send_queue.clear();
        }
        let _ = socket
            .send_queue
            .status(frame::close(code, reason), usize::MAX, usize::MAX);
        let watches = std::mem::take(&mut socket.watches);
        self.mark(index);
        watches
    }

    /// Removes a socket. Returns what it watched.
    #[must_use]
    pub fn remove(&mut self, index: usize, why: &'static str) -> Vec<Watch> {
        let Some(mut socket) = self.all.try_remove(index) else {
            return Vec::new();
        };
        if !socket.is_closing() {
            stats::closed(why);
        }
        // It closes in the next moment anyway.
        let _ = self.registry.deregister(&mut socket.stream);
        socket.watches
    }

    /// Checks a socket's deadlines.
    pub fn due(&mut self, index: usize, now: Instant, clock: OffsetDateTime) -> Option<Due> {
        let socket = self.all.get_mut(index)?;
        let close = |code, reason, why| Some(Due::Close { code, reason, why });
        match socket.stage {
            Stage::Closing { until } if now >= until => return Some(Due::Removal),
            Stage::Closing { .. } => return None,
            Stage::Unauthenticated { until } if now >= until => {
                return close(4401, "Please login first.", "unauthenticated");
            }
            Stage::Open(Identity { expires, .. }) if clock >= expires => {
                return close(4401, "The token has expired.", "expired");
            }
            _ => {}
        }
        if socket.is_stalled(now, self.limits.stall_timeout) {
            return close(1013, "Too slow. Please connect again.", "stalled");
        }
        if now.duration_since(socket.last_heard) >= self.limits.silence_timeout {
            return close(1001, "Nothing was heard for too long.", "silent");
        }
        if now.duration_since(socket.last_ping) >= self.limits.ping_interval {
            socket.last_ping = now;
            if !socket.send_queue.is_blocked() {
                return Some(Due::Ping(Frame::clone(&self.ping)));
            }
        }
        None
    }
}

impl Index<usize> for Sockets {
    type Output = Socket;

    fn index(&self, index: usize) -> &Socket {
        &self.all[index]
    }
}

impl IndexMut<usize> for Sockets {
    fn index_mut(&mut self, index: usize) -> &mut Socket {
        &mut self.all[index]
    }
}
