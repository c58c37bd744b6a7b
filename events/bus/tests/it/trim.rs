//! An outbox whose rows go once the archive has their events.

use std::{path::Path, process::Child};

use tempfile::TempDir;
use tiffin_archive::{Archive, Message};
use tiffin_bus::{Broker, Cause, Outgoing, TrimError, Trimmer, outbox};
use tiffin_events::{
    Clock, Role, UserId,
    audience::{Audience, KEPT_AFTER},
    user::{UserEvent, UserRefV1},
};
use tiffin_testkit::recorder;
use time::{Duration, OffsetDateTime};
use tokio_util::sync::CancellationToken;

use crate::{
    archive::{Archived, EVENTS, STREAM},
    bench::{Bench, connect, eventually, process},
};

/// One pass of a process that has just started.
pub async fn trim_at(
    bench: &Bench,
    broker: &Broker,
    now: OffsetDateTime,
) -> Result<u64, TrimError> {
    let trimmer = Trimmer::new(bench.pool().clone(), broker.clone(), "bench");
    trimmer.step(now, &CancellationToken::new()).await
}

/// The same now, with the bench's archive.
pub async fn trim(bench: &Bench) -> i64 {
    let trimmed = trim_at(bench, &bench.broker, bench.clock.now()).await;
    i64::try_from(trimmed.unwrap()).unwrap()
}

/// The stream sequences of rows in the outbox, by subject.
async fn sequences(bench: &Bench, subject: &str) -> Vec<Option<i64>> {
    sqlx::query_scalar(
        "select stream_sequence from bus.outbox where starts_with(subject, $1) order by id",
    )
    .bind(subject)
    .fetch_all(bench.pool())
    .await
    .unwrap()
}

async fn drivers(bench: &Bench) -> Vec<i64> {
    let rows = sequences(bench, "tiffin.driver.").await;
    rows.into_iter().flatten().collect()
}

async fn append(bench: &Bench, rows: &[Outgoing]) {
    let mut tx = tiffin_database::begin(bench.pool()).await.unwrap();
    outbox::append(&mut tx, rows).await.unwrap();
    tx.commit().await.unwrap();
}

async fn run(bench: &Bench, sql: &'static str) {
    sqlx::raw_sql(sql).execute(bench.pool()).await.unwrap();
}

/// A bench with two published groups, the first of which is archived.
async fn half_archived() -> Archived {
    let mut it = Archived::new().await;
    it.bench.relay();
    for _ in 0..2 {
        it.change_all().await;
    }
    assert!(it.archive_until(0).await);
    assert_eq!(it.archive.end(STREAM).await.unwrap(), Some(300));
    it
}

#[tokio::test]
async fn rows_at_or_below_the_archives_end_go_and_later_ones_stay() {
    let it = half_archived().await;
    assert_eq!(trim(&it.bench).await, EVENTS);
    let rest: Vec<i64> = (EVENTS + 1..=2 * EVENTS).collect();
    assert_eq!(drivers(&it.bench).await, rest);
    assert_eq!(trim(&it.bench).await, 0);
    assert!(it.archive_until(1).await);
    assert_eq!(trim(&it.bench).await, EVENTS);
    assert!(drivers(&it.bench).await.is_empty());
    it.bench.end().await;
}

#[tokio::test]
async fn a_process_looks_at_its_outbox_again_only_when_the_archive_has_grown() {
    let mut it = half_archived().await;
    let stop = CancellationToken::new();
    let trimmer = Trimmer::new(it.bench.pool().clone(), it.bench.broker.clone(), "bench");
    let now = it.bench.clock.now();
    let all = u64::try_from(EVENTS).unwrap();
    assert_eq!(trimmer.step(now, &stop).await.unwrap(), all);
    it.change_all().await;
    assert!(it.archive_until(2).await);
    assert_eq!(trimmer.step(now, &stop).await.unwrap(), 2 * all);
    assert_eq!(trimmer.step(now, &stop).await.unwrap(), 0);
    it.bench.end().await;
}

#[tokio::test]
async fn rows_that_are_unpublished_or_of_a_stream_that_is_not_archived_stay() {
    let mut it = Archived::new().await;
    let relay = it.bench.relay();
    let account = it.bench.clock.new_id();
    let deleted = UserEvent::Deleted(UserRefV1 {
        user_id: UserId(account),
        role: Role::Customer,
    });
    let cause = Cause::service("bench");
    let event = Outgoing::event(&recorder(&it.bench.clock), &cause, account, 1, &deleted).await;
    append(&it.bench, &[event.unwrap()]).await;
    it.change_all().await;
    assert!(it.archive_until(0).await);
    relay.cancel();
    run(
        &it.bench,
        "update bus.outbox set published_at = null
             where subject like 'tiffin.driver.%' and stream_sequence = 5;
         update bus.outbox set stream_sequence = null
             where subject like 'tiffin.driver.%' and stream_sequence = 6;",
    )
    .await;
    assert_eq!(trim(&it.bench).await, EVENTS - 2);
    assert_eq!(
        sequences(&it.bench, "tiffin.driver.").await,
        [Some(5), None]
    );
    assert_eq!(sequences(&it.bench, "tiffin.user.").await, [Some(1)]);

    // A relay marks it, and the next process finds it.
    run(
        &it.bench,
        "update bus.outbox set published_at = now() where published_at is null",
    )
    .await;
    assert_eq!(trim(&it.bench).await, 1);
    it.bench.end().await;
}

#[tokio::test]
async fn an_entry_stays_while_a_lost_bucket_would_get_it_back() {
    let mut it = Archived::new().await;
    it.bench.relay();
    let (over, active) = (it.bench.clock.new_id(), it.bench.clock.new_id());
    let entry = |id: uuid::Uuid, version, active| {
        let users = vec![UserId(id)];
        let audience = Audience {
            users,
            driver: None,
            active,
            version,
        };
        Outgoing::audience(&it.bench.clock, &format!("order.{id}"), id, &audience).unwrap()
    };
    let rows = [
        entry(over, 1, true),
        entry(active, 1, true),
        entry(over, 2, true),
        entry(over, 3, false),
        entry(active, 2, true),
    ];
    append(&it.bench, &rows).await;
    it.change_all().await;
    assert!(it.archive_until(0).await);
    let count = async |id: uuid::Uuid| {
        let subject = format!("$KV.audience.order.{id}");
        sequences(&it.bench, &subject).await.len()
    };
    // The older ones, and the drivers' events.
    assert_eq!(trim(&it.bench).await, 3 + EVENTS);
    assert_eq!((count(over).await, count(active).await), (1, 1));
    let later = it.bench.clock.now() + KEPT_AFTER + Duration::MINUTE;
    let trimmed = trim_at(&it.bench, &it.bench.broker, later).await;
    assert_eq!(trimmed.unwrap(), 1);
    assert_eq!((count(over).await, count(active).await), (0, 1));
    it.bench.end().await;
}

#[tokio::test]
async fn nothing_goes_while_the_archive_is_missing_behind_or_damaged() {
    let it = half_archived().await;
    let untouched = drivers(&it.bench).await;
    let empty = TempDir::new().unwrap();
    for archive in [None, Some(Archive::folder(empty.path().to_owned()))] {
        let broker = it.bench.broker.clone().with_archive(archive);
        let trimmed = trim_at(&it.bench, &broker, it.bench.clock.now()).await;
        assert_eq!(trimmed.unwrap(), 0);
    }

    let segment = &it.archive.segments(STREAM).await.unwrap()[0];
    let entry = format!("{STREAM}/manifest/{:020}.json", segment.number);
    for file in [segment.file.clone(), entry] {
        let path = it.folder.path().join(&file);
        let whole = std::fs::read(&path).unwrap();
        let mut damaged = whole.clone();
        damaged[100] ^= 1;
        std::fs::write(&path, damaged).unwrap();
        // A process that has not read the manifest yet.
        let archive = Archive::folder(it.folder.path().to_owned());
        let broker = it.bench.broker.clone().with_archive(Some(archive));
        let error = trim_at(&it.bench, &broker, it.bench.clock.now()).await;
        let error = error.unwrap_err().to_string();
        assert!(
            error.contains("DRIVERS") && error.contains("segment 1"),
            "{file}: {error}"
        );
        assert_eq!(drivers(&it.bench).await, untouched, "{file}");
        std::fs::write(&path, whole).unwrap();
    }
    assert_eq!(trim(&it.bench).await, EVENTS);
    it.bench.end().await;
}

#[tokio::test]
async fn nothing_goes_because_of_an_archive_of_another_platform() {
    let it = half_archived().await;
    let segments = it
        .archive
        .read(STREAM, 1..=300, tiffin_archive::Filter::all());
    let own = segments.await.unwrap().next().await.unwrap();
    let other_id = |message: &Message| {
        let headers = message.headers.pairs().into_iter().map(|(name, value)| {
            let is_id = name == "Nats-Msg-Id";
            let id = it.bench.clock.new_id().to_string();
            (
                name.into_owned(),
                if is_id { id } else { value.into_owned() },
            )
        });
        Message {
            headers: headers.collect(),
            ..message.clone()
        }
    };
    // All are others' events, or only the last one.
    for from in [0, own.len() - 1] {
        let folder = TempDir::new().unwrap();
        let archive = Archive::folder(folder.path().to_owned());
        let mut messages = own.clone();
        for message in &mut messages[from..] {
            *message = other_id(message);
        }
        archive.append(STREAM, 1..=300, &messages).await.unwrap();
        let broker = it.bench.broker.clone().with_archive(Some(archive));
        let error = trim_at(&it.bench, &broker, it.bench.clock.now()).await;
        let error = error.unwrap_err().to_string();
        let place = format!("another event at {} of DRIVERS", from + 1);
        assert!(error.contains(&place), "{error}");
        assert_eq!(drivers(&it.bench).await.len(), 600);
    }
    it.bench.end().await;
}

#[tokio::test]
async fn nothing_goes_while_a_database_and_its_stream_differ() {
    let it = half_archived().await;
    run(&it.bench, "update bus.heads set trouble = 'they differ'").await;
    assert_eq!(trim(&it.bench).await, 0);
    assert_eq!(drivers(&it.bench).await.len(), 600);
    it.bench.end().await;
}

/// Not a test by itself: the process that the next one starts and kills.
#[tokio::test]
#[ignore = "started and killed by another test"]
async fn the_process_that_is_killed() {
    let (pool, broker) = connect().await;
    let folder = std::env::var("TIFFIN_ARCHIVE").unwrap();
    let broker = broker.with_archive(Some(Archive::folder(folder.into())));
    let trimmer = Trimmer::new(pool, broker, "bench");
    let (now, stop) = (Clock::system().now(), CancellationToken::new());
    trimmer.step(now, &stop).await.unwrap();
    std::future::pending::<()>().await;
}

fn start(it: &Archived, fault: Option<&Path>) -> Child {
    let mut process = process(&it.bench, "trim::the_process_that_is_killed");
    process.env("TIFFIN_ARCHIVE", it.folder.path());
    if let Some(file) = fault {
        process.env(
            "TIFFIN_FAULT",
            format!("bench.before_trim:{}", file.display()),
        );
    }
    process.spawn().unwrap()
}

fn kill(mut process: Child) {
    process.kill().unwrap();
    process.wait().unwrap();
}

#[tokio::test]
async fn a_process_that_is_killed_between_archive_and_outbox_loses_nothing_and_another_goes_on() {
    let mut it = Archived::new().await;
    it.bench.relay();
    for _ in 0..4 {
        it.change_all().await;
    }
    assert!(it.archive_until(2).await);
    // Killed when the archive was read, and before a row is deleted.
    let folder = TempDir::new().unwrap();
    let fault = folder.path().join("reached");
    let first = start(&it, Some(&fault));
    eventually("the fault is reached", async || fault.exists()).await;
    assert_eq!(drivers(&it.bench).await.len(), 1_200);
    kill(first);
    assert_eq!(drivers(&it.bench).await.len(), 1_200);

    // Killed after some rows.
    let second = start(&it, None);
    eventually("some are gone", async || {
        drivers(&it.bench).await.len() < 1_200
    })
    .await;
    kill(second);
    let all: Vec<i64> = (1..=4 * EVENTS).collect();
    assert!(all.ends_with(&drivers(&it.bench).await));
    trim(&it.bench).await;
    assert_eq!(drivers(&it.bench).await, all[900..]);
    it.bench.end().await;
}

#[tokio::test]
async fn two_processes_at_once_delete_each_row_once_and_no_other() {
    let mut it = Archived::new().await;
    it.bench.relay();
    for _ in 0..5 {
        it.change_all().await;
    }
    assert!(it.archive_until(3).await);
    let (one, other) = tokio::join!(trim(&it.bench), trim(&it.bench));
    let rest = trim(&it.bench).await;
    assert_eq!(one + other + rest, 4 * EVENTS);
    let left: Vec<i64> = (4 * EVENTS + 1..=5 * EVENTS).collect();
    assert_eq!(drivers(&it.bench).await, left);
    it.bench.end().await;
}
