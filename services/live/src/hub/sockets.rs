//! Sockets from their first byte to their goodbye.

use std::time::Instant;

use mio::{Interest, Token};
use time::OffsetDateTime;

use super::{
    Identity, Seat, SocketId,
    dispatch::Dispatcher,
    socket::{Ended, Socket, Stage},
    stats,
};
use crate::frame::{self, Frame};

impl Dispatcher {
    pub(super) fn adopt(
        &mut self,
        stream: std::net::TcpStream,
        early: &[u8],
        seat: Seat,
        now: Instant,
    ) {
        let mut stream = mio::net::TcpStream::from_std(stream);
        let entry = self.sockets.vacant_entry();
        let index = entry.key();
        let interest = Interest::READABLE | Interest::WRITABLE;
        if let Err(error) = self.registry.register(&mut stream, Token(index), interest) {
            tracing::error!(%error, "a socket can't be waited for");
            return;
        }
        let id = SocketId::new(index);
        entry.insert(Socket::new(
            id,
            stream,
            seat,
            now,
            now + self.limits.auth_within,
        ));
        if self.stops {
            self.close(index, 1001, "The server is going away.", "shutdown");
            return;
        }
        let mut incoming = std::mem::take(&mut self.incoming);
        let fed = self.sockets[index]
            .decoder
            .feed(early, self.limits.message, &mut incoming);
        self.said(index, &mut incoming, now);
        self.incoming = incoming;
        if let Err(malformed) = fed {
            self.ended(index, &Ended::Malformed(malformed));
        }
    }

    pub(super) fn read(&mut self, index: usize, has_ended: bool, now: Instant) {
        let Some(socket) = self.sockets.get_mut(index) else {
            return;
        };
        let mut incoming = std::mem::take(&mut self.incoming);
        let largest = self.limits.message;
        socket.heard = now;
        let result = socket.read(&mut self.buffer, largest, has_ended, &mut incoming);
        self.said(index, &mut incoming, now);
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
        let (most, bytes) = (self.limits.statuses, self.limits.status_bytes);
        let Some(socket) = self.sockets.get_mut(index) else {
            return;
        };
        if socket.is_closing() {
            return;
        }
        if socket.outbox.status(frame, most, bytes).is_err() {
            self.close(index, 1013, "Too slow. Please connect again.", "slow");
        } else {
            self.mark(index);
        }
    }

    /// Says goodbye: what waits goes out first, where the socket takes it.
    pub(super) fn close(&mut self, index: usize, code: u16, reason: &str, why: &'static str) {
        let until = Instant::now() + self.limits.farewell;
        let Some(socket) = self.sockets.get_mut(index) else {
            return;
        };
        if socket.is_closing() {
            return;
        }
        stats::closed(why);
        socket.stage = Stage::Closing { until };
        socket.fixes = None;
        if socket.outbox.is_blocked() {
            socket.outbox.abandon();
        }
        let _ = socket
            .outbox
            .status(frame::close(code, reason), usize::MAX, usize::MAX);
        self.leave_all(index);
        self.mark(index);
    }

    pub(super) fn remove(&mut self, index: usize, why: &'static str) {
        self.leave_all(index);
        let Some(mut socket) = self.sockets.try_remove(index) else {
            return;
        };
        if !socket.is_closing() {
            stats::closed(why);
        }
        // It closes in the next moment anyway.
        let _ = self.registry.deregister(&mut socket.stream);
    }

    fn leave_all(&mut self, index: usize) {
        let watches = match self.sockets.get_mut(index) {
            Some(socket) => std::mem::take(&mut socket.watches),
            None => return,
        };
        for watch in watches {
            self.topics.leave(watch.topic, index, &mut self.link);
        }
    }

    pub(super) fn look_after(&mut self, index: usize, now: Instant, clock: OffsetDateTime) {
        let Some(socket) = self.sockets.get_mut(index) else {
            return;
        };
        match socket.stage {
            Stage::Closing { until } if now >= until => return self.remove(index, "gone"),
            Stage::Closing { .. } => return,
            Stage::Silent { until } if now >= until => {
                return self.close(index, 4401, "Please login first.", "unauthenticated");
            }
            Stage::Open(Identity { expires, .. }) if clock >= expires => {
                return self.close(index, 4401, "The token has expired.", "expired");
            }
            _ => {}
        }
        if socket.is_stalled(now, self.limits.stalled) {
            return self.close(index, 1013, "Too slow. Please connect again.", "stalled");
        }
        if now.duration_since(socket.heard) >= self.limits.silence {
            return self.close(index, 1001, "Nothing was heard for too long.", "silent");
        }
        if now.duration_since(socket.pinged) >= self.limits.ping_every {
            socket.pinged = now;
            if !socket.outbox.is_blocked() {
                let ping = Frame::clone(&self.ping);
                self.send(index, ping);
            }
        }
    }
}
