//! The verification of the chain, event by event.

use std::collections::BTreeSet;

use serde_json::Value;
use tiffin_events::operation::LinkV1;

use super::{hash, hash_in_chain, hash_of};

/// The part of the chain that is verified so far.
#[derive(Debug, Default)]
pub struct ChainVerifier {
    /// The hashes of the events from before the chain.
    unchained: BTreeSet<String>,
    /// The hashes of the chain's events, in its order.
    links: Vec<String>,
}

impl ChainVerifier {
    /// The number of the last verified event; 0 before the first.
    pub fn number(&self) -> i64 {
        i64::try_from(self.links.len()).unwrap_or(i64::MAX)
    }

    /// The hash of the event with this number, if it is verified.
    pub fn hash_at(&self, number: i64) -> Option<&str> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        self.links.get(index).map(String::as_str)
    }

    /// The number of events from before the chain.
    pub fn unchained_count(&self) -> usize {
        self.unchained.len()
    }

    /// The hash that the chain's first event names as its predecessor: of all events from before the chain.
    pub fn anchor(&self) -> String {
        let all: String = self.unchained.iter().map(String::as_str).collect();
        hash(all.as_bytes())
    }

    /// Adds an event from before the chain.
    pub fn add_unchained(&mut self, event: &Value) -> serde_json::Result<()> {
        self.unchained.insert(hash_of(event)?);
        Ok(())
    }

    /// Verifies the next event; the error says why the chain breaks there. The broker may hold an event twice
    /// if its acknowledgement was lost, so an identical copy is skipped.
    pub fn verify_next(&mut self, event: &Value) -> Result<(), String> {
        let link = event.pointer("/data/chain");
        let Some(link) = link else {
            return self.verify_unlinked(event);
        };
        let link: LinkV1 = serde_json::from_value(link.clone())
            .map_err(|_| "its link can't be read".to_owned())?;
        let own = hash_in_chain(event).map_err(|error| error.to_string())?;
        if own != link.hash {
            return Err("it was changed: its hash is another one".to_owned());
        }
        let next = self.number() + 1;
        if link.number < next {
            if self.hash_at(link.number) == Some(&own) {
                return Ok(());
            }
            return Err(format!("it is a second event {} of the chain", link.number));
        }
        if link.number > next {
            let missing = link.number - next;
            return Err(format!(
                "it is event {} of the chain, and {missing} before it are missing",
                link.number
            ));
        }
        let previous = match self.links.last() {
            Some(last) => last.clone(),
            None => self.anchor(),
        };
        if link.previous != previous {
            return Err("it follows on another event than the one before it".to_owned());
        }
        self.links.push(own);
        Ok(())
    }

    fn verify_unlinked(&mut self, event: &Value) -> Result<(), String> {
        let hash = hash_of(event).map_err(|error| error.to_string())?;
        if self.links.is_empty() || self.unchained.contains(&hash) {
            self.unchained.insert(hash);
            return Ok(());
        }
        Err("it is no event of the chain".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tiffin_events::Envelope;
    use tiffin_testkit::sample;
    use uuid::Uuid;

    use super::*;
    use crate::chain::add_link;

    /// Two events from before the chain and five of it.
    fn history() -> Vec<Value> {
        let mut verifier = ChainVerifier::default();
        (1_u128..=7)
            .map(|position| {
                let mut event: Envelope = sample("tiffin.operation.begun.v1");
                event.id = Uuid::from_u128(position);
                event.data["reason"] = format!("reason {position}").into();
                if let Some(data) = event.data.as_object_mut() {
                    data.remove("chain");
                }
                if position > 2 {
                    let previous = verifier
                        .links
                        .last()
                        .cloned()
                        .unwrap_or_else(|| verifier.anchor());
                    let mut link = LinkV1 {
                        number: verifier.number() + 1,
                        previous,
                        hash: String::new(),
                    };
                    add_link(&mut link, &mut event).unwrap();
                }
                let event = serde_json::to_value(event).unwrap();
                verifier.verify_next(&event).unwrap();
                event
            })
            .collect()
    }

    /// The position of the event at which the chain breaks, and the reason.
    fn broken(events: &[Value]) -> Option<(usize, String)> {
        let mut verifier = ChainVerifier::default();
        events.iter().enumerate().find_map(|(position, event)| {
            let result = verifier.verify_next(event);
            result.err().map(|reason| (position + 1, reason))
        })
    }

    #[test]
    fn a_whole_chain_holds_and_so_does_one_with_an_event_that_came_twice() {
        let mut events = history();
        assert_eq!(broken(&events), None);
        events.push(events[4].clone());
        events.insert(1, events[0].clone());
        events.push(events[0].clone());
        assert_eq!(broken(&events), None);
    }

    #[test]
    fn an_event_that_is_changed_removed_inserted_or_moved_breaks_it_there() {
        let change = |at: usize, field: &str| {
            let mut events = history();
            *events[at].pointer_mut(field).unwrap() = "another".into();
            broken(&events)
        };
        // A change before the chain shows at the chain's first event, which holds the hash of all of them.
        for (at, found) in [(0, 3), (1, 3), (2, 3), (4, 5), (6, 7)] {
            let broken_at = change(at, "/data/reason").map(|(position, _)| position);
            assert_eq!(broken_at, Some(found), "{at}");
        }
        for field in [
            "/actor",
            "/time",
            "/data/chain/previous",
            "/data/chain/hash",
        ] {
            assert_eq!(
                change(4, field).map(|(position, _)| position),
                Some(5),
                "{field}"
            );
        }

        for (gone, found) in [(0, 2), (1, 2), (2, 3), (4, 5)] {
            let mut events = history();
            events.remove(gone);
            let broken_at = broken(&events).map(|(position, _)| position);
            assert_eq!(broken_at, Some(found), "{gone}");
        }

        let mut forged = history()[0].clone();
        forged["id"] = json!(Uuid::from_u128(90));
        for (at, found) in [(0, 4), (2, 4), (5, 6), (7, 8)] {
            let mut events = history();
            events.insert(at, forged.clone());
            assert_eq!(
                broken(&events).map(|(position, _)| position),
                Some(found),
                "{at}"
            );
        }

        let mut events = history();
        events.swap(4, 5);
        let (position, reason) = broken(&events).unwrap();
        assert_eq!(position, 5);
        assert_eq!(
            reason,
            "it is event 4 of the chain, and 1 before it are missing"
        );
    }

    #[test]
    fn a_changed_event_with_a_new_hash_is_not_the_one_that_the_next_follows() {
        let mut events = history();
        let mut forged: Envelope = serde_json::from_value(events[4].clone()).unwrap();
        let mut link: LinkV1 = serde_json::from_value(forged.data["chain"].clone()).unwrap();
        forged.data["reason"] = "another".into();
        link.hash = String::new();
        add_link(&mut link, &mut forged).unwrap();
        events[4] = serde_json::to_value(forged).unwrap();
        let (position, reason) = broken(&events).unwrap();
        assert_eq!(position, 6);
        assert!(reason.contains("follows on another"), "{reason}");
    }
}
