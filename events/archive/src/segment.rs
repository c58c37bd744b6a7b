use std::ops::RangeInclusive;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use tiffin_events::Stream;
use time::OffsetDateTime;

use crate::Hash;

/// A segment, as its entry in the manifest has it. The entry is a JSON object without spaces that has these fields in
/// this order; an object that differs from it in any byte is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Segment {
    #[serde(serialize_with = "write_stream", deserialize_with = "read_stream")]
    pub stream: Stream,
    /// 1, 2, 3 … without a gap.
    pub number: u64,
    /// The path of the Parquet file in the archive.
    pub file: String,
    /// The first and last stream sequence that it covers. Those without a message were gone from the stream.
    pub first: u64,
    pub last: u64,
    /// The earliest and latest time at which the broker stored one of its messages.
    #[serde(with = "time::serde::rfc3339")]
    pub first_time: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    pub last_time: OffsetDateTime,
    /// The number of messages.
    pub count: u64,
    /// The size of the bodies.
    pub body_bytes: u64,
    /// The size of the file.
    pub bytes: u64,
    /// The hash over the messages, independent of the file's encoding.
    pub events_sha256: Hash,
    /// The hash of the file.
    pub sha256: Hash,
    /// The size and the hash of the index, which lies beside the file.
    pub index_bytes: u64,
    pub index_sha256: Hash,
    /// SHA-256 of the previous entry's chain (32 bytes, zeros before the first entry), followed by this object's
    /// bytes up to `,"chain"`.
    pub chain: Hash,
}

impl Segment {
    /// The covered stream sequences.
    pub fn range(&self) -> RangeInclusive<u64> {
        self.first..=self.last
    }

    /// The path of the index.
    pub fn index_file(&self) -> String {
        index_of(&self.file)
    }

    /// The path of its entry in the manifest.
    pub fn entry(&self) -> String {
        entry_of(self.stream, self.number)
    }

    /// The entry's bytes.
    pub(crate) fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }

    /// Reads an entry; `None` if the bytes are not those that such an entry has.
    pub(crate) fn from_json(bytes: &[u8]) -> Option<Self> {
        let segment: Self = serde_json::from_slice(bytes).ok()?;
        let same = segment.to_json().ok()?.as_bytes() == bytes;
        same.then_some(segment)
    }

    /// The chain that its fields give after the previous entry's.
    pub(crate) fn chain_after(&self, previous: Hash) -> serde_json::Result<Hash> {
        let json = self.to_json()?;
        let fields = json
            .rsplit_once(",\"chain\"")
            .map_or("", |(fields, _)| fields);
        Ok(previous.chained(fields.as_bytes()))
    }
}

pub(crate) fn index_of(file: &str) -> String {
    format!("{}.index", file.strip_suffix(".parquet").unwrap_or(file))
}

/// The folder of a stream's entries.
pub(crate) fn manifest_of(stream: Stream) -> String {
    format!("{stream}/manifest")
}

/// The folder of a stream's files.
pub(crate) fn files_of(stream: Stream) -> String {
    format!("{stream}/segments")
}

/// The path of an entry.
pub(crate) fn entry_of(stream: Stream, number: u64) -> String {
    format!("{}/{number:020}.json", manifest_of(stream))
}

/// The number in an entry's path.
pub(crate) fn number_of(path: &str) -> Option<u64> {
    let (_, name) = path.rsplit_once('/')?;
    let digits = name.strip_suffix(".json")?;
    let is_number = digits.len() == 20 && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn write_stream<S: Serializer>(stream: &Stream, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(stream.name())
}

fn read_stream<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Stream, D::Error> {
    let name = String::deserialize(deserializer)?;
    name.parse().map_err(D::Error::custom)
}
