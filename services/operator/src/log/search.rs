//! A search over the log and the archive, newest first by id.

use std::pin::pin;

use futures_util::StreamExt;
use tiffin_archive::Query;
use time::Duration;
use uuid::Uuid;

use super::segments::Candidates;
use crate::{
    Error, State, mask, sealed,
    store::{
        archived::{self, ArchivedSegment},
        events::{self, LoggedEvent, Search},
    },
};

/// The segments after which a page ends, whatever it has found: each takes up to a second or two where words are
/// compared. The next page goes on.
const MAX_READ: usize = 4;
/// The payloads that PostgreSQL compares with a text at once.
const MAX_COMPARED: i64 = 1_000;
/// The events of the log after which a page ends, whatever it has found, where each is opened to be searched.
const MAX_OPENED: usize = 10_000;

/// A page of a search.
#[derive(Debug)]
pub struct Found {
    pub events: Vec<LoggedEvent>,
    /// The id below which the search goes on; `None` if it is at its end.
    pub next: Option<Uuid>,
    /// The number of segments that are left to search, where the page ended because it read many.
    pub segments_left: usize,
}

/// Events that match, newest first. It ends at the limit, or once it has read so many segments that a caller should
/// know of it. Its caller stops it by dropping it.
pub async fn search(state: &State, search: &Search) -> Result<Found, Error> {
    let limit = usize::try_from(search.limit).unwrap_or_default();
    let mut page = Page {
        events: Vec::new(),
        size: limit + 1,
    };
    // The log first: what leaves it meanwhile is in the archive, and found twice.
    let mut ended = match &search.text {
        Some(text) if search.is_revealed => open_log(state, search, text, &mut page).await?,
        _ => {
            let more = Search {
                limit: search.limit.saturating_add(1),
                ..search.clone()
            };
            let mut connection = state.pool.acquire().await?;
            page.add(events::search(&mut connection, &more).await?);
            None
        }
    };
    let is_done = |segment: &ArchivedSegment| page.is_before(segment);
    if ended.is_none()
        && let Some(candidates) = Candidates::of(state, search, is_done).await?
    {
        ended = read_archive(state, search, &candidates, &mut page).await?;
    }
    let mut found = Found {
        events: page.events,
        next: None,
        segments_left: 0,
    };
    if let Some(End { below, left }) = ended {
        found.events.retain(|event| event.id > below);
        found.segments_left = left;
        found.next = Some(after(below));
    }
    if found.events.len() > limit {
        found.events.truncate(limit);
        found.next = found.events.last().map(|last| last.id);
    }
    Ok(found)
}

/// Adds what the log has with a text in any field, personal ones among them: its events are opened one after the other,
/// newest first.
async fn open_log(
    state: &State,
    search: &Search,
    text: &str,
    page: &mut Page,
) -> Result<Option<End>, Error> {
    let mut all = Search {
        text: None,
        limit: MAX_COMPARED,
        ..search.clone()
    };
    let mut opened = 0;
    loop {
        let mut connection = state.pool.acquire().await?;
        let part = events::search(&mut connection, &all).await?;
        drop(connection);
        let Some(last) = part.last().map(|event| event.id) else {
            return Ok(None);
        };
        opened += part.len();
        page.add(with_words(state, part, text, true).await?);
        if page.events.len() == page.size {
            return Ok(None);
        }
        if opened >= MAX_OPENED {
            let below = Uuid::from_u128(last.as_u128().saturating_sub(1));
            return Ok(Some(End { below, left: 0 }));
        }
        all.before = Some(last);
    }
}

/// The place where a page ended early: all events above an id are found, and so many segments are left.
struct End {
    below: Uuid,
    left: usize,
}

/// Adds what the archive has, until nothing older can be on the page.
async fn read_archive(
    state: &State,
    search: &Search,
    candidates: &Candidates<'_>,
    page: &mut Page,
) -> Result<Option<End>, Error> {
    let query = query_of(search);
    let (mut read, mut through) = (0, 0);
    let mut segments = pin!(candidates.matching(vec![query.clone()]));
    while let Some(next) = segments.next().await {
        let (segment, may_match) = next?;
        if page.is_before(&segment) {
            return Ok(None);
        }
        if read >= MAX_READ
            && let Some(below) = segment
                .last_id
                .filter(|last| is_below(*last, search.before))
        {
            let left = candidates.listed.len() - through;
            return Ok(Some(End { below, left }));
        }
        through += 1;
        if !may_match {
            continue;
        }
        read += 1;
        let mut found = candidates.read(&segment, &query).await?;
        found.retain(|event| is_wanted(search, event));
        if let Some(text) = &search.text {
            found = with_words(state, found, text, search.is_revealed).await?;
        }
        page.add(found);
    }
    Ok(None)
}

/// The part of a search that an index of the archive answers.
fn query_of(search: &Search) -> Query {
    let is_timed = search.from.is_some() || search.to.is_some();
    let from = search.from.unwrap_or(time::OffsetDateTime::UNIX_EPOCH);
    let to = search
        .to
        .unwrap_or(time::PrimitiveDateTime::MAX.assume_utc());
    // The window of a search has its end in it.
    let end = to.checked_add(Duration::MICROSECOND).unwrap_or(to);
    Query {
        aggregate: search.aggregate,
        correlation: search.correlation,
        kind: search.kind.clone(),
        actor: search.actor.clone(),
        times: is_timed.then_some(from..end),
        ..Query::default()
    }
}

fn is_wanted(search: &Search, event: &LoggedEvent) -> bool {
    let in_range = |(from, to): (i64, i64)| (from..=to).contains(&event.seq);
    search.before.is_none_or(|before| event.id < before) && search.sequences.is_none_or(in_range)
}

/// Those that have the words of a search, in fields that are shown. PostgreSQL compares, as for the log.
async fn with_words(
    state: &State,
    events: Vec<LoggedEvent>,
    text: &str,
    is_revealed: bool,
) -> Result<Vec<LoggedEvent>, Error> {
    let mut found = Vec::new();
    let mut events = events.into_iter().peekable();
    while events.peek().is_some() {
        let size = usize::try_from(MAX_COMPARED).unwrap_or_default();
        let mut part: Vec<LoggedEvent> = events.by_ref().take(size).collect();
        if is_revealed {
            let keys = &state.broker.keys;
            sealed::prefetch(keys, part.iter().map(|event| &event.envelope)).await?;
            for event in &mut part {
                sealed::reveal(keys, &mut event.envelope).await?;
            }
        }
        let payloads = part.iter().map(|event| {
            if is_revealed {
                event.envelope["data"].clone()
            } else {
                mask::shown_payload(&event.envelope)
            }
        });
        let payloads: Vec<_> = payloads.collect();
        let mut connection = state.pool.acquire().await?;
        let places = archived::with_words(&mut connection, &payloads, text).await?;
        let numbered = (1..).zip(part);
        found.extend(
            numbered
                .filter(|(place, _)| places.contains(place))
                .map(|(_, event)| event),
        );
    }
    Ok(found)
}

/// The id that follows.
fn after(id: Uuid) -> Uuid {
    Uuid::from_u128(id.as_u128().saturating_add(1))
}

/// True if a page that ends above an id is further than the page before it.
fn is_below(id: Uuid, before: Option<Uuid>) -> bool {
    before.is_none_or(|before| after(id) < before)
}

/// The newest events that were found.
struct Page {
    events: Vec<LoggedEvent>,
    size: usize,
}

impl Page {
    fn add(&mut self, found: Vec<LoggedEvent>) {
        self.events.extend(found);
        let key =
            |event: &LoggedEvent| (std::cmp::Reverse(event.id), event.stream.clone(), event.seq);
        self.events.sort_by_cached_key(key);
        self.events
            .dedup_by(|one, other| one.stream == other.stream && one.seq == other.seq);
        self.events.truncate(self.size);
    }

    /// True if it is full, and all of it is newer than a segment.
    fn is_before(&self, segment: &ArchivedSegment) -> bool {
        let last = self.events.get(self.size - 1);
        last.is_some_and(|last| segment.last_id.is_none_or(|newest| newest < last.id))
    }
}
