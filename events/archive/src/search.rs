use std::{ops::Range, sync::Arc};

use futures_util::{StreamExt, stream};
use parquet::{data_type::ByteArray, errors::ParquetError};
use tiffin_events::Stream;
use time::OffsetDateTime;
use tokio::task::spawn_blocking;
use uuid::Uuid;

use crate::{
    Archive, ArchiveError, Message, Segment,
    columns::micros,
    index::{Group, Index},
    newest::{Newest, newest_in},
    parquet_file::{Column, SegmentFile},
};

/// Indexes that are fetched at once.
const AT_ONCE: usize = 8;

/// The filters of a search; a message must pass each that is set. Only events pass those of the envelope's fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    pub aggregate: Option<Uuid>,
    /// The order that the event belongs to.
    pub correlation: Option<Uuid>,
    /// The event's type, `tiffin.order.placed.v1`.
    pub kind: Option<String>,
    pub actor: Option<String>,
    /// The time of the event, to the microsecond; of a message that is none, the time at which it was stored.
    pub times: Option<Range<OffsetDateTime>>,
    /// [`Page::next`] of the page before.
    pub after: Option<u64>,
    /// The most messages in a page, one at least.
    pub limit: usize,
}

impl Default for Query {
    fn default() -> Self {
        Self {
            aggregate: None,
            correlation: None,
            kind: None,
            actor: None,
            times: None,
            after: None,
            limit: 100,
        }
    }
}

/// Messages that were found, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    pub messages: Vec<Message>,
    /// The stream sequence below which the search goes on; `None` if there is nothing more to look at.
    pub next: Option<u64>,
}

impl Archive {
    /// The newest messages that pass a query. Segments whose index excludes them are not opened.
    pub async fn search(&self, stream: Stream, query: &Query) -> Result<Page, ArchiveError> {
        let segments = self.manifest(stream).await?.whole()?;
        let criteria = Arc::new(Criteria::of(query));
        let mut page = Newest::new(query.after, query.limit);
        let below = page.below();
        let older = segments.iter().rev().filter(|it| it.first < below);
        let older: Vec<Segment> = older.cloned().collect();
        let mut indexes = stream::iter(older)
            .map(|segment| {
                let archive = self.clone();
                async move {
                    let index = archive.index(&segment).await;
                    (segment, index)
                }
            })
            .buffered(AT_ONCE);
        while let Some((segment, index)) = indexes.next().await {
            let chosen = criteria.groups(&index?, below);
            if !chosen.contains(&true) {
                continue;
            }
            let wanted = (below, page.left());
            page.add(
                self.find_in(&segment, criteria.clone(), chosen, wanted)
                    .await?,
            );
            if page.left() == 0 {
                return Ok(page.full_page());
            }
        }
        Ok(page.last_page())
    }

    /// False if the index of a segment says that none of its messages passes a query.
    pub async fn may_match(&self, segment: &Segment, query: &Query) -> Result<bool, ArchiveError> {
        let index = self.index(segment).await?;
        let chosen = Criteria::of(query).groups(&index, below(query));
        Ok(chosen.contains(&true))
    }

    /// The messages of one segment that pass a query, newest first. Row groups that its index excludes are not read.
    pub async fn search_segment(
        &self,
        segment: &Segment,
        query: &Query,
    ) -> Result<Vec<Message>, ArchiveError> {
        let (criteria, below) = (Arc::new(Criteria::of(query)), below(query));
        let chosen = criteria.groups(&self.index(segment).await?, below);
        if !chosen.contains(&true) {
            return Ok(Vec::new());
        }
        self.find_in(segment, criteria, chosen, (below, query.limit))
            .await
    }

    /// The newest messages of a segment that pass, in the chosen row groups.
    async fn find_in(
        &self,
        segment: &Segment,
        criteria: Arc<Criteria>,
        chosen: Vec<bool>,
        wanted: (u64, usize),
    ) -> Result<Vec<Message>, ArchiveError> {
        let file = self.file(segment).await?;
        let found = spawn_blocking(move || {
            newest_in(&file, wanted, |file, group| {
                if chosen.get(group).copied().unwrap_or(true) {
                    criteria.rows(file, group)
                } else {
                    Ok(Vec::new())
                }
            })
        });
        found.await?
    }
}

/// The stream sequence below which messages are wanted.
fn below(query: &Query) -> u64 {
    query.after.unwrap_or(u64::MAX)
}

/// A query as the columns are compared with it.
#[derive(Debug)]
struct Criteria {
    words: Vec<(Column, String)>,
    /// Microseconds since 1970.
    times: Option<Range<i64>>,
}

impl Criteria {
    fn of(query: &Query) -> Self {
        let id = |id: Option<Uuid>| id.map(|id| id.to_string());
        let words = [
            (Column::Aggregate, id(query.aggregate)),
            (Column::Correlation, id(query.correlation)),
            (Column::Kind, query.kind.clone()),
            (Column::Actor, query.actor.clone()),
        ];
        let words = words.into_iter();
        let times = query.times.as_ref();
        Self {
            words: words
                .filter_map(|(column, word)| Some((column, word?)))
                .collect(),
            times: times.map(|times| micros(times.start)..micros(times.end)),
        }
    }

    /// The row groups that may have messages that pass, below a stream sequence.
    fn groups(&self, index: &Index, below: u64) -> Vec<bool> {
        let may_match = |group: &Group| group.first < below && self.may_match(group);
        index.groups().iter().map(may_match).collect()
    }

    fn may_match(&self, group: &Group) -> bool {
        let times = self.times.as_ref();
        times.is_none_or(|it| group.earliest < it.end && it.start <= group.latest)
            && self.words.iter().all(|(_, word)| group.may_have(word))
    }

    /// The rows of a group that pass, in order.
    fn rows(&self, file: &SegmentFile, group: usize) -> Result<Vec<usize>, ParquetError> {
        let mut rows: Vec<usize> = (0..file.rows(group)).collect();
        for (column, word) in &self.words {
            let cells = file.optional_texts(group, *column)?;
            let is_word = |cell: &Option<ByteArray>| {
                cell.as_ref().is_some_and(|it| it.data() == word.as_bytes())
            };
            rows.retain(|row| cells.get(*row).is_some_and(is_word));
        }
        if let Some(times) = self.times.as_ref().filter(|_| !rows.is_empty()) {
            let events = file.optional_numbers(group, Column::Time)?;
            let stored = file.numbers(group, Column::StoredAt)?;
            let time = |row: usize| {
                let stored = || stored.get(row).map(|nanos| nanos.div_euclid(1_000));
                events.get(row).copied().flatten().or_else(stored)
            };
            rows.retain(|row| time(*row).is_some_and(|time| times.contains(&time)));
        }
        Ok(rows)
    }
}
