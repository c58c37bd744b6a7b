//! The index of a segment: for each row group, the words of its messages.
//!
//! A word is a token of a subject, or the text of an event's aggregate, correlation, actor or type. The index holds
//! the first five bytes of each word's SHA-256, sorted, without the column: a row group that lacks a word asked for
//! has no message that is asked for, and one that has all of them is read. Among ten thousand words, one in a
//! hundred million is mistaken for another; that costs a row group read for nothing.
//!
//! A Bloom or a fuse filter would take a quarter of the space, but open one row group in a hundred, or in 250, for
//! nothing: of an archive of a thousand segments, a search for one order would read dozens. A table of hashes is
//! also the same whatever wrote it, so that [`Archive::verify`](crate::Archive::verify) compares it byte for byte.
//!
//! The file: `TIFFINX1`, the number of groups (4 bytes); of each group the first and last stream sequence, the
//! earliest and latest time of its events in microseconds since 1970 (8 bytes each), the number of words (4 bytes)
//! and the words. Numbers are big-endian.

use std::collections::BTreeSet;

use bytes::{Buf, BufMut, Bytes};

use crate::{
    Hash,
    parquet_file::{ROW_GROUP_SIZE, Row},
};

const MAGIC: [u8; 8] = *b"TIFFINX1";
const KEY: usize = 5;
/// The size of a group without its words.
const HEAD: usize = 4 * 8 + 4;

type Key = [u8; KEY];

/// The index of a segment.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Index(Vec<Group>);

/// The part of a row group.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Group {
    pub first: u64,
    pub last: u64,
    /// Microseconds since 1970.
    pub earliest: i64,
    pub latest: i64,
    keys: Vec<Key>,
}

impl Index {
    pub fn of(rows: &[Row<'_>]) -> Self {
        Self(rows.chunks(ROW_GROUP_SIZE).map(Group::of).collect())
    }

    /// Of each row group, in the file's order.
    pub fn groups(&self) -> &[Group] {
        &self.0
    }

    pub fn to_bytes(&self) -> Bytes {
        let mut out = MAGIC.to_vec();
        out.put_u32(size(self.0.len()));
        for group in &self.0 {
            out.put_u64(group.first);
            out.put_u64(group.last);
            out.put_i64(group.earliest);
            out.put_i64(group.latest);
            out.put_u32(size(group.keys.len()));
            out.extend_from_slice(group.keys.as_flattened());
        }
        out.into()
    }

    /// `None` if the bytes are no index.
    pub fn from_bytes(mut bytes: &[u8]) -> Option<Self> {
        bytes = bytes.strip_prefix(&MAGIC)?;
        let count = bytes.try_get_u32().ok()?;
        let mut groups = Vec::new();
        for _ in 0..count {
            if bytes.len() < HEAD {
                return None;
            }
            let (first, last) = (bytes.get_u64(), bytes.get_u64());
            let (earliest, latest) = (bytes.get_i64(), bytes.get_i64());
            let length = usize::try_from(bytes.get_u32()).ok()?.checked_mul(KEY)?;
            let (keys, rest) = bytes.split_at_checked(length)?;
            bytes = rest;
            groups.push(Group {
                first,
                last,
                earliest,
                latest,
                keys: keys.as_chunks::<KEY>().0.to_vec(),
            });
        }
        bytes.is_empty().then_some(Self(groups))
    }
}

impl Group {
    fn of(rows: &[Row<'_>]) -> Self {
        let sequences = || rows.iter().map(|row| row.message.stream_sequence);
        let times = || rows.iter().map(Row::time);
        let mut words = BTreeSet::new();
        for row in rows {
            words.extend(row.message.subject.split('.').map(key));
            if let Some(event) = &row.event {
                words.extend([key(&event.kind), key(&event.actor)]);
                words.insert(key(&event.subject.to_string()));
                words.extend(event.correlationid.map(|id| key(&id.to_string())));
            }
        }
        Self {
            first: sequences().min().unwrap_or_default(),
            last: sequences().max().unwrap_or_default(),
            earliest: times().min().unwrap_or_default(),
            latest: times().max().unwrap_or_default(),
            keys: words.into_iter().collect(),
        }
    }

    /// False if no message of the group has this word.
    pub fn may_have(&self, word: &str) -> bool {
        self.keys.binary_search(&key(word)).is_ok()
    }
}

fn key(word: &str) -> Key {
    let mut key = [0; KEY];
    let hash = Hash::of(word.as_bytes());
    key.copy_from_slice(&hash.bytes()[..KEY]);
    key
}

fn size(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use time::OffsetDateTime;

    use super::Index;
    use crate::{Headers, Message, parquet_file::Row};

    fn index(subjects: &[&str]) -> Index {
        let messages = (1..)
            .zip(subjects)
            .map(|(stream_sequence, subject)| Message {
                stream_sequence,
                stored_at: OffsetDateTime::UNIX_EPOCH,
                subject: (*subject).to_owned(),
                headers: Headers::default(),
                body: Bytes::from_static(b"\xff"),
            });
        let messages: Vec<Message> = messages.collect();
        Index::of(&Row::of(&messages))
    }

    #[test]
    fn an_index_is_read_as_it_was_written_and_knows_its_words() {
        let index = index(&["tiffin.order.7.placed", "odd"]);
        let read = Index::from_bytes(&index.to_bytes()).unwrap();
        assert_eq!(read, index);
        let [group] = read.groups() else {
            panic!("{read:?}");
        };
        assert_eq!((group.first, group.last), (1, 2));
        for word in ["tiffin", "order", "7", "placed", "odd"] {
            assert!(group.may_have(word), "{word}");
        }
        assert!(!group.may_have("cancelled"));
    }

    #[test]
    fn bytes_that_are_cut_off_or_too_many_are_no_index() {
        let bytes = index(&["a.b", "c"]).to_bytes();
        for length in 0..bytes.len() {
            assert_eq!(Index::from_bytes(&bytes[..length]), None, "{length}");
        }
        assert_eq!(Index::from_bytes(&[&bytes[..], b"\0"].concat()), None);
    }
}
