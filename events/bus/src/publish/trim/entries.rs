//! Entries of the audience bucket in the outbox. A lost bucket gets back the last entry of each key, while the broker
//! would keep it. Older entries of a key are needless, and so is the last one once its time is over. Older ones always
//! go first: without the last one, an older would count as the last.

use std::collections::HashMap;

use tiffin_events::subject;
use time::OffsetDateTime;

use super::rows::{PublishedRow, RowKey};

/// The last entry of each key so far, on a way through the outbox from its first row.
pub(super) struct Entries {
    now: OffsetDateTime,
    last: HashMap<String, RowKey>,
}

impl Entries {
    pub fn new(now: OffsetDateTime) -> Self {
        Self {
            now,
            last: HashMap::new(),
        }
    }

    /// The entries that these next rows make needless or that are needless among them, in the order in which they go.
    pub fn needless(&mut self, rows: &[PublishedRow]) -> Vec<RowKey> {
        let mut needless = Vec::new();
        let mut over = Vec::new();
        let entries = rows.iter().filter(|row| subject::is_audience(&row.subject));
        for (row, key) in entries.filter_map(|row| Some((row, row.key()?))) {
            let subject = row.subject.clone();
            needless.extend(self.last.insert(subject, key));
            if row.kept_until.is_some_and(|until| until < self.now) {
                over.push((&row.subject, key));
            }
        }
        for (subject, key) in over {
            if self.last.get(subject) == Some(&key) {
                self.last.remove(subject);
                needless.push(key);
            }
        }
        needless
    }
}

#[cfg(test)]
mod tests {
    use time::{Duration, macros::datetime};
    use uuid::Uuid;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-11-25 12:00 UTC);

    fn entry(id: i64, key: &str, kept_until: Option<OffsetDateTime>) -> PublishedRow {
        PublishedRow {
            id,
            event_id: Uuid::nil(),
            subject: subject::audience(key),
            stream_sequence: Some(id.unsigned_abs() + 100),
            kept_until,
        }
    }

    fn ids(needless: &[RowKey]) -> Vec<i64> {
        needless.iter().map(|key| key.id).collect()
    }

    #[test]
    fn older_entries_of_a_key_go_and_the_last_one_stays_while_it_counts() {
        let mut entries = Entries::new(NOW);
        let rows = [
            entry(1, "order.a", None),
            entry(2, "order.b", None),
            entry(3, "order.a", None),
            entry(4, "order.b", Some(NOW + Duration::HOUR)),
        ];
        assert_eq!(ids(&entries.needless(&rows)), [1, 2]);
        let later = [entry(5, "order.a", None)];
        assert_eq!(ids(&entries.needless(&later)), [3]);
    }

    #[test]
    fn the_last_entry_goes_when_its_time_is_over_and_after_all_older_ones() {
        let over = Some(NOW - Duration::SECOND);
        let mut entries = Entries::new(NOW);
        let first = [entry(1, "order.a", None), entry(2, "order.b", None)];
        assert!(entries.needless(&first).is_empty());
        let rows = [
            entry(3, "order.a", over),
            entry(4, "order.b", over),
            entry(5, "order.b", None),
        ];
        assert_eq!(ids(&entries.needless(&rows)), [1, 2, 4, 3]);
        assert_eq!(ids(&entries.needless(&[entry(6, "order.b", over)])), [5, 6]);
    }

    #[test]
    fn other_rows_and_entries_without_a_stream_sequence_stay() {
        let mut entries = Entries::new(NOW);
        let mut event = entry(1, "order.a", None);
        event.subject = "tiffin.order.a.placed".to_owned();
        let unknown = PublishedRow {
            stream_sequence: None,
            ..entry(2, "order.a", Some(NOW - Duration::HOUR))
        };
        let rows = [event.clone(), event, unknown, entry(3, "order.a", None)];
        assert!(entries.needless(&rows).is_empty());
    }
}
