use std::ops::RangeInclusive;

use tiffin_events::Stream;

use crate::{Archive, ArchiveError, Message, Segment};

impl Archive {
    /// Writes messages as the next segment, and returns once file, index and manifest entry are in the store and
    /// were read back. `covered` is the range of stream sequences that the messages are all of: it begins right
    /// after the archive's [`end`](Archive::end), or anywhere in an empty archive. Messages are in order and
    /// within it; sequences without a message are gone from the stream.
    ///
    /// After an error, ask for the end before another try: after [`ArchiveError::Overtaken`] another archiver's
    /// segment is there, and where the store's answer was lost, this one may be. Files without an entry are
    /// leftovers.
    pub async fn append(
        &self,
        stream: Stream,
        covered: RangeInclusive<u64>,
        messages: &[Message],
    ) -> Result<Segment, ArchiveError> {
        unfinished(stream, covered, messages)
    }
}

fn unfinished<T>(
    stream: Stream,
    _: impl std::fmt::Debug,
    _: impl std::fmt::Debug,
) -> Result<T, ArchiveError> {
    Err(ArchiveError::Empty { stream })
}
