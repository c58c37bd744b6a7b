//! Reading each new segment once for the log: it must hold what the log has, and a search must know what is in it.

use tiffin_archive::{Archive, Filter, Segment};
use tiffin_bus::Received;
use tiffin_events::Stream;

use crate::{
    Error, State, archive,
    store::{
        archived::{self, ArchivedSegment},
        events::{self, LoggedEvent},
    },
};

/// The event that gives an order its code.
const PLACED: &str = "tiffin.order.placed.v1";

/// Reads the segments that are new, right before events leave the log.
pub async fn record_archived(state: &State) -> Result<(), Error> {
    let Some(archive) = &state.broker.archive else {
        return Ok(());
    };
    for stream in archive::streams() {
        record_stream(state, archive, stream).await?;
    }
    Ok(())
}

/// Has the archive answer for the events of a log that was lost: where the log has none of those that the archive holds,
/// it does not get them again. This reads the archive, which takes minutes where it is large.
pub async fn adopt_lost(state: &State) -> Result<(), Error> {
    let Some(archive) = &state.broker.archive else {
        return Ok(());
    };
    for stream in archive::streams() {
        if lost_to(state, archive, stream).await?.is_some() {
            record_stream(state, archive, stream).await?;
            let mut connection = state.pool.acquire().await?;
            archived::move_start_to_recorded(&mut connection, stream).await?;
        }
    }
    Ok(())
}

/// The first stream sequence that the log answers for, once the archive answers for what was lost.
pub async fn start_of(state: &State, stream: Stream) -> Result<u64, Error> {
    if let Some(archive) = &state.broker.archive
        && let Some(end) = lost_to(state, archive, stream).await?
    {
        return Ok(end + 1);
    }
    let mut connection = state.pool.acquire().await?;
    let start = archived::start(&mut connection, stream).await?;
    Ok(u64::try_from(start).unwrap_or(1).max(1))
}

/// The end of a stream's archive, where the log should have an event before it and has none.
async fn lost_to(state: &State, archive: &Archive, stream: Stream) -> Result<Option<u64>, Error> {
    let Some(end) = archive.end(stream).await? else {
        return Ok(None);
    };
    let mut connection = state.pool.acquire().await?;
    let is_behind = archived::start(&mut connection, stream).await? <= signed(end);
    let is_lost = is_behind && !events::has_any_to(&mut connection, stream, signed(end)).await?;
    Ok(is_lost.then_some(end))
}

async fn record_stream(state: &State, archive: &Archive, stream: Stream) -> Result<(), Error> {
    let mut connection = state.pool.acquire().await?;
    let known = archived::last(&mut connection, stream).await?;
    drop(connection);
    let known = known.map_or(0, |(number, _)| number);
    let segments = archive.segments(stream).await?;
    let new = segments.into_iter().filter(|it| signed(it.number) > known);
    for segment in new {
        if state.stop.is_cancelled() || !record(state, archive, &segment).await? {
            break;
        }
    }
    Ok(())
}

/// Reads a segment. False if the log has an event that it lacks.
async fn record(state: &State, archive: &Archive, segment: &Segment) -> Result<bool, Error> {
    let stream = segment.stream;
    let range = (signed(segment.first), signed(segment.last));
    let mut entry = ArchivedSegment {
        stream: stream.name().to_owned(),
        number: signed(segment.number),
        first_seq: range.0,
        last_seq: range.1,
        first_id: None,
        last_id: None,
        first_time: None,
        last_time: None,
    };
    let mut reader = archive.read(stream, segment.range(), Filter::all()).await?;
    let (mut sequences, mut ids) = (Vec::new(), Vec::new());
    let (mut codes, mut orders) = (Vec::new(), Vec::new());
    loop {
        let messages = reader.next().await?;
        if messages.is_empty() {
            break;
        }
        for event in messages.into_iter().filter_map(Received::from_archive) {
            let event = LoggedEvent::of(stream, &event)?;
            entry.add(&event);
            sequences.push(event.seq);
            ids.push(event.id);
            if event.kind() == PLACED
                && let Some(code) = event.envelope["data"]["orderCode"].as_str()
            {
                codes.push(code.to_owned());
                orders.push(event.aggregate());
            }
        }
    }
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let others = archived::count_others(&mut tx, stream, range, (&sequences, &ids)).await?;
    if others > 0 {
        tracing::warn!(
            %stream,
            segment = segment.number,
            events = others,
            "the event log has events that the archive lacks; they stay until a rebuild of the log"
        );
        return Ok(false);
    }
    archived::insert(&mut tx, &entry).await?;
    archived::insert_orders(&mut tx, (&codes, &orders)).await?;
    tx.commit().await?;
    Ok(true)
}

impl ArchivedSegment {
    /// Widens the ids and times to an event.
    fn add(&mut self, event: &LoggedEvent) {
        let (id, time) = (Some(event.id), event.time());
        self.last_id = self.last_id.max(id);
        self.last_time = self.last_time.max(time);
        self.first_id = self.first_id.into_iter().chain(id).min();
        self.first_time = self.first_time.into_iter().chain(time).min();
    }
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
