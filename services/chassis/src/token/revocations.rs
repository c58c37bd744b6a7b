//! Tokens that ended before their time.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};

use tiffin_events::UserId;
use time::{Duration, OffsetDateTime};
use tokio::sync::broadcast;

use super::{LEEWAY_SECONDS, LIFETIME_SECONDS};

/// Users whose tokens from before a moment are refused: blocked, deleted, password changed. Fed by
/// the user service's events; entries older than a token lives are forgotten.
#[derive(Clone, Debug)]
pub struct Revocations {
    ended: broadcast::Sender<UserId>,
    since: Arc<RwLock<Since>>,
}

#[derive(Debug, Default)]
struct Since {
    /// Milliseconds since 1970 at and before which a user's tokens are refused.
    users: HashMap<UserId, i64>,
    /// The latest of them, which tells how old the others are.
    latest: i64,
}

impl Default for Revocations {
    fn default() -> Self {
        Self {
            ended: broadcast::channel(1024).0,
            since: Arc::default(),
        }
    }
}

impl Revocations {
    /// Refuses `user`'s tokens that were issued at or before `at`.
    pub fn revoke(&self, user: UserId, at: OffsetDateTime) {
        let at = milliseconds(at);
        {
            let mut since = self.since.write().unwrap_or_else(PoisonError::into_inner);
            if since.users.get(&user).is_some_and(|known| *known >= at) {
                return;
            }
            since.users.insert(user, at);
            if at > since.latest {
                since.latest = at;
                let oldest = at - (LIFETIME_SECONDS + 2 * LEEWAY_SECONDS) * 1_000;
                since.users.retain(|_, at| *at >= oldest);
            }
        }
        // Nobody listens where there are no sockets.
        let _ = self.ended.send(user);
    }

    /// Whether a token of `user` issued then is refused. A token carries its moment to the
    /// millisecond: one from the very millisecond of a revocation may be older, and is refused.
    pub fn is_revoked(&self, user: UserId, issued: OffsetDateTime) -> bool {
        let since = self.since.read().unwrap_or_else(PoisonError::into_inner);
        since
            .users
            .get(&user)
            .is_some_and(|at| milliseconds(issued) <= *at)
    }

    /// Tells of each revocation as it comes, so that open sockets can be closed.
    pub fn subscribe(&self) -> broadcast::Receiver<UserId> {
        self.ended.subscribe()
    }
}

fn milliseconds(at: OffsetDateTime) -> i64 {
    at.unix_timestamp() * 1_000
        + i64::from(Duration::nanoseconds(at.nanosecond().into()).subsec_milliseconds())
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;
    use uuid::Uuid;

    use super::*;

    const AT: OffsetDateTime = datetime!(2026-11-21 09:00:00.1005 UTC);

    fn user(n: u128) -> UserId {
        UserId(Uuid::from_u128(n))
    }

    #[test]
    fn tokens_up_to_the_moment_end_and_later_ones_live() {
        let revocations = Revocations::default();
        revocations.revoke(user(1), AT);
        assert!(revocations.is_revoked(user(1), AT - Duration::minutes(5)));
        assert!(revocations.is_revoked(user(1), datetime!(2026-11-21 09:00:00.100 UTC)));
        assert!(!revocations.is_revoked(user(1), datetime!(2026-11-21 09:00:00.101 UTC)));
        assert!(!revocations.is_revoked(user(2), AT));
    }

    #[test]
    fn an_older_event_that_comes_late_takes_nothing_back() {
        let revocations = Revocations::default();
        let mut ended = revocations.subscribe();
        revocations.revoke(user(1), AT);
        revocations.revoke(user(1), AT - Duration::minutes(1));
        assert!(revocations.is_revoked(user(1), AT));
        assert_eq!(ended.try_recv(), Ok(user(1)));
        assert!(ended.try_recv().is_err());
    }

    #[test]
    fn what_no_token_can_be_old_enough_for_is_forgotten() {
        let revocations = Revocations::default();
        revocations.revoke(user(1), AT);
        revocations.revoke(user(2), AT + Duration::minutes(16));
        assert_eq!(revocations.since.read().unwrap().users.len(), 1);
    }
}
