//! Rebuilds and checks of the event log against the streams, part by part. Each part is replaced in one
//! transaction, so that a search meanwhile misses nothing.

use std::time::{Duration, Instant};

use serde_json::json;
use tiffin_bus::{
    Received,
    history::OperationState,
    read::{self, Logged},
};
use tiffin_events::Stream;
use tokio_util::sync::CancellationToken;

use crate::{
    Error, NAME, State, consume, local_operations, log,
    operation::Operation,
    services,
    store::events::{self, Fingerprint},
};

/// The name of the log among read models.
pub const LOG: &str = "event-log";
/// The interval between saves of the progress.
const SAVE_INTERVAL: Duration = Duration::from_millis(500);

/// A stream from the first event that the log answers for up to the last one that the log's consumer has acknowledged.
/// Earlier events are in the archive alone, later ones are the consumer's.
#[derive(Debug)]
struct StreamPart {
    stream: Stream,
    first: u64,
    last: u64,
}

/// The number of events that a rebuild reads.
pub async fn count(state: &State) -> Result<u64, Error> {
    Ok(parts(state).await?.1)
}

/// The streams to read, and their number of events.
async fn parts(state: &State) -> Result<(Vec<StreamPart>, u64), Error> {
    let (mut parts, mut total) = (Vec::new(), 0);
    for stream in Stream::ALL.into_iter().filter(|one| one.is_history()) {
        let last = services::acknowledged(&state.broker, NAME, stream).await?;
        let last = last.unwrap_or_default();
        let first = log::start_of(state, stream).await?;
        if last >= first {
            total += read::count(&state.broker, stream, None, first, last).await?;
        }
        parts.push(StreamPart {
            stream,
            first,
            last,
        });
    }
    Ok((parts, total))
}

/// Starts a rebuild in this process. With `is_check` the differences are only reported, not repaired.
pub fn start(state: &State, operation: Operation, is_check: bool) {
    let stop = local_operations::begin(state, operation.id);
    let own = state.clone();
    state.tasks.spawn(async move {
        let mut rebuild = LogRebuild {
            state: &own,
            operation: operation.clone(),
            is_check,
            saved_at: Instant::now(),
            total: operation.total,
            done: 0,
            before: Fingerprint::default(),
            after: Fingerprint::default(),
        };
        let ended = rebuild.run(&stop).await;
        let (total, done, report) = (rebuild.total, rebuild.done, rebuild.report());
        local_operations::end(&own, operation, |it| {
            (it.total, it.handled) = (total, done);
            (it.state, it.report) = match ended {
                Ok(true) => (OperationState::Done, Some(report)),
                Ok(false) => (OperationState::Cancelled, None),
                Err(error) => (
                    OperationState::Failed,
                    Some(json!({ "error": error.to_string() })),
                ),
            };
        })
        .await;
    });
}

struct LogRebuild<'a> {
    state: &'a State,
    operation: Operation,
    is_check: bool,
    saved_at: Instant,
    total: i64,
    done: i64,
    /// The content of the log before the rebuild, and after it.
    before: Fingerprint,
    after: Fingerprint,
}

impl LogRebuild<'_> {
    /// Replaces the log. False if it was stopped.
    async fn run(&mut self, stop: &CancellationToken) -> Result<bool, Error> {
        // A log that was lost does not come back larger than it was.
        log::adopt_lost(self.state).await?;
        // Events came since the call was answered.
        let (parts, total) = parts(self.state).await?;
        self.total = i64::try_from(total).unwrap_or(i64::MAX);
        self.replace_all(&parts, stop).await
    }

    /// Replaces all parts. False if it was stopped.
    async fn replace_all(
        &mut self,
        parts: &[StreamPart],
        stop: &CancellationToken,
    ) -> Result<bool, Error> {
        for StreamPart {
            stream,
            first,
            last,
        } in parts
        {
            let mut window = read::open(&self.state.broker, *stream, None, *first, *last).await?;
            let mut from = *first;
            while from <= *last {
                let batch = window.next().await?;
                // The log may have rows behind the last event that the stream no longer has.
                let to = batch.last().map_or(*last, |logged| logged.seq);
                self.replace(*stream, (from, to), &batch).await?;
                from = to + 1;
                self.done += i64::try_from(batch.len()).unwrap_or(i64::MAX);
                if stop.is_cancelled() || !self.save_progress().await? {
                    return Ok(false);
                }
            }
            self.remove_beyond_end(*stream).await?;
        }
        Ok(true)
    }

    /// Removes the rows of the log beyond the end of the stream.
    async fn remove_beyond_end(&mut self, stream: Stream) -> Result<(), Error> {
        let mut connection = self.state.pool.acquire().await?;
        // The log is read before the stream, which only grows: a new event must not look missing.
        let logged = events::last_sequence(&mut connection, stream).await?;
        drop(connection);
        let last = read::last(&self.state.broker, stream).await?;
        let logged = u64::try_from(logged).unwrap_or_default();
        if logged > last {
            self.replace(stream, (last + 1, logged), &[]).await?;
        }
        Ok(())
    }

    /// Replaces one part of the log.
    async fn replace(
        &mut self,
        stream: Stream,
        (from, to): (u64, u64),
        batch: &[Logged],
    ) -> Result<(), Error> {
        let signed = |sequence: u64| i64::try_from(sequence).unwrap_or(i64::MAX);
        let range = (signed(from), signed(to));
        let read: Vec<Received> = batch.iter().filter_map(received).collect();
        let mut tx = tiffin_database::begin(&self.state.pool).await?;
        self.before += events::fingerprint(&mut tx, stream, range).await?;
        events::delete_range(&mut tx, stream, range).await?;
        consume::copy(&mut tx, stream, &read).await?;
        self.after += events::fingerprint(&mut tx, stream, range).await?;
        if self.is_check {
            tx.rollback().await?;
        } else {
            tx.commit().await?;
        }
        Ok(())
    }

    /// Saves the progress from time to time. False if an operator has ended it.
    async fn save_progress(&mut self) -> Result<bool, Error> {
        if self.saved_at.elapsed() < SAVE_INTERVAL {
            return Ok(true);
        }
        self.saved_at = Instant::now();
        let (total, done) = (self.total, self.done);
        let saved = local_operations::save_progress(self.state, self.operation.clone(), |it| {
            (it.total, it.handled) = (total, done);
        });
        Ok(saved.await?.is_under_way())
    }

    fn report(&self) -> serde_json::Value {
        let equal = self.before == self.after;
        json!({ "equal": equal, "tables": [{
            "table": "events", "equal": equal,
            "servingRows": self.before.rows, "servingHash": self.before.hexadecimal(),
            "rebuiltRows": self.after.rows, "rebuiltHash": self.after.hexadecimal(),
        }] })
    }
}

/// An event as the log's consumers get it; `None` for a message that they skip, too.
fn received(logged: &Logged) -> Option<Received> {
    let envelope = serde_json::from_value(logged.envelope.clone()).ok()?;
    let mut event = Received::new(&envelope, logged.seq).ok()?;
    event.stored_at = logged.stored_at.unwrap_or(event.stored_at);
    Some(event)
}
