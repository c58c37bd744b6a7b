use std::{fmt, ops::RangeInclusive, sync::Arc};

use futures_util::{
    StreamExt,
    stream::{self, BoxStream},
};
use parquet::errors::ParquetError;
use tiffin_events::Stream;
use tokio::task::spawn_blocking;
use tokio_util::task::AbortOnDropHandle;

use crate::{
    Archive, ArchiveError, Filter, Message, Segment,
    file::CheckedFile,
    index::Group,
    parquet_file::{Column, SegmentFile},
};

/// Segments that are fetched and checked at once: one whose messages are given out, and the next.
const FETCHED: usize = 2;
/// Row groups that are decoded at once: some megabytes each.
const DECODED: usize = 4;

type Batch = Result<Vec<Message>, ArchiveError>;

/// Archived messages in order. While a caller handles some, the next ones are read, checked and decoded.
pub struct Reader {
    batches: BoxStream<'static, Batch>,
    is_over: bool,
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader")
            .field("is_over", &self.is_over)
            .finish_non_exhaustive()
    }
}

impl Reader {
    /// The next messages, up to a few thousand; none at the end. A segment's messages come only after its file was
    /// found to be as it was written. After an error nothing more comes.
    pub async fn next(&mut self) -> Batch {
        while !self.is_over {
            match self.batches.next().await {
                Some(Ok(batch)) if batch.is_empty() => {}
                Some(Ok(batch)) => return Ok(batch),
                Some(Err(error)) => {
                    self.is_over = true;
                    return Err(error);
                }
                None => self.is_over = true,
            }
        }
        Ok(Vec::new())
    }
}

/// The selected messages of a stream.
#[derive(Clone, Debug)]
pub(crate) struct Selection {
    pub range: RangeInclusive<u64>,
    pub filter: Filter,
}

impl Archive {
    /// The messages of a range of stream sequences that a filter takes. Segments and row groups that have none of
    /// them are not opened. Where an entry of the manifest is wrong, the segments before it are read, and an error
    /// follows.
    pub async fn read(
        &self,
        stream: Stream,
        range: RangeInclusive<u64>,
        filter: Filter,
    ) -> Result<Reader, ArchiveError> {
        let manifest = self.manifest(stream).await?;
        let end = manifest.segments.last().map_or(0, |segment| segment.last);
        let problem = manifest.problem.filter(|_| *range.end() > end);
        let touched = manifest.segments.iter();
        let touched: Vec<Segment> = touched
            .filter(|it| it.first <= *range.end() && *range.start() <= it.last)
            .cloned()
            .collect();
        let (archive, selection) = (self.clone(), Arc::new(Selection { range, filter }));
        let groups = {
            let (archive, selection) = (archive.clone(), selection.clone());
            stream::iter(touched)
                .map(move |segment| {
                    let (archive, selection) = (archive.clone(), selection.clone());
                    in_background(async move { archive.select(&segment, &selection).await })
                })
                .buffered(FETCHED)
                .flat_map(|groups| match groups {
                    Ok(groups) => stream::iter(groups).map(Ok).left_stream(),
                    Err(error) => stream::iter([Err(error)]).right_stream(),
                })
        };
        let batches = groups.map(move |group| {
            let selection = selection.clone();
            in_background(async move { group?.decode(selection).await })
        });
        let problem = stream::iter(problem.map(Err));
        Ok(Reader {
            batches: batches.buffered(DECODED).chain(problem).boxed(),
            is_over: false,
        })
    }

    /// The message at a stream sequence; `None` if it is not archived, or was gone from the stream before.
    pub async fn message(
        &self,
        stream: Stream,
        stream_sequence: u64,
    ) -> Result<Option<Message>, ArchiveError> {
        let mut segments = self.known(stream);
        let is_beyond = |segments: &[Segment]| {
            let last = segments.last();
            last.is_none_or(|it| it.last < stream_sequence)
        };
        if is_beyond(&segments) {
            let manifest = self.manifest(stream).await?;
            segments = manifest.segments;
            if let Some(problem) = manifest.problem.filter(|_| is_beyond(&segments)) {
                return Err(problem);
            }
        }
        let at = segments.partition_point(|segment| segment.last < stream_sequence);
        let Some(segment) = segments.get(at).filter(|it| it.first <= stream_sequence) else {
            return Ok(None);
        };
        let selection = Selection {
            range: stream_sequence..=stream_sequence,
            filter: Filter::all(),
        };
        for group in self.select(segment, &selection).await? {
            let found = group.decode(Arc::new(selection.clone())).await?;
            if let Some(message) = found.into_iter().next() {
                return Ok(Some(message));
            }
        }
        Ok(None)
    }

    /// The row groups of a segment that may have selected messages, its file checked.
    async fn select(
        &self,
        segment: &Segment,
        selection: &Selection,
    ) -> Result<Vec<RowGroup>, ArchiveError> {
        let index = if selection.filter.takes_all() {
            None
        } else {
            Some(self.index(segment).await?)
        };
        let may_match = |group: &Group| {
            let range = &selection.range;
            let overlaps = group.first <= *range.end() && *range.start() <= group.last;
            overlaps && selection.filter.may_match(|word| group.may_have(word))
        };
        // Without a filter, the file's statistics say which groups are in the range.
        let chosen = index.map(|index| index.groups().iter().map(may_match).collect::<Vec<_>>());
        if chosen.as_ref().is_some_and(|it| !it.contains(&true)) {
            return Ok(Vec::new());
        }
        let file = Arc::new(self.file(segment).await?);
        let groups = 0..file.read(|file| Ok(file.groups()))?;
        let is_chosen = |group: &usize| {
            let chosen = chosen.as_ref();
            chosen.is_none_or(|it| it.get(*group).copied().unwrap_or(true))
        };
        let of_file = |number| RowGroup {
            file: file.clone(),
            number,
        };
        Ok(groups.filter(is_chosen).map(of_file).collect())
    }
}

/// A row group of a segment.
struct RowGroup {
    file: Arc<CheckedFile>,
    number: usize,
}

impl RowGroup {
    /// Its selected messages.
    async fn decode(self, selection: Arc<Selection>) -> Batch {
        let Self { file, number } = self;
        spawn_blocking(move || file.read(|file| selection.messages(file, number))).await?
    }
}

/// Goes on whether or not the future is polled, until it is dropped.
fn in_background<T: Send + 'static>(
    work: impl Future<Output = Result<T, ArchiveError>> + Send + 'static,
) -> impl Future<Output = Result<T, ArchiveError>> {
    let task = AbortOnDropHandle::new(tokio::spawn(work));
    async move { task.await? }
}

impl Selection {
    /// The selected messages of a row group.
    fn messages(&self, file: &SegmentFile, group: usize) -> Result<Vec<Message>, ParquetError> {
        let rows = self.rows(file, group)?;
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        file.messages(group, &rows)
    }

    /// The selected rows of a row group.
    pub fn rows(&self, file: &SegmentFile, group: usize) -> Result<Vec<usize>, ParquetError> {
        let (first, last) = file.range(group)?.into_inner();
        let (from, to) = (*self.range.start(), *self.range.end());
        if first > to || last < from {
            return Ok(Vec::new());
        }
        if self.filter.takes_all() && from <= first && last <= to {
            return Ok((0..file.rows(group)).collect());
        }
        let sequences = file.sequences(group)?;
        let mut rows: Vec<usize> = (0..sequences.len()).collect();
        rows.retain(|row| {
            sequences
                .get(*row)
                .is_some_and(|it| self.range.contains(it))
        });
        if !self.filter.takes_all() {
            let subjects = file.texts(group, Column::Subject)?;
            let is_taken = |row: &usize| {
                let subject = subjects.get(*row).and_then(|it| it.as_utf8().ok());
                subject.is_some_and(|subject| self.filter.matches(subject))
            };
            rows.retain(is_taken);
        }
        Ok(rows)
    }
}
