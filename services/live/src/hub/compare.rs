//! Comparing what watchers have seen with the streams. In a cluster, a server that dies between storing an
//! event and repeating it on the live subject leaves the bridge without it, and no later message shows the
//! gap. A watcher who has seen a later status needs none of the missed ones.

use tiffin_events::Clock;

use super::dispatch::Dispatcher;
use crate::messages::Question;

/// The most topics that are compared in one tick: 200 a second.
const MAX_COMPARED: usize = 50;

impl Dispatcher {
    /// Asks for the stored statuses of the topics that were compared longest ago.
    pub(super) fn compare(&mut self) {
        if !self.broker.link.is_up() {
            return;
        }
        let clock: &Clock = self.verifier.clock();
        let now = clock.now();
        for (index, key, compared) in
            self.topics
                .due(now, self.limits.compare_interval, MAX_COMPARED)
        {
            let since = self.seen_by_all(index, compared);
            let epoch = self.broker.epoch;
            self.ask(Question::Compare { key, since, epoch });
        }
    }
}
