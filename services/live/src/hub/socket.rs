//! One client's connection.

use std::{
    io::{self, Read},
    net::Shutdown,
    time::{Duration, Instant},
};

use mio::net::TcpStream;
use tiffin_chassis::slots::Slot;
use tiffin_events::{UserId, live::DevicePosition};
use tokio::sync::mpsc;

use super::{frame_limiter::FrameLimiter, send_queue::SendQueue};
use crate::{
    messages::{Identity, SocketId, SocketSlots},
    wire::frame::{Decoder, Incoming, Malformed},
};

/// The state of a socket.
#[derive(Clone, Copy, Debug)]
pub enum Stage {
    /// The client has sent nothing yet.
    Unauthenticated {
        until: Instant,
    },
    /// The token is checked.
    Authenticating,
    Open(Identity),
    /// A close frame is sent or waits; the other side's is awaited.
    Closing {
        until: Instant,
    },
}

/// A topic that a socket asked for.
#[derive(Clone, Copy, Debug)]
pub struct Watch {
    pub topic: usize,
    /// The stream sequence of the last status it was sent, or asked to resume after.
    pub seen: u64,
    /// True once watching was allowed and confirmed.
    pub is_open: bool,
}

#[derive(Debug)]
pub struct Socket {
    pub id: SocketId,
    pub stream: TcpStream,
    pub decoder: Decoder,
    pub send_queue: SendQueue,
    pub stage: Stage,
    pub frame_limiter: FrameLimiter,
    pub last_heard: Instant,
    pub last_ping: Instant,
    /// The bytes that it had taken, and the time since it took no more.
    pub stalled: (u64, Instant),
    pub watches: Vec<Watch>,
    /// Its slot among the sockets of its account, once it is open.
    pub account_slot: Option<Slot<UserId>>,
    _slots: SocketSlots,
    /// The queue of a driver's positions.
    pub positions: Option<mpsc::Sender<Vec<DevicePosition>>>,
    /// True if it is on the list of sockets to write to.
    pub is_marked: bool,
}

impl Socket {
    pub fn new(
        id: SocketId,
        stream: TcpStream,
        slots: SocketSlots,
        now: Instant,
        until: Instant,
    ) -> Self {
        Self {
            id,
            stream,
            decoder: Decoder::default(),
            send_queue: SendQueue::default(),
            stage: Stage::Unauthenticated { until },
            frame_limiter: FrameLimiter::new(now),
            last_heard: now,
            last_ping: now,
            stalled: (0, now),
            watches: Vec::new(),
            account_slot: None,
            _slots: slots,
            positions: None,
            is_marked: false,
        }
    }

    pub fn identity(&self) -> Option<Identity> {
        match self.stage {
            Stage::Open(identity) => Some(identity),
            _ => None,
        }
    }

    pub fn is_closing(&self) -> bool {
        matches!(self.stage, Stage::Closing { .. })
    }

    /// True if it has taken nothing of its queue for that long.
    pub fn is_stalled(&mut self, now: Instant, most: Duration) -> bool {
        let taken = self.send_queue.taken();
        if !self.send_queue.is_blocked() || taken != self.stalled.0 {
            self.stalled = (taken, now);
        }
        now.duration_since(self.stalled.1) >= most
    }

    pub fn watch_of(&mut self, topic: usize) -> Option<&mut Watch> {
        self.watches.iter_mut().find(|watch| watch.topic == topic)
    }

    /// Reads until there is nothing more, into a buffer that all sockets share. A read that leaves
    /// room has emptied the socket, unless the other side `has_ended`.
    pub fn read(
        &mut self,
        buffer: &mut [u8],
        largest: usize,
        has_ended: bool,
        out: &mut Vec<Incoming>,
    ) -> Result<(), Ended> {
        loop {
            match self.stream.read(buffer) {
                Ok(0) => return Err(Ended::Gone),
                Ok(count) => {
                    if !self.is_closing() {
                        self.decoder.decode(&buffer[..count], largest, out)?;
                    }
                    if count < buffer.len() && !has_ended {
                        return Ok(());
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(_) => return Err(Ended::Gone),
            }
        }
    }

    /// Writes the waiting frames. After the close frame, our half of the connection is shut down.
    pub fn write(&mut self, gathered: &mut Vec<u8>) -> io::Result<usize> {
        let dropped = self.send_queue.write(&mut self.stream, gathered)?;
        if self.is_closing() && self.send_queue.is_empty() {
            match self.stream.shutdown(Shutdown::Write) {
                Err(error) if error.kind() != io::ErrorKind::NotConnected => return Err(error),
                _ => {}
            }
        }
        Ok(dropped)
    }
}

/// The reason why reading ended.
#[derive(Debug)]
pub enum Ended {
    Gone,
    Malformed(Malformed),
}

impl From<Malformed> for Ended {
    fn from(malformed: Malformed) -> Self {
        Self::Malformed(malformed)
    }
}
