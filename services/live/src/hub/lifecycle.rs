//! Sockets from their first byte to their close. A socket that closes leaves its topics.

use std::{net::TcpStream, time::Instant};

use time::OffsetDateTime;

use super::{
    dispatch::Dispatcher,
    socket::{Ended, Watch},
    sockets::Due,
};
use crate::{messages::SocketSlots, wire::frame::Frame};

impl Dispatcher {
    pub(super) fn accept(
        &mut self,
        stream: TcpStream,
        early: &[u8],
        slots: SocketSlots,
        now: Instant,
    ) {
        let index = match self.sockets.accept(stream, slots, now) {
            Ok(index) => index,
            Err(error) => {
                return tracing::error!(%error, "a socket can't be registered and is dropped");
            }
        };
        if self.drain.has_begun() {
            self.close(index, 1001, "The server is going away.", "shutdown");
            return;
        }
        let mut incoming = std::mem::take(&mut self.incoming);
        let decoded = self.sockets.decode(index, early, &mut incoming);
        self.on_messages(index, &mut incoming, now);
        self.incoming = incoming;
        if let Err(malformed) = decoded {
            self.ended(index, &Ended::Malformed(malformed));
        }
    }

    pub(super) fn read(&mut self, index: usize, has_ended: bool, now: Instant) {
        let mut incoming = std::mem::take(&mut self.incoming);
        let result = self.sockets.read(index, has_ended, now, &mut incoming);
        self.on_messages(index, &mut incoming, now);
        self.incoming = incoming;
        if let Err(ended) = result {
            self.ended(index, &ended);
        }
    }

    fn ended(&mut self, index: usize, ended: &Ended) {
        match ended {
            Ended::Gone => self.remove(index, "gone"),
            Ended::Malformed(malformed) => {
                let reason = malformed.to_string();
                self.close(index, malformed.code(), &reason, "malformed");
            }
        }
    }

    /// Queues a frame that must not be lost; a socket that takes none is closed.
    pub(super) fn send(&mut self, index: usize, frame: Frame) {
        if self.sockets.send(index, frame).is_err() {
            self.close(index, 1013, "Too slow. Please connect again.", "slow");
        }
    }

    /// Closes a socket with a close frame.
    pub(super) fn close(&mut self, index: usize, code: u16, reason: &str, why: &'static str) {
        let watches = self.sockets.close(index, code, reason, why);
        self.leave(index, watches);
    }

    pub(super) fn remove(&mut self, index: usize, why: &'static str) {
        let watches = self.sockets.remove(index, why);
        self.leave(index, watches);
    }

    fn leave(&mut self, index: usize, watches: Vec<Watch>) {
        for watch in watches {
            self.topics.leave(watch.topic, index, &mut self.broker.link);
        }
    }

    /// Closes some of the sockets because the server goes away: their browsers come back to the others at once, and not
    /// all in the same moment.
    pub(super) fn close_some(&mut self, now: Instant) {
        for index in self.drain.next(now, self.limits.drain) {
            let is_there = self.sockets.get(index).is_some_and(|it| !it.is_closing());
            if is_there {
                self.close(index, 1001, "The server is going away.", "shutdown");
            }
        }
    }

    pub(super) fn check_deadlines(&mut self, index: usize, now: Instant, clock: OffsetDateTime) {
        match self.sockets.due(index, now, clock) {
            Some(Due::Removal) => self.remove(index, "gone"),
            Some(Due::Close { code, reason, why }) => self.close(index, code, reason, why),
            Some(Due::Ping(ping)) => self.send(index, ping),
            None => {}
        }
    }
}
