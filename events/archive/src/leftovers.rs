use std::collections::HashSet;

use object_store::ObjectMeta;
use tiffin_events::Stream;
use time::{Duration, OffsetDateTime};

use crate::{Archive, ArchiveError, Segment, segment::files_of};

/// The age from which a file without an entry is no longer one that is being written.
const AGE: Duration = Duration::HOUR;

impl Archive {
    /// Deletes files without an entry that are older than an hour at `now`, and returns their paths. Nothing is
    /// deleted while the manifest has an entry that is wrong.
    pub async fn remove_leftovers(
        &self,
        stream: Stream,
        now: OffsetDateTime,
    ) -> Result<Vec<String>, ArchiveError> {
        // Listed before the manifest is read: a file that gets its entry meanwhile is not taken for a leftover.
        let files = self.store().list(&files_of(stream), None).await?;
        let segments = self.manifest(stream).await?.whole()?;
        let begin = (now - AGE).unix_timestamp();
        let old = |object: &ObjectMeta| object.last_modified.timestamp() < begin;
        let paths = leftovers(files.into_iter().filter(old), &segments);
        for path in &paths {
            self.store().delete(path).await?;
        }
        Ok(paths)
    }
}

/// The paths of those files that no segment has.
pub(crate) fn leftovers(
    files: impl IntoIterator<Item = ObjectMeta>,
    segments: &[Segment],
) -> Vec<String> {
    let entered = segments.iter();
    let entered: HashSet<String> = entered
        .flat_map(|segment| [segment.file.clone(), segment.index_file()])
        .collect();
    let paths = files.into_iter().map(|it| it.location.to_string());
    paths.filter(|path| !entered.contains(path)).collect()
}
