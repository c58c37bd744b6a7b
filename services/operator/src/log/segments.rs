//! Single events and single aggregates, wherever they lie.

use std::collections::HashMap;

use futures_util::{Stream as Futures, StreamExt, stream};
use tiffin_archive::{Archive, Message, Query, Segment};
use tiffin_bus::{BrokerError, Received};
use tiffin_events::Stream;
use uuid::Uuid;

use crate::{
    Error, State,
    store::{
        archived::{self, ArchivedSegment},
        events::{self, LoggedEvent, Search, WaitingEvents},
    },
};

/// Indexes that are fetched at once.
const AT_ONCE: usize = 8;

/// The segments of the archive that may hold what is asked for.
pub struct Candidates<'a> {
    archive: &'a Archive,
    /// The entries of the manifests.
    entries: HashMap<(Stream, u64), Segment>,
    /// The first stream sequence of each stream that the archive does not answer for.
    starts: HashMap<Stream, u64>,
    /// In the order of their newest events, newest first.
    pub listed: Vec<ArchivedSegment>,
}

impl<'a> Candidates<'a> {
    /// The candidates of a search that has read the log before. `None` if there are none, or `is_done` says so of the
    /// newest.
    pub async fn of(
        state: &'a State,
        search: &Search,
        is_done: impl Fn(&ArchivedSegment) -> bool,
    ) -> Result<Option<Self>, Error> {
        let mut connection = state.pool.acquire().await?;
        let listed = archived::candidates(&mut connection, search).await?;
        let starts = archived::starts(&mut connection).await?;
        drop(connection);
        let Some(first) = listed.first().filter(|first| !is_done(first)) else {
            return Ok(None);
        };
        let Some(archive) = &state.broker.archive else {
            return Err(gone(first).into());
        };
        let starts = starts.into_iter();
        let starts =
            starts.filter_map(|it| Some((it.stream.parse().ok()?, it.seq.try_into().ok()?)));
        let mut candidates = Self {
            archive,
            entries: HashMap::new(),
            starts: starts.collect(),
            listed,
        };
        for stream in crate::archive::streams() {
            if candidates
                .listed
                .iter()
                .any(|it| it.stream == stream.name())
            {
                let entries = archive.segments(stream).await?.into_iter();
                let numbered = entries.map(|entry| ((stream, entry.number), entry));
                candidates.entries.extend(numbered);
            }
        }
        Ok(Some(candidates))
    }

    /// Those whose index does not exclude all of these queries, in their order.
    pub fn matching(
        &self,
        queries: Vec<Query>,
    ) -> impl Futures<Item = Result<(ArchivedSegment, bool), Error>> {
        stream::iter(self.listed.clone())
            .map(move |segment| {
                let queries = queries.clone();
                async move {
                    let entry = self.entry(&segment)?;
                    for query in queries {
                        if self.archive.may_match(entry, &query).await? {
                            return Ok((segment, true));
                        }
                    }
                    Ok((segment, false))
                }
            })
            .buffered(AT_ONCE)
    }

    /// The events of a segment that pass a query and that the log does not answer for.
    pub async fn read(
        &self,
        segment: &ArchivedSegment,
        query: &Query,
    ) -> Result<Vec<LoggedEvent>, Error> {
        let entry = self.entry(segment)?;
        let query = Query {
            after: self.starts.get(&entry.stream).copied(),
            limit: usize::MAX,
            ..query.clone()
        };
        let messages = self.archive.search_segment(entry, &query).await?;
        logged(entry.stream, messages)
    }

    fn entry(&self, segment: &ArchivedSegment) -> Result<&Segment, BrokerError> {
        let stream: Option<Stream> = segment.stream.parse().ok();
        let number = u64::try_from(segment.number).unwrap_or_default();
        let entry = stream.and_then(|stream| self.entries.get(&(stream, number)));
        entry.ok_or_else(|| gone(segment))
    }
}

/// The error where the archive at hand lacks a segment that the log has read.
fn gone(segment: &ArchivedSegment) -> BrokerError {
    BrokerError::NotArchived {
        stream: segment.stream.parse().unwrap_or(Stream::Orders),
        from: u64::try_from(segment.first_seq).unwrap_or_default(),
        to: u64::try_from(segment.last_seq).unwrap_or_default(),
    }
}

/// The events among archived messages, as the log has them.
fn logged(stream: Stream, messages: Vec<Message>) -> Result<Vec<LoggedEvent>, Error> {
    let events = messages.into_iter().filter_map(Received::from_archive);
    Ok(events
        .map(|event| LoggedEvent::of(stream, &event))
        .collect::<Result<_, _>>()?)
}

/// The event at a stream sequence; `None` if neither the log nor the archive has it.
pub async fn find(state: &State, stream: Stream, seq: i64) -> Result<Option<LoggedEvent>, Error> {
    let mut connection = state.pool.acquire().await?;
    let found = events::find(&mut connection, stream.name(), seq).await?;
    let start = archived::start(&mut connection, stream).await?;
    drop(connection);
    if found.is_some() || seq >= start {
        return Ok(found);
    }
    let sequence = u64::try_from(seq).unwrap_or_default();
    let Some(archive) = &state.broker.archive else {
        let (from, to) = (1, u64::try_from(start - 1).unwrap_or_default());
        return Err(BrokerError::NotArchived { stream, from, to }.into());
    };
    let message = archive.message(stream, sequence).await?;
    Ok(logged(stream, message.into_iter().collect())?.pop())
}

/// The events that wait behind some others, given by streams, aggregates and stream sequences. The answers have the same
/// order.
pub async fn waiting_behind(
    state: &State,
    (streams, aggregates, sequences): (&[String], &[Uuid], &[i64]),
) -> Result<Vec<WaitingEvents>, Error> {
    let mut connection = state.pool.acquire().await?;
    let all = (streams, aggregates, sequences);
    let mut waiting = events::waiting_behind(&mut connection, all).await?;
    let starts = archived::starts(&mut connection).await?;
    drop(connection);
    let letters = streams.iter().zip(aggregates).zip(sequences);
    for (one, ((stream, aggregate), seq)) in waiting.iter_mut().zip(letters) {
        let mut starts = starts.iter();
        if starts.any(|start| start.stream == *stream && *seq + 1 < start.seq) {
            one.waiting += count_archived(state, stream, *aggregate, *seq).await?;
        }
    }
    Ok(waiting)
}

/// The archived events of an aggregate after a stream sequence.
async fn count_archived(
    state: &State,
    stream: &str,
    aggregate: Uuid,
    after: i64,
) -> Result<i64, Error> {
    let search = Search {
        stream: Some(stream.to_owned()),
        sequences: Some((after + 1, i64::MAX)),
        ..Search::default()
    };
    let Some(candidates) = Candidates::of(state, &search, |_| false).await? else {
        return Ok(0);
    };
    let query = Query {
        aggregate: Some(aggregate),
        ..Query::default()
    };
    let mut count = 0;
    for segment in &candidates.listed {
        let found = candidates.read(segment, &query).await?;
        count += found.iter().filter(|event| event.seq > after).count();
    }
    Ok(i64::try_from(count).unwrap_or(i64::MAX))
}
