//! The keys of topics.

use std::fmt;

use tiffin_events::{DeliveryId, OrderId, Role, UserId, audience, live::Topic as Name};
use uuid::Uuid;

/// One topic of the whole bridge: `me` is another one for every user, and of some roles one more
/// that all its users share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TopicKey {
    Delivery(DeliveryId),
    Deliveries,
    Order(OrderId),
    /// A user's own topic, `me`.
    Account(UserId),
    /// The topic that all users of a role share, a part of `me`.
    Role(Role),
    Replay(Uuid),
}

impl fmt::Display for TopicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Delivery(id) => Name::Delivery(*id).fmt(f),
            Self::Deliveries => Name::Deliveries.fmt(f),
            Self::Order(id) => Name::Order(*id).fmt(f),
            Self::Account(_) | Self::Role(_) => Name::Me.fmt(f),
            Self::Replay(id) => Name::Replay(*id).fmt(f),
        }
    }
}

impl TopicKey {
    /// The key of its entry in the audience bucket, where it has one.
    pub fn audience_key(self) -> Option<String> {
        match self {
            Self::Delivery(id) => Some(audience::delivery_key(id)),
            Self::Order(id) => Some(audience::order_key(id)),
            Self::Deliveries | Self::Account(_) | Self::Role(_) | Self::Replay(_) => None,
        }
    }

    /// The conflation key of a delivery's positions, and of how far a replay is: a slow socket keeps the newest
    /// of each. It is the random half of the id; a collision only drops one frame.
    pub fn conflation_key(self) -> u64 {
        match self {
            Self::Delivery(id) => id.0.as_u64_pair().1,
            Self::Replay(id) => id.as_u64_pair().1,
            _ => 0,
        }
    }

    /// True if its statuses are stored in a stream.
    pub fn is_stored(self) -> bool {
        matches!(self, Self::Delivery(_) | Self::Order(_))
    }
}
