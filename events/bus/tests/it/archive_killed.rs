//! Archiving in a process that is killed (SIGKILL) at each of its steps: manifest, segments, stream and outbox agree.

use tiffin_archive::Archive;
use tiffin_bus::{Trimmer, archiver};
use tiffin_events::Clock;
use tokio_util::sync::CancellationToken;

use crate::{
    archive::{Archived, EVENTS, STREAM, WINDOW},
    bench::{connect, process},
};

/// The messages of a segment.
const SIZE: u64 = 5;
/// The places where the process is killed; the last kill of a round comes at a random moment.
const PLACES: [Option<&str>; 4] = [
    Some("archiver.before_append"),
    Some("archiver.before_purge"),
    Some("bench.before_trim"),
    None,
];

/// Not a test by itself: the process that the next one starts and kills.
#[tokio::test]
#[ignore = "started and killed by another test"]
async fn the_process_that_is_killed() {
    let (pool, broker) = connect().await;
    let archive = Archive::folder(std::env::var("TIFFIN_ARCHIVE").unwrap().into());
    let broker = broker.with_archive(Some(archive.clone()));
    let trimmer = Trimmer::new(pool, broker.clone(), "bench");
    let stream = broker.jetstream.get_stream(STREAM.name()).await.unwrap();
    let stop = CancellationToken::new();
    loop {
        let end = archive.end(STREAM).await.unwrap().unwrap_or(0);
        // The moment at which the next messages have left the window.
        let Ok(last) = stream.get_raw_message(end + SIZE).await else {
            return std::future::pending().await;
        };
        let now = last.time + WINDOW.max_age;
        let moved = archiver::step(&broker, &archive, STREAM, WINDOW, now);
        moved.await.unwrap();
        trimmer.step(Clock::system().now(), &stop).await.unwrap();
    }
}

/// Starts the process and kills it at a place, or at a random moment.
async fn kill_at(it: &Archived, place: Option<&str>) {
    let mut process = process(&it.bench, "archive_killed::the_process_that_is_killed");
    process.env("TIFFIN_ARCHIVE", it.folder.path());
    tiffin_testkit::kill_at(&mut process, place, 200..1_200).await;
}

/// The numbers of the archived and the published events and of the outbox's rows; there are `1..=all`.
async fn assert_agree(it: &Archived, all: u64) {
    let end = it.archive.end(STREAM).await.unwrap().unwrap_or(0);
    assert!(it.first_in_stream().await <= end + 1);
    let outbox = sqlx::query_scalar::<_, i64>(
        "select stream_sequence from bus.outbox where starts_with(subject, 'tiffin.driver.') order by id",
    );
    let outbox: Vec<i64> = outbox.fetch_all(it.bench.pool()).await.unwrap();
    let rest = all + 1 - u64::try_from(outbox.len()).unwrap();
    assert!(
        rest <= end + 1,
        "the outbox gave up {rest}, {end} is archived"
    );
    let expected: Vec<i64> = (rest..=all).map(|it| i64::try_from(it).unwrap()).collect();
    assert_eq!(outbox, expected);
    let sequences: Vec<u64> = it.history().await.iter().map(|event| event.seq).collect();
    assert_eq!(sequences, (1..=all).collect::<Vec<_>>());
}

#[tokio::test]
async fn killed_at_each_step_archiving_loses_nothing_and_doubles_nothing() {
    let rounds = std::env::var("TIFFIN_KILLS").map_or(3, |kills| kills.parse().unwrap());
    let mut it = Archived::new().await;
    it.bench.relay();
    let mut all = 0;
    let mut moved = 0;
    for _ in 0..rounds {
        it.change_all().await;
        all += u64::try_from(EVENTS).unwrap();
        for place in PLACES {
            let before = it.archive.end(STREAM).await.unwrap();
            kill_at(&it, place).await;
            assert_agree(&it, all).await;
            moved += u32::from(it.archive.end(STREAM).await.unwrap() > before);
        }
    }
    assert!(moved > 0);
    let stop = CancellationToken::new();
    let verified = it.archive.verify(STREAM, |_| {}, &stop).await.unwrap();
    assert!(verified.findings.is_empty(), "{verified:?}");
    println!("{moved} of {} kills left another segment", 4 * rounds);
    it.bench.end().await;
}
