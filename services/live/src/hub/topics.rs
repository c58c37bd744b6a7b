//! Topics and their watchers.

use std::{collections::HashMap, time::Duration};

use memchr::memmem::Finder;
use slab::Slab;
use tiffin_events::{DeliveryId, UserId, audience::Audience, live::Topic as Name, subject};
use time::OffsetDateTime;

use super::hints::Hints;
use crate::{
    topic_key::TopicKey,
    wire::{frame::Frame, link::Link},
};

/// The use of a subscription's messages; the number is the topic's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Position(usize),
    /// Positions of every delivery.
    Positions(usize),
    Status(usize),
    Audience(usize),
    /// Hints for an account.
    AccountHint(usize),
    /// Hints for a role.
    RoleHint(usize),
    Replay(usize),
}

/// The subjects that a topic takes.
fn subjects(key: TopicKey, topic: usize) -> Vec<(String, Target)> {
    let entry = key
        .audience_key()
        .map(|entry| (subject::audience(&entry), Target::Audience(topic)));
    let mut subjects = match key {
        TopicKey::Delivery(id) => vec![
            (subject::position(id), Target::Position(topic)),
            (subject::live_delivery(id), Target::Status(topic)),
        ],
        TopicKey::Deliveries => {
            vec![(subject::EVERY_POSITION.to_owned(), Target::Positions(topic))]
        }
        TopicKey::Order(id) => vec![(subject::live_order(id), Target::Status(topic))],
        TopicKey::Account(id) => vec![(subject::hint(id), Target::AccountHint(topic))],
        TopicKey::Role(role) => vec![(subject::role_hint(role), Target::RoleHint(topic))],
        TopicKey::Replay(id) => vec![(subject::operation(id), Target::Replay(topic))],
    };
    subjects.extend(entry);
    subjects
}

/// A socket that asked and was not answered yet.
#[derive(Debug)]
pub struct Pending {
    pub socket: usize,
    /// Statuses since then.
    pub buffered: Vec<(u64, Frame)>,
}

#[derive(Debug)]
pub struct Topic {
    pub key: TopicKey,
    /// The start of every position frame.
    pub prefix: Vec<u8>,
    pub watchers: Vec<usize>,
    pub pending: Vec<Pending>,
    /// True if positions are shown; `None` until it is known.
    pub is_active: Option<bool>,
    /// The newest entry of the audience bucket since the first socket asked or watched.
    pub audience: Option<Audience>,
    /// The text that a position of the driver contains; other positions are not shown. `None` until the
    /// driver is known.
    driver: Option<Finder<'static>>,
    /// The newest position that came while it is watched.
    pub newest: Option<Frame>,
    /// The highest stream sequence of a status that came while it is watched; of a replay, how many
    /// frames came.
    pub seen: u64,
    /// Statuses that wait until what was missed before them is known.
    pub buffered: Option<Vec<(u64, Frame)>>,
    /// The latest hints of its role.
    pub hints: Hints,
    compared: Compared,
    subscriptions: Vec<u64>,
}

impl Topic {
    fn new(key: TopicKey) -> Self {
        let prefix = match key {
            TopicKey::Delivery(id) => position_prefix(id),
            _ => Vec::new(),
        };
        Self {
            key,
            prefix,
            watchers: Vec::new(),
            pending: Vec::new(),
            is_active: None,
            audience: None,
            driver: None,
            newest: None,
            seen: 0,
            buffered: None,
            hints: Hints::default(),
            compared: Compared::default(),
            subscriptions: Vec::new(),
        }
    }

    /// Takes an entry of the audience bucket; false where a newer one is known.
    pub fn set_audience(&mut self, entry: &Audience) -> bool {
        let known = self.audience.as_ref();
        if known.is_some_and(|known| known.version > entry.version) {
            return false;
        }
        let driver = known.and_then(|known| known.driver);
        if entry.driver.is_some() && driver != entry.driver {
            if driver.is_some() {
                self.newest = None;
            }
            self.driver = entry.driver.map(|UserId(id)| {
                let text = format!(r#""driverId":"{id}""#);
                Finder::new(&text).into_owned()
            });
        }
        self.audience = Some(entry.clone());
        self.set_active(entry.active);
        true
    }

    /// True if a position is the driver's, or the driver is not known.
    pub fn is_of_driver(&self, payload: &[u8]) -> bool {
        let driver = self.driver.as_ref();
        driver.is_none_or(|driver| driver.find(payload).is_some())
    }

    /// Sets whether positions are shown.
    pub fn set_active(&mut self, is_active: bool) {
        self.is_active = Some(is_active);
        if !is_active {
            self.newest = None;
        }
    }
}

/// The time of a topic's last comparison. That of a new topic is the first check.
#[derive(Debug, Default)]
struct Compared(Option<OffsetDateTime>);

impl Compared {
    /// The last time, where `every` has passed since; the next one is counted from `now`.
    fn due(&mut self, now: OffsetDateTime, every: Duration) -> Option<OffsetDateTime> {
        let last = *self.0.get_or_insert(now);
        let is_due = now - last >= every;
        if is_due {
            self.0 = Some(now);
        }
        is_due.then_some(last)
    }
}

/// The start of every position frame of a delivery.
pub fn position_prefix(id: DeliveryId) -> Vec<u8> {
    let topic = Name::Delivery(id);
    format!(r#"{{"type":"position","topic":"{topic}","deliveryId":"{id}","#).into_bytes()
}

/// All topics with a watcher.
#[derive(Debug, Default)]
pub struct Topics {
    all: Slab<Topic>,
    by_key: HashMap<TopicKey, usize>,
}

impl Topics {
    pub fn get_mut(&mut self, index: usize) -> Option<&mut Topic> {
        self.all.get_mut(index)
    }

    pub fn get(&self, index: usize) -> Option<&Topic> {
        self.all.get(index)
    }

    pub fn find(&self, key: TopicKey) -> Option<usize> {
        self.by_key.get(&key).copied()
    }

    pub fn indexes(&self) -> Vec<usize> {
        self.all.iter().map(|(index, _)| index).collect()
    }

    /// Some of the topics that were last compared with their streams `every` ago or longer, and when.
    pub fn due(
        &mut self,
        now: OffsetDateTime,
        every: Duration,
        at_most: usize,
    ) -> Vec<(usize, TopicKey, OffsetDateTime)> {
        let all = self.all.iter_mut();
        // Those that wait for what they missed are read anyway.
        let comparable = all.filter(|(_, topic)| {
            topic.key.is_stored() && topic.buffered.is_none() && !topic.watchers.is_empty()
        });
        let due = comparable.filter_map(|(index, topic)| {
            let compared = topic.compared.due(now, every)?;
            Some((index, topic.key, compared))
        });
        due.take(at_most).collect()
    }

    /// The topic of a key; its subjects are subscribed with the first who asks.
    pub fn enter(&mut self, key: TopicKey, link: &mut Link<Target>) -> usize {
        if let Some(index) = self.by_key.get(&key) {
            return *index;
        }
        let index = self.all.insert(Topic::new(key));
        self.by_key.insert(key, index);
        let subjects = subjects(key, index).into_iter();
        self.all[index].subscriptions = subjects
            .map(|(subject, target)| link.subscribe(subject, target))
            .collect();
        index
    }

    /// Takes a socket off a topic; its subjects are left with the last.
    pub fn leave(&mut self, index: usize, socket: usize, link: &mut Link<Target>) {
        let Some(topic) = self.all.get_mut(index) else {
            return;
        };
        if let Some(at) = topic.watchers.iter().position(|other| *other == socket) {
            topic.watchers.swap_remove(at);
        }
        topic.pending.retain(|pending| pending.socket != socket);
        if topic.watchers.is_empty() && topic.pending.is_empty() {
            let topic = self.all.remove(index);
            self.by_key.remove(&topic.key);
            for number in topic.subscriptions {
                link.unsubscribe(number);
            }
        }
    }
}
