//! The right to watch a topic.

use tiffin_events::{Role, audience::Audience, live::Topic};

use crate::{messages::Identity, refusal::Refusal, topic_key::TopicKey};

/// Everyone the owner of the thing named, and administrators.
pub fn may_watch(entry: &Audience, identity: &Identity) -> bool {
    identity.role == Role::Admin || entry.users.contains(&identity.user)
}

/// The topic that a client names. What only a role may watch is decided here, the rest by [`may_watch`].
pub fn key_of(topic: &str, identity: Identity) -> Result<TopicKey, Refusal> {
    match topic.parse::<Topic>() {
        Ok(Topic::Delivery(id)) => Ok(TopicKey::Delivery(id)),
        Ok(Topic::Deliveries) if identity.role == Role::Admin => Ok(TopicKey::Deliveries),
        Ok(Topic::Replay(id)) if identity.operator => Ok(TopicKey::Replay(id)),
        Ok(Topic::Deliveries | Topic::Replay(_)) => Err(Refusal::NotAllowed),
        Ok(Topic::Order(id)) => Ok(TopicKey::Order(id)),
        Ok(Topic::Me) => Ok(TopicKey::Account(identity.user)),
        Err(_) => Err(Refusal::UnknownTopic),
    }
}
