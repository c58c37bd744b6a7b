//! Comparing what watchers have seen with the streams. In a cluster, a server that dies between storing an
//! event and repeating it on the live subject leaves the bridge without it, and no later message shows the
//! gap. A watcher who has seen a later status needs none of the missed ones.

use tiffin_events::Clock;
use time::OffsetDateTime;

use super::{Question, dispatch::Dispatcher, topics::Key};

/// Topics that one look compares at most: 200 a second.
const AT_ONCE: usize = 50;

impl Dispatcher {
    /// Asks for the stored statuses of the topics that were compared longest ago.
    pub(super) fn compare(&mut self) {
        if !self.link.is_up() {
            return;
        }
        let clock: &Clock = self.verifier.clock();
        let now = clock.now();
        for (index, key, compared) in self.topics.due(now, self.limits.compared_every, AT_ONCE) {
            let since = self.seen_by_all(index, compared);
            let epoch = self.epoch;
            self.ask(Question::Compare { key, since, epoch });
        }
    }
}

/// True if a topic's statuses are stored, so that they can be compared.
pub(super) fn is_comparable(key: Key) -> bool {
    matches!(key, Key::Delivery(_) | Key::Order(_))
}

/// The time a topic was last compared. A topic that was never compared begins with its first look.
#[derive(Debug, Default)]
pub struct Compared(Option<OffsetDateTime>);

impl Compared {
    /// The last time, where `every` has passed since; the next one is counted from `now`.
    pub(super) fn due(
        &mut self,
        now: OffsetDateTime,
        every: std::time::Duration,
    ) -> Option<OffsetDateTime> {
        let last = *self.0.get_or_insert(now);
        let is_due = now - last >= every;
        if is_due {
            self.0 = Some(now);
        }
        is_due.then_some(last)
    }
}
