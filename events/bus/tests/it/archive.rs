//! Streams whose oldest events move to the archive.

use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;
use tiffin_archive::Archive;
use tiffin_bus::{
    Consumer,
    archiver::{self, Window},
    history::{Command, Operation, OperationState},
    read::{self, Logged},
};
use tiffin_events::{Clock, Stream};
use time::OffsetDateTime;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{
    bench::{Bench, Tally, eventually},
    control::{all, ended, rebuilding, replay, verification},
};

pub const STREAM: Stream = Stream::Drivers;
/// Events of one group, over so many drivers.
pub const EVENTS: i64 = 300;
const DRIVERS: i64 = 10;
/// A window that a message leaves with age, however few leave it.
pub const WINDOW: Window = Window {
    max_age: Duration::from_hours(1),
    max_percent: 100,
    min_segment_bytes: 1,
};

/// A bench with an archive and events in groups.
pub struct Archived {
    pub bench: Bench,
    pub archive: Archive,
    drivers: Vec<Uuid>,
    /// The events of each driver so far.
    sequence: i64,
    /// The times at which groups ended.
    ends: Vec<OffsetDateTime>,
    pub folder: TempDir,
}

impl Archived {
    pub async fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let archive = Archive::folder(folder.path().to_owned());
        let mut bench = Bench::new().await;
        bench.broker = bench.broker.with_archive(Some(archive.clone()));
        let drivers = (0..DRIVERS).map(|_| bench.clock.new_id()).collect();
        Self {
            bench,
            archive,
            drivers,
            sequence: 0,
            ends: Vec::new(),
            folder,
        }
    }

    /// With relay, consumer and control, after some groups of events that are handled.
    pub async fn running(groups: usize) -> Self {
        let mut it = Self::new().await;
        it.bench.relay();
        it.bench.consume(Tally::default());
        it.bench.control();
        for _ in 0..groups {
            it.change_all().await;
        }
        it.handled().await;
        it
    }

    /// Appends a group of events and waits until the relay has published them.
    pub async fn change_all(&mut self) {
        for _ in 0..EVENTS / DRIVERS {
            self.sequence += 1;
            for driver in &self.drivers {
                self.bench.change(*driver, self.sequence).await;
            }
        }
        eventually("all is published", async || self.bench.waiting().await == 0).await;
        self.ends.push(self.bench.clock.now());
    }

    pub async fn handled(&self) {
        let count = self.sequence * DRIVERS;
        eventually("all took effect", async || {
            self.bench.effects().await == count
        })
        .await;
    }

    /// Archives what was published before a group's end.
    pub async fn archive_until(&self, group: usize) -> bool {
        let now = self.ends[group] + WINDOW.max_age;
        let (broker, archive) = (&self.bench.broker, &self.archive);
        let moved = archiver::step(broker, archive, STREAM, WINDOW, now).await;
        moved.unwrap().is_some()
    }

    pub async fn first_in_stream(&self) -> u64 {
        let stream = self.bench.broker.jetstream.get_stream(STREAM.name());
        stream.await.unwrap().cached_info().state.first_sequence
    }

    pub async fn history(&self) -> Vec<Logged> {
        let broker = &self.bench.broker;
        let last = read::last(broker, STREAM).await.unwrap();
        let mut window = read::open(broker, STREAM, None, 1, last).await.unwrap();
        let mut history = Vec::new();
        loop {
            let batch = window.next().await.unwrap();
            if batch.is_empty() {
                return history;
            }
            history.extend(batch);
        }
    }

    pub async fn ask(&self, command: impl FnOnce(Uuid) -> Command) -> Operation {
        let id = self.bench.clock.new_id();
        self.bench.ask(&command(id)).await;
        let operation = ended(&self.bench, id).await;
        let report = &operation.report;
        assert_eq!(operation.state, OperationState::Done, "{report:?}");
        operation
    }
}

pub fn envelopes(history: &[Logged]) -> Vec<(u64, &str, &Value)> {
    let history = history.iter();
    history
        .map(|logged| (logged.seq, logged.subject.as_str(), &logged.envelope))
        .collect()
}

#[tokio::test]
async fn archived_events_are_read_counted_replayed_and_rebuilt_as_if_they_were_in_the_stream() {
    let it = Archived::running(3).await;
    let before = it.history().await;
    assert!(it.archive_until(0).await && it.archive_until(1).await);
    let first = it.first_in_stream().await;
    assert!(first > u64::try_from(EVENTS).unwrap(), "{first}");
    assert_eq!(it.archive.end(STREAM).await.unwrap(), Some(first - 1));

    let after = it.history().await;
    assert_eq!(envelopes(&after), envelopes(&before));
    let (broker, total) = (&it.bench.broker, before.len() as u64);
    let subject = format!("tiffin.driver.{}.>", it.drivers[0]);
    for (filter, from, expected) in [
        (None, 1, total),
        (None, 100, total - 99),
        (Some(subject.as_str()), 1, total / 10),
    ] {
        let counted = read::count(broker, STREAM, filter, from, total).await;
        assert_eq!(counted.unwrap(), expected, "{filter:?} from {from}");
    }
    let one = read::one(broker, STREAM, 7).await.unwrap().unwrap();
    assert_eq!(one.envelope, before[6].envelope);

    let consumer = || "bench_DRIVERS".to_owned();
    let verified = it.ask(|id| verification(id, consumer()));
    assert_eq!(verified.await.report.unwrap()["equal"], true);
    let replayed = it.ask(|id| replay(id, all(), None)).await;
    assert_eq!((replayed.handled, replayed.skipped), (0, 900));
    sqlx::query("truncate standing")
        .execute(it.bench.pool())
        .await
        .unwrap();
    let rebuilt = it.ask(|id| rebuilding(id, consumer()));
    let report = rebuilt.await.report.unwrap();
    assert_eq!(report["tables"][0]["rebuiltRows"], DRIVERS);
    it.bench.end().await;
}

#[tokio::test]
async fn a_reading_misses_nothing_while_the_archiver_removes_what_it_reads() {
    let mut it = Archived::new().await;
    it.bench.relay();
    it.bench.consume(Tally::default());
    for _ in 0..6 {
        it.change_all().await;
    }
    it.handled().await;
    let before = it.history().await;
    let stop = CancellationToken::new();
    let readings = async {
        let mut readings = 0;
        while !stop.is_cancelled() || readings < 3 {
            assert_eq!(envelopes(&it.history().await), envelopes(&before));
            readings += 1;
        }
    };
    let archiving = async {
        for group in 0..6 {
            assert!(it.archive_until(group).await);
        }
        stop.cancel();
    };
    tokio::join!(readings, archiving);
    assert_eq!(it.bench.stored(STREAM).await, 0);
    it.bench.end().await;
}

#[tokio::test]
async fn what_a_consumer_has_not_handled_stays_in_the_stream() {
    let mut it = Archived::new().await;
    it.bench.relay();
    let consumer = it.bench.consume(Tally::default());
    it.change_all().await;
    it.handled().await;
    consumer.cancel();
    it.change_all().await;
    assert!(it.archive_until(1).await);
    let count = u64::try_from(EVENTS).unwrap();
    assert_eq!(it.archive.end(STREAM).await.unwrap(), Some(count));
    assert_eq!(it.bench.stored(STREAM).await, count);
    assert!(!it.archive_until(1).await);

    it.bench.consume(Tally::default());
    it.handled().await;
    eventually("the rest is archived", async || {
        it.archive_until(1).await || it.bench.stored(STREAM).await == 0
    })
    .await;
    it.bench.end().await;
}

#[tokio::test]
async fn a_consumer_that_is_new_handles_the_archive_first() {
    let mut it = Archived::new().await;
    it.bench.relay();
    for _ in 0..2 {
        it.change_all().await;
    }
    assert!(it.archive_until(0).await);
    let pool = it.bench.pool().clone();
    let late = Consumer::new("late", STREAM, pool, Clock::system(), Tally::default());
    it.bench.consume_as(late);
    it.handled().await;
    for driver in &it.drivers {
        let tally = it.bench.tally(*driver).await;
        assert!(tally.iter().copied().eq(1..=it.sequence), "{tally:?}");
    }
    it.bench.end().await;
}

#[tokio::test]
async fn a_lost_broker_goes_on_behind_its_archive() {
    let mut it = Archived::running(2).await;
    let before = it.history().await;
    assert!(it.archive_until(0).await);
    let end = it.archive.end(STREAM).await.unwrap().unwrap();
    let jetstream = &it.bench.broker.jetstream;
    jetstream.delete_stream(STREAM.name()).await.unwrap();

    let id = it.bench.clock.new_id();
    it.bench.ask(&Command::Republish { id }).await;
    it.bench.broker.prepare().await.unwrap();
    let operation = ended(&it.bench, id).await;
    let missing = before.len() as u64 - end;
    assert_eq!(operation.handled, i64::try_from(missing).unwrap());
    assert_eq!(it.first_in_stream().await, end + 1);
    let after = it.history().await;
    assert_eq!(envelopes(&after), envelopes(&before));
    it.change_all().await;
    it.handled().await;
    it.bench.end().await;
}

#[tokio::test]
async fn a_damaged_segment_ends_a_reading_and_nothing_behind_it_is_read() {
    let mut it = Archived::new().await;
    it.bench.relay();
    for _ in 0..2 {
        it.change_all().await;
        let group = it.ends.len() - 1;
        assert!(it.archive_until(group).await);
    }
    let segments = it.archive.segments(STREAM).await.unwrap();
    let file = it.folder.path().join(&segments[1].file);
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[100] ^= 1;
    std::fs::write(&file, bytes).unwrap();

    let broker = &it.bench.broker;
    let last = read::last(broker, STREAM).await.unwrap();
    let mut window = read::open(broker, STREAM, None, 1, last).await.unwrap();
    let mut count = 0;
    let error = loop {
        match window.next().await {
            Ok(batch) => {
                assert!(!batch.is_empty(), "the end was reached");
                count += batch.len() as u64;
            }
            Err(error) => break error.to_string(),
        }
    };
    assert!(count <= segments[0].count, "{count}");
    assert!(error.contains("segment 2 of DRIVERS"), "{error}");
    it.bench.end().await;
}

#[tokio::test]
async fn what_neither_stream_nor_archive_holds_is_not_passed_over() {
    let mut it = Archived::new().await;
    it.bench.relay();
    it.change_all().await;
    assert!(it.archive_until(0).await);
    let empty = TempDir::new().unwrap();
    for archive in [None, Some(Archive::folder(empty.path().to_owned()))] {
        let broker = it.bench.broker.clone().with_archive(archive);
        let last = read::last(&broker, STREAM).await.unwrap();
        let error = read::open(&broker, STREAM, None, 1, last).await;
        let error = error.unwrap_err().to_string();
        assert!(error.contains("DRIVERS gave up 1 to 300"), "{error}");
        assert!(read::count(&broker, STREAM, None, 1, last).await.is_err());
        // What the stream holds is read as ever.
        it.change_all().await;
        let from = it.first_in_stream().await;
        let counted = read::count(&broker, STREAM, None, from, u64::MAX - 1).await;
        assert!(counted.unwrap() >= u64::try_from(EVENTS).unwrap());
    }
    it.bench.end().await;
}
