//! Watching and leaving a topic. The subject is subscribed first; then the right is looked up and missed
//! statuses are read. So nothing is missed in between and nothing is sent twice.

use tiffin_events::{Role, audience::Audience, live::ServerFrame};

use super::{broker::FencedRequest, dispatch::Dispatcher, socket::Watch, topics::Pending};
use crate::{
    audience,
    messages::{Opening, Since, SocketId},
    refusal::Refusal,
    render,
    topic_key::TopicKey,
};

impl Dispatcher {
    /// A socket asks for a topic. Asking again is a way to hear that the bridge is alive.
    pub(super) fn watch(&mut self, index: usize, key: TopicKey, after: Option<u64>) {
        let known = self.topics.find(key);
        let socket = &mut self.sockets[index];
        let watch = known.and_then(|topic| socket.watch_of(topic));
        match watch {
            Some(watch) if watch.is_open => return self.send_watching(index, key),
            Some(_) => return,
            None => {}
        }
        if socket.watches.len() >= self.limits.watches {
            return self.refuse(index, key.to_string(), Refusal::TooManyTopics);
        }
        let id = socket.id;
        // A replay's frames have no place in a stream.
        let after = after.filter(|_| !matches!(key, TopicKey::Replay(_)));
        if let TopicKey::Account(_) = key {
            self.watch_role(index);
        }
        let topic = self.topics.enter(key, &mut self.broker.link);
        let Some(entered) = self.topics.get_mut(topic) else {
            return;
        };
        entered.pending.push(Pending {
            socket: index,
            buffered: Vec::new(),
        });
        self.sockets[index].watches.push(Watch {
            topic,
            seen: after.unwrap_or(entered.seen),
            is_open: false,
        });
        let since = after.map_or(Since::Nothing, Since::Sequence);
        self.broker.wait(FencedRequest::Open {
            socket: id,
            key,
            since,
        });
    }

    pub(super) fn unwatch(&mut self, index: usize, key: TopicKey) {
        let Some(topic) = self.topics.find(key) else {
            return;
        };
        let watches = &mut self.sockets[index].watches;
        if let Some(at) = watches.iter().position(|watch| watch.topic == topic) {
            watches.swap_remove(at);
            self.topics.leave(topic, index, &mut self.broker.link);
        }
        if let (TopicKey::Account(_), Some(role)) = (key, self.role_of(index)) {
            self.unwatch(index, role);
        }
    }

    /// The topic that a socket's user shares with everyone of their role, where the role has one.
    fn role_of(&self, index: usize) -> Option<TopicKey> {
        let role = self.sockets[index].identity()?.role;
        matches!(role, Role::Admin | Role::Restaurant).then_some(TopicKey::Role(role))
    }

    /// Watching `me` includes the topic of the user's role. The answer to `me` covers both, because the
    /// role's subject is subscribed first.
    fn watch_role(&mut self, index: usize) {
        let Some(key) = self.role_of(index) else {
            return;
        };
        let topic = self.topics.enter(key, &mut self.broker.link);
        if let Some(entered) = self.topics.get_mut(topic) {
            entered.watchers.push(index);
            self.sockets[index].watches.push(Watch {
                topic,
                seen: 0,
                is_open: true,
            });
        }
    }

    /// The answer of the look-ups to a watch. The client may be gone by now, or not want it any more.
    pub(super) fn opened(
        &mut self,
        id: SocketId,
        key: TopicKey,
        opening: Result<Opening, Refusal>,
    ) {
        let Some(index) = self.topics.find(key) else {
            return;
        };
        if !self.sockets.is_alive(id) {
            return;
        }
        let waits = self.sockets[id.index]
            .watch_of(index)
            .is_some_and(|watch| !watch.is_open);
        if !waits {
            return;
        }
        let opening = opening.and_then(|opening| {
            if self.may_still_watch(id.index, index, &opening) {
                Ok(opening)
            } else {
                Err(Refusal::NotAllowed)
            }
        });
        match opening {
            Ok(opening) => self.open(id.index, index, key, &opening),
            Err(refusal) => {
                self.unwatch(id.index, key);
                self.refuse(id.index, key.to_string(), refusal);
            }
        }
    }

    /// True if the right that was looked up is still valid: an entry may have come since. If neither entry
    /// is known to be newer, both must allow it.
    fn may_still_watch(&self, socket: usize, index: usize, opening: &Opening) -> bool {
        let known = self.topics.get(index).and_then(|it| it.audience.as_ref());
        let (Some(known), Some(read)) = (known, opening.audience.as_ref()) else {
            return true;
        };
        let identity = self.sockets[socket].identity();
        read.version > known.version
            || identity.is_some_and(|identity| audience::may_watch(known, &identity))
    }

    fn open(&mut self, socket: usize, index: usize, key: TopicKey, opening: &Opening) {
        let Some(topic) = self.topics.get_mut(index) else {
            return;
        };
        let pending = topic.pending.iter().position(|one| one.socket == socket);
        let buffered = pending.map_or_else(Vec::new, |at| topic.pending.swap_remove(at).buffered);
        topic.watchers.push(socket);
        // A status that came while it was looked up may have ended it.
        let came = topic.is_active.filter(|_| topic.audience.is_none());
        if let Some(entry) = &opening.audience {
            topic.set_audience(entry);
        }
        if let Some(is_active) = came.or((topic.is_active.is_none()).then_some(false)) {
            topic.set_active(is_active);
        }
        let stored = opening.position.as_ref();
        let snapshot = match (&topic.newest, stored) {
            _ if topic.is_active != Some(true) => None,
            (Some(newest), _) => Some(newest.clone()),
            (None, Some(payload)) if topic.is_of_driver(payload) => {
                render::position(&mut self.encoder, &topic.prefix, payload)
            }
            (None, _) => None,
        };
        if let Some(watch) = self.sockets[socket].watch_of(index) {
            watch.is_open = true;
        }
        self.send_watching(socket, key);
        if let Some(snapshot) = snapshot {
            self.sockets.newest(socket, key.conflation_key(), &snapshot);
        }
        for (seq, event) in &opening.events {
            let frame = render::event(&mut self.encoder, key, Some(*seq), event);
            self.status_to(socket, index, *seq, &frame);
        }
        for (seq, frame) in buffered {
            self.status_to(socket, index, seq, &frame);
        }
    }

    pub(super) fn send_watching(&mut self, index: usize, key: TopicKey) {
        let topic = key.to_string();
        let watching = self.encoder.json(&ServerFrame::Watching { topic });
        self.send(index, watching);
    }

    /// Takes a change of a topic's audience. Watchers who lost the right are refused.
    pub(super) fn change_audience(&mut self, index: usize, entry: &Audience) {
        let Some(topic) = self.topics.get_mut(index) else {
            return;
        };
        if !topic.set_audience(entry) {
            return;
        }
        let key = topic.key;
        for socket in topic.watchers.clone() {
            let identity = self.sockets[socket].identity();
            if identity.is_some_and(|identity| !audience::may_watch(entry, &identity)) {
                self.unwatch(socket, key);
                self.refuse(socket, key.to_string(), Refusal::NotAllowed);
            }
        }
    }
}
