//! Messages of the broker.

use std::{io, time::Instant};

use tiffin_events::{audience::Audience, subject};

use super::{
    dispatch::Dispatcher,
    hints,
    topics::{Target, position_prefix},
};
use crate::{
    messages::Question,
    render,
    topic_key::TopicKey,
    wire::{
        dial,
        frame::Frame,
        link::Filled,
        protocol::{self, Message, Op},
    },
};

/// The bytes that are read before sockets are written to.
const MAX_READ: usize = 4 * 1024 * 1024;
/// Statuses that are buffered for a watcher who was not answered yet.
pub(super) const MAX_BUFFERED: usize = 1024;
/// The header with the stream sequence of a repeated event.
const SEQUENCE_HEADER: &str = "Nats-Sequence";

impl Dispatcher {
    /// Drains what the broker delivered.
    pub(super) fn read_link(&mut self, has_ended: bool, now: Instant) {
        self.broker.has_more = false;
        let mut read = 0;
        loop {
            match self.broker.link.fill(now) {
                Ok(Filled::Closed) => return self.lost(&io::ErrorKind::UnexpectedEof.into()),
                Ok(Filled::Bytes { count, is_all }) => {
                    read += count;
                    if let Err(error) = self.take_input() {
                        return self.lost(&error);
                    }
                    if is_all && !has_ended {
                        return;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(error) => return self.lost(&error),
            }
            if read >= MAX_READ {
                self.broker.has_more = true;
                return;
            }
        }
    }

    /// Takes every operation that has arrived whole.
    pub(super) fn take_input(&mut self) -> io::Result<()> {
        let mut input = self.broker.link.take_input();
        let mut used = 0;
        while let Some((op, length)) =
            protocol::parse(&input.arrived()[used..]).map_err(io::Error::other)?
        {
            match op {
                Op::Message(message) => self.deliver(&message),
                Op::Ping => self.broker.link.pong(),
                Op::Pong => {
                    self.broker.link.on_pong();
                    self.pass_fences();
                }
                Op::Info(info) => {
                    let info = info.to_vec();
                    let is_leaving = dial::is_leaving(&info);
                    self.ask(Question::Learn { info });
                    if is_leaving {
                        return Err(io::Error::other("the server is about to stop"));
                    }
                }
                Op::Ok => {}
                Op::Error(text) => {
                    let text = String::from_utf8_lossy(text);
                    tracing::warn!(%text, "the broker reported an error; the connection goes on");
                }
            }
            used += length;
        }
        input.consume(used);
        self.broker.link.put_input(input);
        Ok(())
    }

    fn deliver(&mut self, message: &Message<'_>) {
        if message.is_imported() {
            return;
        }
        match self.broker.link.target(message.subscription) {
            Some(Target::Position(topic)) => self.position(topic, message.payload),
            Some(Target::Positions(topic)) => self.position_of_any(topic, message),
            Some(Target::Status(topic)) => self.status(topic, message),
            Some(Target::AccountHint(topic)) => self.account_hint(topic, message.payload),
            Some(Target::RoleHint(topic)) => self.role_hint(topic, message.payload),
            Some(Target::Replay(topic)) => self.replayed(topic, message.payload),
            Some(Target::Audience(topic)) => self.audience(topic, message.payload),
            // It was on its way when we left the subject.
            None => {}
        }
    }

    /// The most frequent path: a position to its watchers.
    fn position(&mut self, index: usize, payload: &[u8]) {
        let Some(topic) = self.topics.get_mut(index) else {
            return;
        };
        // The former driver's last ones may come after it was taken from them.
        if topic.is_active == Some(false) || !topic.is_of_driver(payload) {
            return;
        }
        let Some(frame) = render::position(&mut self.encoder, &topic.prefix, payload) else {
            self.counters.malformed += 1;
            return;
        };
        topic.newest = Some(Frame::clone(&frame));
        self.carries_positions = true;
        let conflation_key = topic.key.conflation_key();
        self.newest_to_all(index, conflation_key, &frame);
    }

    /// A position of whichever delivery, for those who watch all that are under way: positions of
    /// others are not published.
    fn position_of_any(&mut self, index: usize, message: &Message<'_>) {
        let subject = std::str::from_utf8(message.subject).unwrap_or_default();
        let id = subject::delivery_of_position(subject);
        let frame = id.and_then(|id| {
            let prefix = position_prefix(id);
            let frame = render::position(&mut self.encoder, &prefix, message.payload)?;
            Some((TopicKey::Delivery(id).conflation_key(), frame))
        });
        match frame {
            Some((conflation_key, frame)) => {
                self.carries_positions = true;
                self.newest_to_all(index, conflation_key, &frame);
            }
            None => self.counters.malformed += 1,
        }
    }

    /// Gives a frame to everyone who watches; a slow socket keeps only the newest frame of a conflation key.
    pub(super) fn newest_to_all(&mut self, index: usize, conflation_key: u64, frame: &Frame) {
        let Some(topic) = self.topics.get(index) else {
            return;
        };
        for watcher in &topic.watchers {
            let is_conflated = self.sockets.newest(*watcher, conflation_key, frame);
            self.counters.conflated += u64::from(is_conflated);
        }
        self.counters.deliveries += topic.watchers.len() as u64;
    }

    fn status(&mut self, index: usize, message: &Message<'_>) {
        let Some(topic) = self.topics.get_mut(index) else {
            return;
        };
        let Some(seq) = message.header(SEQUENCE_HEADER).and_then(number) else {
            self.counters.malformed += 1;
            return;
        };
        let frame = render::event(&mut self.encoder, topic.key, Some(seq), message.payload);
        if message.subject.ends_with(b".delivered") || message.subject.ends_with(b".cancelled") {
            topic.set_active(false);
        }
        topic.seen = topic.seen.max(seq);
        for pending in &mut topic.pending {
            if pending.buffered.len() < MAX_BUFFERED {
                pending.buffered.push((seq, Frame::clone(&frame)));
            }
        }
        if let Some(buffered) = &mut topic.buffered {
            buffered.push((seq, frame));
            return;
        }
        for watcher in topic.watchers.clone() {
            self.status_to(watcher, index, seq, &frame);
        }
    }

    /// Sends a status, unless the socket has seen it.
    pub(super) fn status_to(&mut self, socket: usize, topic: usize, seq: u64, frame: &Frame) {
        let watch = self.sockets[socket].watch_of(topic);
        if let Some(watch) = watch.filter(|watch| seq > watch.seen) {
            watch.seen = seq;
            self.counters.deliveries += 1;
            self.send(socket, Frame::clone(frame));
        }
    }

    fn account_hint(&mut self, index: usize, payload: &[u8]) {
        let Some(topic) = self.topics.get(index) else {
            return;
        };
        let Some(frame) = render::hint(&mut self.encoder, topic.key, payload) else {
            self.counters.malformed += 1;
            return;
        };
        for watcher in topic.watchers.clone() {
            self.counters.deliveries += 1;
            self.send(watcher, Frame::clone(&frame));
        }
    }

    fn role_hint(&mut self, index: usize, payload: &[u8]) {
        let Some(topic) = self.topics.get_mut(index) else {
            return;
        };
        let Some(kind) = render::kind(payload) else {
            self.counters.malformed += 1;
            return;
        };
        let conflation_key = hints::conflation_key(&kind);
        let frame = render::event(&mut self.encoder, topic.key, None, payload);
        if let Some(frame) = topic.hints.take(kind, frame) {
            self.newest_to_all(index, conflation_key, &frame);
        }
    }

    /// Sends what has waited.
    pub(super) fn send_role_hints(&mut self) {
        for index in self.topics.indexes() {
            let due = self.topics.get_mut(index).map(|topic| topic.hints.due());
            for (conflation_key, frame) in due.unwrap_or_default() {
                self.newest_to_all(index, conflation_key, &frame);
            }
        }
    }

    /// Takes a new entry of the audience bucket; an empty one takes the right from everyone.
    fn audience(&mut self, index: usize, payload: &[u8]) {
        match serde_json::from_slice::<Audience>(payload) {
            Ok(entry) => self.change_audience(index, &entry),
            Err(_) if payload.is_empty() => {
                let known = self.topics.get(index).and_then(|it| it.audience.as_ref());
                let version = known.map_or(0, |known| known.version);
                self.change_audience(index, &Audience::empty(version));
            }
            Err(error) => {
                self.counters.malformed += 1;
                tracing::warn!(%error, "an entry of the audience bucket can't be read; the former one stays valid");
            }
        }
    }
}

fn number(digits: &[u8]) -> Option<u64> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}
