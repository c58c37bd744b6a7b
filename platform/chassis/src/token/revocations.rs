//! Tokens that ended before their time.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
    time::Duration as Span,
};

use tiffin_events::UserId;
use time::{Duration, OffsetDateTime};
use tokio::{sync::broadcast, time::Instant};

use super::{LEEWAY_SECONDS, LIFETIME_SECONDS};

/// The silence of the user service after which unknown revocations are possible.
pub const SILENT_AFTER: Span = Span::from_secs(30);

/// The oldest token that is trusted while the user service is silent. That service signs tokens and asks
/// its own database who is blocked.
pub const TRUSTED_FOR: Duration = Duration::seconds(60);

/// Users whose tokens from before a moment are refused: blocked, deleted, password changed. Comes from the user
/// service's events. Entries older than the life of a token are dropped.
#[derive(Clone, Debug)]
pub struct Revocations {
    ended: broadcast::Sender<Option<UserId>>,
    revoked: Arc<RwLock<RevokedUsers>>,
    heard: Arc<RwLock<LastHeard>>,
}

#[derive(Debug, Default)]
struct LastHeard {
    /// The time from which the user service is listened for; `None` if it is not.
    listens: Option<Instant>,
    last: Option<Instant>,
}

#[derive(Debug, Default)]
struct RevokedUsers {
    /// Milliseconds since 1970 at and before which a user's tokens are refused.
    users: HashMap<UserId, i64>,
    /// The latest of them, which tells how old the others are.
    latest: i64,
}

impl Default for Revocations {
    fn default() -> Self {
        Self {
            ended: broadcast::channel(1024).0,
            revoked: Arc::default(),
            heard: Arc::default(),
        }
    }
}

impl Revocations {
    /// Refuses `user`'s tokens that were issued at or before `at`.
    pub fn revoke(&self, user: UserId, at: OffsetDateTime) {
        let at = milliseconds(at);
        {
            let mut revoked = self.revoked.write().unwrap_or_else(PoisonError::into_inner);
            if revoked.users.get(&user).is_some_and(|known| *known >= at) {
                return;
            }
            revoked.users.insert(user, at);
            if at > revoked.latest {
                revoked.latest = at;
                let oldest = at - (LIFETIME_SECONDS + 2 * LEEWAY_SECONDS) * 1_000;
                revoked.users.retain(|_, at| *at >= oldest);
            }
        }
        // Without sockets there are no receivers.
        let _ = self.ended.send(Some(user));
    }

    /// From now on the user service is listened for. What it said before is not known yet, so its silence
    /// counts at once.
    pub fn listen(&self) {
        let mut heard = self.heard.write().unwrap_or_else(PoisonError::into_inner);
        heard.listens.get_or_insert_with(Instant::now);
    }

    /// Takes note that the user service was heard `ago`, and with it everything that it said before.
    pub fn heard(&self, ago: Span) {
        self.listen();
        let at = Instant::now().checked_sub(ago);
        let mut heard = self.heard.write().unwrap_or_else(PoisonError::into_inner);
        heard.last = at.max(heard.last);
    }

    /// For how long the user service has not been heard, if that is too long.
    pub fn silence(&self) -> Option<Span> {
        let heard = self.heard.read().unwrap_or_else(PoisonError::into_inner);
        match heard.last {
            Some(last) => Some(last.elapsed()).filter(|silence| *silence > SILENT_AFTER),
            None => heard.listens.map(|since| since.elapsed()),
        }
    }

    /// True if a token issued then is too old to be trusted, because its revocation may not have arrived.
    pub fn is_doubtful(&self, issued: OffsetDateTime, now: OffsetDateTime) -> bool {
        now - issued > TRUSTED_FOR && self.silence().is_some()
    }

    /// Has the tokens of all open sockets checked again.
    pub fn recheck_all(&self) {
        let _ = self.ended.send(None);
    }

    /// True if a token of `user` issued then is refused. A token carries its time to the millisecond: one
    /// from the very millisecond of a revocation may be older, and is refused.
    pub fn is_revoked(&self, user: UserId, issued: OffsetDateTime) -> bool {
        let revoked = self.revoked.read().unwrap_or_else(PoisonError::into_inner);
        revoked
            .users
            .get(&user)
            .is_some_and(|at| milliseconds(issued) <= *at)
    }

    /// A channel of revocations as they come, to close open sockets; `None` asks for a check of all of them.
    pub fn subscribe(&self) -> broadcast::Receiver<Option<UserId>> {
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
        assert_eq!(ended.try_recv(), Ok(Some(user(1))));
        assert!(ended.try_recv().is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn in_silence_only_young_tokens_are_trusted_until_a_word_comes() {
        let revocations = Revocations::default();
        let (old, young) = (AT - Duration::seconds(61), AT - Duration::seconds(60));
        tokio::time::advance(SILENT_AFTER * 10).await;
        assert!(!revocations.is_doubtful(old, AT), "nothing listens");
        revocations.heard(Span::ZERO);
        tokio::time::advance(SILENT_AFTER).await;
        assert!(!revocations.is_doubtful(old, AT));
        tokio::time::advance(Span::from_millis(1)).await;
        assert!(revocations.is_doubtful(old, AT));
        assert!(!revocations.is_doubtful(young, AT));
        // An old word that comes late says nothing of now.
        revocations.heard(SILENT_AFTER + Span::from_secs(1));
        assert!(revocations.is_doubtful(old, AT));
        revocations.heard(Span::from_secs(5));
        assert!(!revocations.is_doubtful(old, AT));
    }

    #[test]
    fn until_the_first_word_old_tokens_are_not_trusted() {
        let revocations = Revocations::default();
        revocations.listen();
        assert!(revocations.is_doubtful(AT - Duration::seconds(61), AT));
        assert!(!revocations.is_doubtful(AT - Duration::seconds(60), AT));
        revocations.heard(Span::ZERO);
        assert!(!revocations.is_doubtful(AT - Duration::seconds(61), AT));
    }

    #[test]
    fn what_no_token_can_be_old_enough_for_is_forgotten() {
        let revocations = Revocations::default();
        revocations.revoke(user(1), AT);
        revocations.revoke(user(2), AT + Duration::minutes(16));
        assert_eq!(revocations.revoked.read().unwrap().users.len(), 1);
    }
}
