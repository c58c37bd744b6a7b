use std::ops::RangeInclusive;

use tiffin_events::Stream;

use crate::{Archive, ArchiveError, Filter, Message};

/// Archived messages in order. While a caller handles some, the next segment is read and checked.
#[derive(Debug)]
pub struct Reader {}

impl Reader {
    /// The next messages; none at the end. A segment's messages come only after its file was found to be as it
    /// was written. After an error nothing more comes.
    pub async fn next(&mut self) -> Result<Vec<Message>, ArchiveError> {
        Ok(Vec::new())
    }
}

impl Archive {
    /// The messages of a range of stream sequences that a filter takes. Segments and row groups that have none of
    /// them are not opened.
    pub async fn read(
        &self,
        stream: Stream,
        range: RangeInclusive<u64>,
        filter: Filter,
    ) -> Result<Reader, ArchiveError> {
        let _ = (stream, range, filter);
        Ok(Reader {})
    }

    /// The message at a stream sequence; `None` if it is not archived, or was gone from the stream before.
    pub async fn message(
        &self,
        stream: Stream,
        stream_sequence: u64,
    ) -> Result<Option<Message>, ArchiveError> {
        let _ = (stream, stream_sequence);
        Ok(None)
    }
}
