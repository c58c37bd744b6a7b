use tiffin_events::Stream;
use time::OffsetDateTime;

use crate::{Archive, ArchiveError};

impl Archive {
    /// Deletes files without an entry that are older than an hour at `now`, and returns their paths.
    pub async fn remove_leftovers(
        &self,
        stream: Stream,
        now: OffsetDateTime,
    ) -> Result<Vec<String>, ArchiveError> {
        let _ = (stream, now);
        Ok(Vec::new())
    }
}
