//! Who may watch what.

use tiffin_events::{Role, audience::Audience};

use crate::hub::Identity;

/// Somebody else's thing and one that is not there read the same.
pub const NOT_YOURS: &str = "There is no such thing for you to watch.";

/// Everyone the owner of the thing named, and administrators.
pub fn may_watch(entry: &Audience, identity: &Identity) -> bool {
    identity.role == Role::Admin || entry.users.contains(&identity.user)
}
