//! The right to watch a topic.

use tiffin_events::{Role, audience::Audience, live::Topic};

use crate::{messages::Identity, topic_key::TopicKey};

/// The answer is the same for another account's topic and for one that does not exist.
pub const NOT_YOURS: &str = "There is no such thing for you to watch.";

/// Everyone the owner of the thing named, and administrators.
pub fn may_watch(entry: &Audience, identity: &Identity) -> bool {
    identity.role == Role::Admin || entry.users.contains(&identity.user)
}

/// The topic that a client names. What only a role may watch is decided here, the rest by [`may_watch`].
pub fn key_of(topic: &str, identity: Identity) -> Result<TopicKey, &'static str> {
    match topic.parse::<Topic>() {
        Ok(Topic::Delivery(id)) => Ok(TopicKey::Delivery(id)),
        Ok(Topic::Deliveries) if identity.role == Role::Admin => Ok(TopicKey::Deliveries),
        Ok(Topic::Replay(id)) if identity.operator => Ok(TopicKey::Replay(id)),
        Ok(Topic::Deliveries | Topic::Replay(_)) => Err(NOT_YOURS),
        Ok(Topic::Order(id)) => Ok(TopicKey::Order(id)),
        Ok(Topic::Me) => Ok(TopicKey::Account(identity.user)),
        Err(_) => Err(
            "A topic is delivery:<id>, order:<id>, me, for administrators deliveries, or for operators replay:<id>.",
        ),
    }
}
