use parquet::errors::ParquetError;
use tiffin_events::Stream;
use tokio::task::JoinError;

use crate::Hash;

/// The reasons why the archive can't be written or read. Each names its place.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    #[error("the archive's store can't handle {path}: {source}")]
    Store {
        path: String,
        source: object_store::Error,
    },
    #[error("the archive's URL can't be used: {0}")]
    Url(object_store::Error),

    #[error("nothing is to be archived of {stream}: a segment has a message at least")]
    Empty { stream: Stream },
    #[error("{stream} is archived up to {end}: a segment from {first} to {last} does not follow")]
    NotNext {
        stream: Stream,
        end: u64,
        first: u64,
        last: u64,
    },
    #[error(
        "the messages of {stream} can't be archived: {sequence} is not in order, or out of the range"
    )]
    Disorder { stream: Stream, sequence: u64 },
    #[error("the message {sequence} of {stream} can't be archived: {reason}")]
    Unwritable {
        stream: Stream,
        sequence: u64,
        reason: &'static str,
    },
    #[error("another archiver was faster with segment {number} of {stream}; its entry holds")]
    Overtaken { stream: Stream, number: u64 },
    #[error(
        "{file} of segment {number} of {stream} took too long to write; it is left out of the manifest"
    )]
    Late {
        stream: Stream,
        number: u64,
        file: String,
    },
    #[error("{file} of segment {number} of {stream} can't be read back as written: {what} differs")]
    NotAsWritten {
        stream: Stream,
        number: u64,
        file: String,
        what: &'static str,
    },

    #[error("the manifest of {stream} lacks segment {number}: {file} is not there")]
    NoEntry {
        stream: Stream,
        number: u64,
        file: String,
    },
    #[error(
        "the entry of segment {number} of {stream} can't be read: {file} is not as it was written"
    )]
    BadEntry {
        stream: Stream,
        number: u64,
        file: String,
    },
    #[error(
        "the chain of {stream} is broken at segment {number}: {file} does not follow from the entry before"
    )]
    BrokenChain {
        stream: Stream,
        number: u64,
        file: String,
    },
    #[error("{file} of segment {number} of {stream} is missing")]
    Missing {
        stream: Stream,
        number: u64,
        file: String,
    },
    #[error("{file} of segment {number} of {stream} has {found} bytes instead of {expected}")]
    WrongSize {
        stream: Stream,
        number: u64,
        file: String,
        expected: u64,
        found: u64,
    },
    #[error(
        "{file} of segment {number} of {stream} is altered: its hash is {found} instead of {expected}"
    )]
    Altered {
        stream: Stream,
        number: u64,
        file: String,
        expected: Hash,
        found: Hash,
    },
    #[error("{file} of segment {number} of {stream} can't be decoded: {reason}")]
    Undecodable {
        stream: Stream,
        number: u64,
        file: String,
        reason: String,
    },
    #[error(
        "{file} of segment {number} of {stream} does not have what its entry says: {what} differs"
    )]
    Contradiction {
        stream: Stream,
        number: u64,
        file: String,
        what: &'static str,
    },

    #[error("a segment of {stream} can't be encoded: {source}")]
    Encoding {
        stream: Stream,
        source: ParquetError,
    },
    #[error("an entry of the manifest can't be written: {0}")]
    Json(#[from] serde_json::Error),
    #[error("the work on a segment ended early: {0}")]
    Interrupted(#[from] JoinError),
}

impl ArchiveError {
    /// The number of the segment and the object that is wrong; `None` where nothing in the archive is.
    pub fn place(&self) -> Option<(u64, &str)> {
        match self {
            Self::NoEntry { number, file, .. }
            | Self::BadEntry { number, file, .. }
            | Self::BrokenChain { number, file, .. }
            | Self::Missing { number, file, .. }
            | Self::WrongSize { number, file, .. }
            | Self::Altered { number, file, .. }
            | Self::Undecodable { number, file, .. }
            | Self::Contradiction { number, file, .. } => Some((*number, file)),
            _ => None,
        }
    }
}
