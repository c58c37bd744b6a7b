use std::ops::RangeInclusive;

use tiffin_events::Stream;
use tokio::task::spawn_blocking;

use crate::{Archive, ArchiveError, Filter, Segment, reader::Selection};

impl Archive {
    /// The number of messages that [`Archive::read`] gives. Segments that are selected as a whole are not opened.
    pub async fn count(
        &self,
        stream: Stream,
        range: RangeInclusive<u64>,
        filter: Filter,
    ) -> Result<u64, ArchiveError> {
        let segments = self.segments(stream).await?;
        let mut count = 0;
        for segment in &segments {
            let is_outside = segment.last < *range.start() || *range.end() < segment.first;
            let is_whole = range.contains(&segment.first) && range.contains(&segment.last);
            if is_outside {
                continue;
            }
            count += if is_whole && filter.takes_all() {
                segment.count
            } else {
                let (range, filter) = (range.clone(), filter.clone());
                self.count_in(segment, Selection { range, filter }).await?
            };
        }
        Ok(count)
    }

    async fn count_in(&self, segment: &Segment, selection: Selection) -> Result<u64, ArchiveError> {
        let file = self.file(segment).await?;
        let counted = spawn_blocking(move || {
            file.read(|file| {
                let mut count = 0;
                for group in 0..file.groups() {
                    count += selection.rows(file, group)?.len() as u64;
                }
                Ok(count)
            })
        });
        counted.await?
    }
}
