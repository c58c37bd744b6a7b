//! The frames of an operator's replay and its progress.

use super::{deliver::MAX_BUFFERED, dispatch::Dispatcher};
use crate::{
    render::{self, Replayed},
    wire::frame::Frame,
};

impl Dispatcher {
    /// Sends a replay's frame. A slow socket keeps the newest position and progress; other events are never
    /// dropped. At its end the topic has no watchers any more.
    pub(super) fn replayed(&mut self, index: usize, payload: &[u8]) {
        let Some(topic) = self.topics.get_mut(index) else {
            return;
        };
        let Some(shown) = render::replayed(payload) else {
            self.counters.malformed += 1;
            return;
        };
        let frame = self.encoder.text(|out| out.extend_from_slice(payload));
        let key = topic.key;
        topic.seen += 1;
        let number = topic.seen;
        for pending in &mut topic.pending {
            if pending.buffered.len() < MAX_BUFFERED {
                pending.buffered.push((number, Frame::clone(&frame)));
            }
        }
        if let Replayed::Newest(conflation_key) = shown {
            return self.newest_to_all(index, conflation_key ^ key.conflation_key(), &frame);
        }
        let watchers = topic.watchers.clone();
        for watcher in &watchers {
            self.status_to(*watcher, index, number, &frame);
        }
        if shown == Replayed::End {
            for watcher in watchers {
                self.unwatch(watcher, key);
            }
        }
    }
}
