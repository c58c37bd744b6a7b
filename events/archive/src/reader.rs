use std::{collections::VecDeque, fmt, ops::RangeInclusive, sync::Arc};

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
    index::Group,
    parquet_file::{Column, SegmentFile},
};

/// Segments that are read at once: one that is given out, and the next.
const AT_ONCE: usize = 2;

/// The messages of one segment, by row group.
type Batches = VecDeque<Vec<Message>>;

/// Archived messages in order. While a caller handles some, the next segment is read and checked.
pub struct Reader {
    segments: BoxStream<'static, Result<Batches, ArchiveError>>,
    current: Batches,
    is_over: bool,
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader")
            .field("batches", &self.current.len())
            .finish_non_exhaustive()
    }
}

impl Reader {
    /// The next messages, up to a few thousand; none at the end. A segment's messages come only after its file was
    /// found to be as it was written. After an error nothing more comes.
    pub async fn next(&mut self) -> Result<Vec<Message>, ArchiveError> {
        while !self.is_over {
            if let Some(batch) = self.current.pop_front() {
                return Ok(batch);
            }
            match self.segments.next().await {
                Some(Ok(batches)) => self.current = batches,
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
#[derive(Debug)]
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
        let batches = stream::iter(touched).map(move |segment| {
            let (archive, selection) = (archive.clone(), selection.clone());
            let read = async move { archive.select(segment, selection).await };
            let task = AbortOnDropHandle::new(tokio::spawn(read));
            async move { task.await? }
        });
        let problem = stream::iter(problem.map(Err));
        Ok(Reader {
            segments: batches.buffered(AT_ONCE).chain(problem).boxed(),
            current: Batches::new(),
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
        let batches = self.select(segment.clone(), Arc::new(selection)).await?;
        Ok(batches.into_iter().flatten().next())
    }

    /// The selected messages of a segment.
    async fn select(
        &self,
        segment: Segment,
        selection: Arc<Selection>,
    ) -> Result<Batches, ArchiveError> {
        let index = if selection.filter.takes_all() {
            None
        } else {
            Some(self.index(&segment).await?)
        };
        let may_match = |group: &Group| {
            let range = &selection.range;
            let overlaps = group.first <= *range.end() && *range.start() <= group.last;
            overlaps && selection.filter.may_match(|word| group.may_have(word))
        };
        // Without a filter, the file's statistics say which groups are in the range.
        let chosen = index.map(|index| index.groups().iter().map(may_match).collect::<Vec<_>>());
        if chosen.as_ref().is_some_and(|it| !it.contains(&true)) {
            return Ok(Batches::new());
        }
        let file = self.file(&segment).await?;
        let read = spawn_blocking(move || {
            file.read(|file| {
                let groups = 0..file.groups();
                let chosen = groups.filter(|group| {
                    let chosen = chosen.as_ref();
                    chosen.is_none_or(|it| it.get(*group).copied().unwrap_or(true))
                });
                let batches = chosen.map(|group| selection.messages(file, group));
                let batches: Batches = batches.collect::<Result<_, _>>()?;
                Ok(batches.into_iter().filter(|it| !it.is_empty()).collect())
            })
        });
        read.await?
    }
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
