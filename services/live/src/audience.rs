//! The right to watch a topic.

use tiffin_events::{Role, audience::Audience, live::Topic};

use crate::{key::Key, messages::Identity, refusal::Refusal};

/// Everyone the owner of the thing named, and administrators.
pub fn may_watch(entry: &Audience, identity: &Identity) -> bool {
    identity.role == Role::Admin || entry.users.contains(&identity.user)
}

/// The topic that a client names. What only a role may watch is decided here, the rest by [`may_watch`].
pub fn key_of(topic: &str, identity: Identity) -> Result<Key, Refusal> {
    match topic.parse::<Topic>() {
        Ok(Topic::Delivery(id)) => Ok(Key::Delivery(id)),
        Ok(Topic::Deliveries) if identity.role == Role::Admin => Ok(Key::Deliveries),
        Ok(Topic::Replay(id)) if identity.operator => Ok(Key::Replay(id)),
        Ok(Topic::Deliveries | Topic::Replay(_)) => Err(Refusal::NotAllowed),
        Ok(Topic::Order(id)) => Ok(Key::Order(id)),
        Ok(Topic::Me) => Ok(Key::Feed(identity.user)),
        Err(_) => Err(Refusal::UnknownTopic),
    }
}
