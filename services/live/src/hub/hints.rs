//! Hints for all accounts of a role. Under load there are more than they can fetch lists for: the first of
//! a type is sent at once, and of the following ones only the newest, with the next tick.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
};

use crate::wire::frame::Frame;

/// The hints of a role since the last tick, by type of event; further ones wait for the next tick.
#[derive(Debug, Default)]
pub struct Hints(HashMap<String, Option<Frame>>);

impl Hints {
    /// Takes a hint; gives it back where it may go out at once.
    pub fn take(&mut self, kind: String, frame: Frame) -> Option<Frame> {
        if let Some(waiting) = self.0.get_mut(&kind) {
            *waiting = Some(frame);
            return None;
        }
        self.0.insert(kind, None);
        Some(frame)
    }

    /// The hints that waited for a tick. A type without new ones is sent at once again.
    pub fn due(&mut self) -> Vec<(u64, Frame)> {
        self.0.retain(|_, waiting| waiting.is_some());
        let due = self.0.iter_mut();
        due.filter_map(|(kind, waiting)| Some((conflation_key(kind), waiting.take()?)))
            .collect()
    }
}

/// The key of a type of event in the send queue: a slow socket gets the newest of each.
pub fn conflation_key(kind: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    kind.hash(&mut hasher);
    hasher.finish() >> 1
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;

    fn frame(text: &str) -> Frame {
        Rc::from(text.as_bytes())
    }

    #[test]
    fn the_first_of_a_type_is_sent_at_once_and_the_newest_of_the_rest_with_the_tick() {
        let mut hints = Hints::default();
        let take = |hints: &mut Hints, kind: &str, text| hints.take(kind.to_owned(), frame(text));
        assert_eq!(take(&mut hints, "a", "1"), Some(frame("1")));
        assert_eq!(take(&mut hints, "a", "2"), None);
        assert_eq!(take(&mut hints, "b", "3"), Some(frame("3")));
        assert_eq!(take(&mut hints, "a", "4"), None);
        assert_eq!(hints.due(), [(conflation_key("a"), frame("4"))]);
        assert_eq!(take(&mut hints, "a", "5"), None);
        assert_eq!(hints.due(), [(conflation_key("a"), frame("5"))]);
        assert_eq!(hints.due(), []);
        assert_eq!(take(&mut hints, "a", "6"), Some(frame("6")));
    }
}
