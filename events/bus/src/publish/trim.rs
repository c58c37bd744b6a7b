//! Trimming the outbox: a published row goes once the archive has its event. The archive itself is read for each
//! row: its manifest, and the segment with the row's stream sequence, which must hold the event with the row's id.

mod archived;
mod entries;
mod rows;

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use metrics::counter;
use sqlx::PgPool;
use tiffin_archive::{Archive, ArchiveError};
use tiffin_events::{Stream, subject};
use time::OffsetDateTime;
use tokio_util::sync::CancellationToken;
use tracing::info;

use self::{
    entries::Entries,
    rows::{PublishedRow, RowKey},
};
use crate::{Broker, fault, publish::heads};

/// Rows that are compared with the archive at once; about a row group of a segment.
const CHUNK: u16 = 4_000;
/// Rows that one statement deletes.
const BATCH: usize = 500;
/// The pause after each statement, so that the relay and requests come first.
const PAUSE: Duration = Duration::from_millis(100);

/// The reason why a pass ended early. What it has deleted by then, the archive has; the next pass goes on.
#[derive(Debug, thiserror::Error)]
pub enum TrimError {
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    #[error("the archive can't be read: {0}")]
    Archive(#[from] ArchiveError),
    #[error(
        "the archive has another event at {sequence} of {stream} than the outbox published there, {event_id}: \
         TIFFIN_ARCHIVE must name the archive of this platform"
    )]
    Foreign {
        stream: Stream,
        sequence: u64,
        event_id: uuid::Uuid,
    },
}

/// Deletes rows of a database's outbox that the archive makes needless. Any number of processes may do so at once.
#[derive(Clone, Debug)]
pub struct Trimmer {
    pool: PgPool,
    broker: Broker,
    service: &'static str,
    /// The ends of the archive up to which this process has trimmed.
    done: Arc<Mutex<Ends>>,
}

/// The last archived stream sequence of each stream.
type Ends = BTreeMap<Stream, u64>;

impl Trimmer {
    pub fn new(pool: PgPool, broker: Broker, service: &'static str) -> Self {
        Self {
            pool,
            broker,
            service,
            done: Arc::default(),
        }
    }

    /// Goes through the outbox once from its first row, if the archive has grown since the last time, until `stop`.
    /// Returns the number of deleted rows. Rows of streams that are not archived stay, and so does everything while
    /// there is no archive, or while nothing is published to the stream until an operator decides.
    pub async fn step(
        &self,
        now: OffsetDateTime,
        stop: &CancellationToken,
    ) -> Result<u64, TrimError> {
        let Some(archive) = &self.broker.archive else {
            return Ok(0);
        };
        let ends = self.ends(archive).await?;
        if ends.is_empty() || *self.done.lock().unwrap_or_else(PoisonError::into_inner) == ends {
            return Ok(0);
        }
        let mut pass = Pass {
            trimmer: self,
            archive,
            ends: &ends,
            entries: Entries::new(now),
            deleted: 0,
        };
        let is_whole = pass.run(stop).await?;
        if pass.deleted > 0 {
            let (service, rows) = (self.service, pass.deleted);
            info!(
                service,
                rows, "archived events and old entries left the outbox"
            );
        }
        let deleted = pass.deleted;
        if is_whole {
            *self.done.lock().unwrap_or_else(PoisonError::into_inner) = ends;
        }
        Ok(deleted)
    }

    /// The archive's ends of the streams that this database publishes to.
    async fn ends(&self, archive: &Archive) -> Result<Ends, TrimError> {
        let heads = heads::all(&self.pool).await?;
        let mut ends = Ends::new();
        for (stream, head) in heads {
            if stream.is_archived()
                && !head.is_stopped
                && let Some(end) = archive.end(stream).await?
            {
                ends.insert(stream, end);
            }
        }
        Ok(ends)
    }
}

/// One way through the outbox.
struct Pass<'a> {
    trimmer: &'a Trimmer,
    archive: &'a Archive,
    ends: &'a Ends,
    entries: Entries,
    deleted: u64,
}

impl Pass<'_> {
    /// Deletes what may go, up to the rows that are later than the archive. Returns true if nothing was left out.
    async fn run(&mut self, stop: &CancellationToken) -> Result<bool, TrimError> {
        let mut after = 0;
        loop {
            let rows = rows::published_after(&self.trimmer.pool, after, CHUNK).await?;
            let Some(last) = rows.last() else {
                return Ok(true);
            };
            after = last.id;
            let (archived, is_beyond) = self.archived(&rows);
            if archived.is_empty() && is_beyond {
                return Ok(true);
            }
            for (stream, wanted) in archived {
                let held = archived::held(self.archive, stream, &wanted).await?;
                fault::point(self.trimmer.service, "before_trim").await;
                if !self.delete(&held, Some(stream), stop).await? {
                    return Ok(false);
                }
            }
            let needless = self.entries.needless(&rows);
            if !self.delete(&needless, None, stop).await? {
                return Ok(false);
            }
        }
    }

    /// The rows whose stream sequences the archive has reached, by stream; and true if it has not reached all rows of
    /// archived streams. Ids are in about the order of stream sequences.
    fn archived<'r>(&self, rows: &'r [PublishedRow]) -> (Archived<'r>, bool) {
        let (mut archived, mut is_beyond) = (Archived::new(), false);
        for row in rows {
            if subject::is_audience(&row.subject) {
                continue;
            }
            let stream = heads::stream_of(&row.subject);
            let end = stream.and_then(|stream| Some((stream, *self.ends.get(&stream)?)));
            let Some((stream, end)) = end else { continue };
            match row.stream_sequence {
                Some(sequence) if sequence <= end => {
                    archived.entry(stream).or_default().insert(sequence, row);
                }
                _ => is_beyond = true,
            }
        }
        (archived, is_beyond)
    }

    /// Deletes rows, some at a time. Returns false if it stopped early: at `stop`, or at rows that another process
    /// holds, has deleted or has marked again since they were read.
    async fn delete(
        &mut self,
        keys: &[RowKey],
        stream: Option<Stream>,
        stop: &CancellationToken,
    ) -> Result<bool, TrimError> {
        for batch in keys.chunks(BATCH) {
            let deleted = rows::delete(&self.trimmer.pool, batch, stream).await?;
            self.deleted += deleted;
            counter!("tiffin_outbox_trimmed_total", "service" => self.trimmer.service)
                .increment(deleted);
            if deleted < batch.len() as u64 {
                return Ok(false);
            }
            tokio::select! {
                () = stop.cancelled() => return Ok(false),
                () = tokio::time::sleep(PAUSE) => {}
            }
        }
        Ok(true)
    }
}

/// Rows by stream and stream sequence.
type Archived<'r> = BTreeMap<Stream, HashMap<u64, &'r PublishedRow>>;
