//! The loss of the broker and the recovery after it. Subjects are subscribed again, and the statuses of the meantime
//! are read from the streams, so that no watcher misses one.

use std::{io, time::Instant};

use tiffin_events::Clock;
use time::OffsetDateTime;

use super::{broker::FencedRequest, dispatch::Dispatcher};
use crate::{
    messages::{Opening, Question, Since, SocketId},
    render,
    topic_key::TopicKey,
    wire::dial::Dialled,
};

impl Dispatcher {
    pub(super) fn linked(&mut self, dialled: Dialled, now: Instant) {
        let fence = match self.broker.connect(dialled, now) {
            Ok(fence) => fence,
            Err(error) => return self.lost(&error),
        };
        self.stats.set_linked(true);
        for index in self.topics.indexes() {
            let Some(topic) = self.topics.get_mut(index) else {
                continue;
            };
            // Who is looked up meanwhile is answered with what may be over by now.
            if !topic.watchers.is_empty() || !topic.pending.is_empty() {
                topic.buffered = Some(Vec::new());
                self.broker
                    .wait_for(fence, FencedRequest::Recover(topic.key));
            }
        }
        tracing::info!(
            topics = self.topics.indexes().len(),
            "the hub is connected to the broker"
        );
        if let Err(error) = self.take_input() {
            self.lost(&error);
        }
        self.read_link(false, now);
    }

    pub(super) fn lost(&mut self, error: &io::Error) {
        let clock: &Clock = self.verifier.clock();
        if !self.broker.lose(clock.now()) {
            return;
        }
        tracing::warn!(%error, "the hub lost the broker and connects again");
        self.stats.set_linked(false);
        self.ask(Question::Dial);
    }

    /// Lets through what waited for the broker.
    pub(super) fn pass_fences(&mut self) {
        while let Some(fenced) = self.broker.next_passed() {
            match fenced {
                FencedRequest::Open { socket, key, since } => self.ask_to_open(socket, key, since),
                FencedRequest::Recover(key) => self.ask_to_recover(key),
            }
        }
    }

    fn ask_to_open(&mut self, socket: SocketId, key: TopicKey, since: Since) {
        if !self.sockets.is_alive(socket) {
            return;
        }
        if let Some(identity) = self.sockets[socket.index].identity() {
            self.ask(Question::Open {
                socket,
                key,
                identity,
                since,
            });
        }
    }

    fn ask_to_recover(&mut self, key: TopicKey) {
        let Some(index) = self.topics.find(key) else {
            return;
        };
        if let TopicKey::Deliveries
        | TopicKey::Account(_)
        | TopicKey::Role(_)
        | TopicKey::Replay(_) = key
        {
            // Browsers fetch what was missed here once they get `watching` again.
            let watchers = match self.topics.get_mut(index) {
                Some(topic) => {
                    topic.buffered = None;
                    topic.watchers.clone()
                }
                None => return,
            };
            if !matches!(key, TopicKey::Role(_)) {
                for watcher in watchers {
                    self.send_watching(watcher, key);
                }
            }
            return;
        }
        let lost_at = self.broker.lost_at.unwrap_or(OffsetDateTime::UNIX_EPOCH);
        let since = self.seen_by_all(index, lost_at);
        let epoch = self.broker.epoch;
        self.ask(Question::Recover { key, since, epoch });
    }

    /// From where on the watchers of a topic may have missed statuses. One that has seen none may have
    /// missed those since `time`.
    pub(super) fn seen_by_all(&mut self, index: usize, time: OffsetDateTime) -> Since {
        let watchers = match self.topics.get(index) {
            Some(topic) => topic.watchers.clone(),
            None => return Since::Nothing,
        };
        let seen = watchers.iter().filter_map(|watcher| {
            let watch = self.sockets.get_mut(*watcher)?.watch_of(index)?;
            Some(watch.seen)
        });
        match seen.min() {
            Some(seen) if seen > 0 => Since::Sequence(seen),
            Some(_) => Since::Time(time),
            None => Since::Nothing,
        }
    }

    pub(super) fn recovered(&mut self, key: TopicKey, epoch: u64, opening: Option<Opening>) {
        if epoch != self.broker.epoch {
            return;
        }
        let Some(index) = self.topics.find(key) else {
            return;
        };
        let Some(topic) = self.topics.get_mut(index) else {
            return;
        };
        let buffered = topic.buffered.take().unwrap_or_default();
        let watchers = topic.watchers.clone();
        let Some(opening) = opening else {
            let reason = "Something was missed. Please connect again.";
            for watcher in watchers {
                self.close(watcher, 1013, reason, "missed");
            }
            return;
        };
        for (seq, event) in &opening.events {
            let frame = render::event(&mut self.encoder, key, Some(*seq), event);
            for watcher in &watchers {
                self.status_to(*watcher, index, *seq, &frame);
            }
        }
        for (seq, frame) in buffered {
            for watcher in &watchers {
                self.status_to(*watcher, index, seq, &frame);
            }
        }
        if let Some(entry) = &opening.audience {
            self.change_audience(index, entry);
        }
        self.broker.end_outage();
    }
}
