//! The right to watch a topic.

use tiffin_events::{Role, audience::Audience};

use crate::messages::Identity;

/// The answer is the same for another account's topic and for one that does not exist.
pub const NOT_YOURS: &str = "There is no such thing for you to watch.";

/// Everyone the owner of the thing named, and administrators.
pub fn may_watch(entry: &Audience, identity: &Identity) -> bool {
    identity.role == Role::Admin || entry.users.contains(&identity.user)
}
