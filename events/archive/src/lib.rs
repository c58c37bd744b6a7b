//! The archive: what leaves a stream goes on in object storage, in segments that a manifest lists.
//!
//! A **segment** is one Parquet file with the messages of a range of stream sequences, exactly as the stream held
//! them, and an **index** beside it. The **manifest** has one immutable entry for each segment. It alone says what
//! is archived: a file without an entry is a **leftover**, and reading ignores it. Entries are chained by hash.
//!
//! ```text
//! archive/ORDERS/manifest/00000000000000000001.json       the entry of segment 1
//! archive/ORDERS/segments/00000000000000000001-<id>.parquet        its messages
//! archive/ORDERS/segments/00000000000000000001-<id>.index          its index
//! ```
//!
//! [`Archive::append`] writes file and index, reads both back, compares every message, and creates the entry last
//! and exclusively. A crash before that leaves a leftover; of two archivers, one creates the entry and the other is
//! [overtaken](ArchiveError::Overtaken). A message may be deleted from its stream once `append` has returned.
//!
//! # The columns of a segment
//!
//! | column | Parquet type | value |
//! |---|---|---|
//! | `stream` | STRING | the stream's name |
//! | `seq` | INT64 | the stream sequence |
//! | `stored_at` | TIMESTAMP (ns, UTC) | the time at which the broker stored the message |
//! | `subject` | STRING | the broker's subject |
//! | `headers` | STRING | JSON: an array of pairs `["name","value"]`, sorted |
//! | `id`, `type`, `aggregate`, `source`, `actor`, `correlationid`, `causationid` | STRING, optional | the envelope's fields; `aggregate` is its `subject` |
//! | `sequence` | INT64, optional | the event's number within its aggregate |
//! | `time` | TIMESTAMP (µs, UTC), optional | the time of the event |
//! | `event` | `BYTE_ARRAY` | the body, byte for byte |
//!
//! Fields of the envelope are null where the body is no event. Files are compressed with zstd. Row groups have a
//! few thousand rows with statistics, so that other readers skip by them, too.

mod append;
mod archive;
pub mod columns;
mod count;
mod error;
mod file;
mod filter;
mod hash;
mod headers;
mod index;
mod leftovers;
mod manifest;
mod message;
mod newest;
mod parquet_file;
mod reader;
mod scan;
mod search;
mod segment;
mod store;
mod verify;

pub use archive::Archive;
pub use error::ArchiveError;
pub use filter::{BadPattern, Filter};
pub use hash::Hash;
pub use headers::Headers;
pub use message::Message;
pub use reader::Reader;
pub use scan::{Progress, TextScan};
pub use search::{Page, Query};
pub use segment::Segment;
pub use verify::{Finding, Report};

/// The size of the bodies in a segment that callers aim at, in bytes. Its file is then a few megabytes.
pub const SEGMENT_BYTES: usize = 16 << 20;
