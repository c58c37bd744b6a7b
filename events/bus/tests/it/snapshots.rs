//! Rebuilds that start from a snapshot.

use serde_json::{Value, json};
use tempfile::TempDir;
use tiffin_archive::Archive;
use tiffin_bus::{
    Control,
    history::{Command, Operation},
};
use tiffin_events::Clock;
use time::OffsetDateTime;
use tokio_util::sync::CancellationToken;

use crate::{
    archive::{Archived, EVENTS},
    bench::{Bench, Tally, connect, consumer, eventually, process},
    consumer::{at, body},
    control::{ended, rebuilding, verification},
};

/// The variable with the folder of the archive for the process that is killed.
const FOLDER: &str = "TIFFIN_TEST_ARCHIVE";

pub async fn verify(it: &Archived) -> Operation {
    let verified = it.ask(|id| verification(id, "bench_DRIVERS".to_owned()));
    let verified = verified.await;
    assert_eq!(report(&verified)["equal"], true, "{:?}", verified.report);
    verified
}

pub fn report(operation: &Operation) -> &Value {
    operation.report.as_ref().unwrap()
}

/// The reason why no snapshot was used.
fn reason(operation: &Operation) -> &str {
    let snapshot = &report(operation)["snapshot"];
    assert_eq!(snapshot["used"], false, "{snapshot}");
    snapshot["reason"].as_str().unwrap()
}

/// The positions of the snapshot from which an operation started.
pub fn start(operation: &Operation) -> &Value {
    let snapshot = &report(operation)["snapshot"];
    assert_eq!(snapshot["used"], true, "{snapshot}");
    &snapshot["positions"]
}

/// The number of snapshots that are recorded, and of schemas with one.
pub async fn snapshots(bench: &Bench) -> (i64, i64) {
    sqlx::query_as(
        "select (select count(distinct model) from bus.snapshots),
                (select count(*) from pg_namespace where nspname like '%snapshot%')",
    )
    .fetch_one(bench.pool())
    .await
    .unwrap()
}

/// The time at which the only snapshot was taken.
async fn taken_at(bench: &Bench) -> OffsetDateTime {
    let found = sqlx::query_scalar("select taken_at from bus.snapshots");
    found.fetch_one(bench.pool()).await.unwrap()
}

#[tokio::test]
async fn a_second_rebuild_starts_from_the_snapshot_and_comes_to_the_same_rows() {
    let mut it = Archived::running(3).await;
    let rebuild = async |it: &Archived| {
        it.ask(|id| rebuilding(id, "bench_DRIVERS".to_owned()))
            .await
    };
    assert!(reason(&rebuild(&it).await).contains("no snapshot"));
    assert_eq!(snapshots(&it.bench).await, (0, 0), "nothing is archived");

    assert!(it.archive_until(0).await);
    let first = rebuild(&it).await;
    assert!(reason(&first).contains("no snapshot"));
    assert_eq!((first.total, first.handled), (3 * EVENTS, 3 * EVENTS));
    let second = rebuild(&it).await;
    assert_eq!(*start(&second), json!({ "DRIVERS": EVENTS }));
    assert_eq!((second.total, second.handled), (2 * EVENTS, 2 * EVENTS));
    assert_eq!(report(&second)["tables"], report(&first)["tables"]);

    let whole = it.ask(|id| Command::Verify {
        id,
        consumer: "bench_DRIVERS".to_owned(),
        from_first_event: true,
    });
    let before = taken_at(&it.bench).await;
    let whole = whole.await;
    assert!(reason(&whole).contains("asked"));
    assert_eq!(whole.total, 3 * EVENTS);
    assert_eq!(report(&whole)["tables"], report(&first)["tables"]);
    let kept = taken_at(&it.bench).await;
    assert_eq!(kept, before, "its events say the same");

    // It is equal after more events, and the next segment moves the snapshot on.
    it.change_all().await;
    it.handled().await;
    assert_eq!(verify(&it).await.total, 3 * EVENTS);
    assert!(it.archive_until(1).await);
    assert_eq!(*start(&verify(&it).await), json!({ "DRIVERS": EVENTS }));
    let moved = verify(&it).await;
    assert_eq!(*start(&moved), json!({ "DRIVERS": 2 * EVENTS }));
    assert_eq!(moved.total, 2 * EVENTS);
    assert_eq!(snapshots(&it.bench).await, (1, 1));
    it.bench.end().await;
}

#[tokio::test]
async fn a_snapshot_that_is_not_valid_is_not_used_and_the_reason_is_named() {
    let it = Archived::running(2).await;
    assert!(it.archive_until(0).await);
    verify(&it).await;
    for (change, expected) in [
        (
            "update snapshot_bench_drivers.standing set sequence = 7
             where aggregate = (select min(aggregate::text)::uuid from standing)",
            "the rows of standing",
        ),
        (
            "delete from snapshot_bench_drivers.reached_by_bench_drivers",
            "the rows of reached_by_bench_drivers",
        ),
        (
            "update bus.snapshots set program = repeat('0', 64)",
            "another program",
        ),
        (
            "update bus.snapshots set history = repeat('0', 64)",
            "DRIVERS has another history up to 300",
        ),
        (
            "alter table snapshot_bench_drivers.standing add column name text",
            "standing has other columns",
        ),
        (
            "alter table snapshot_bench_drivers.standing alter column sequence type numeric",
            "standing has other columns",
        ),
        (
            "delete from bus.snapshot_tables where name = 'standing'",
            "other consumers or tables",
        ),
    ] {
        sqlx::raw_sql(change)
            .execute(it.bench.pool())
            .await
            .unwrap();
        let whole = verify(&it).await;
        assert!(reason(&whole).contains(expected), "{}", reason(&whole));
        assert_eq!((whole.total, whole.handled), (2 * EVENTS, 2 * EVENTS));
        // The older one was replaced.
        assert_eq!(verify(&it).await.total, EVENTS);
    }
    it.bench.end().await;
}

#[tokio::test]
async fn a_blocked_aggregate_leaves_no_snapshot() {
    let mut it = Archived::new().await;
    let poisoned = it.bench.clock.new_id();
    let mut poison: Value = serde_json::from_slice(&body(&it.bench, poisoned, 1)).unwrap();
    poison["data"] = json!({ "poison": true });
    let poison = serde_json::to_vec(&poison).unwrap();
    it.bench.publish(at(poisoned), poison).await;
    it.bench.relay();
    it.bench.consume(Tally::default());
    it.bench.control();
    it.change_all().await;
    it.handled().await;
    assert!(it.archive_until(0).await);
    for _ in 0..2 {
        let verified = verify(&it).await;
        assert_eq!(report(&verified)["failures"].as_array().unwrap().len(), 1);
        assert!(reason(&verified).contains("no snapshot"));
        assert_eq!(snapshots(&it.bench).await, (0, 0));
    }
    it.bench.end().await;
}

#[tokio::test]
async fn a_broker_that_lost_its_streams_leaves_a_snapshot_of_what_is_archived() {
    let it = Archived::running(2).await;
    assert!(it.archive_until(0).await);
    verify(&it).await;
    let jetstream = &it.bench.broker.jetstream;
    jetstream.delete_stream("DRIVERS").await.unwrap();
    let id = it.bench.clock.new_id();
    it.bench.ask(&Command::Republish { id }).await;
    it.bench.broker.prepare().await.unwrap();
    assert_eq!(ended(&it.bench, id).await.handled, EVENTS);
    assert_eq!(*start(&verify(&it).await), json!({ "DRIVERS": EVENTS }));
    it.bench.end().await;
}

/// Not a test by itself: the process that the next one starts and kills.
#[tokio::test]
#[ignore = "started and killed by another test"]
async fn the_process_that_is_killed() {
    let (pool, broker) = connect().await;
    let archive = Archive::folder(std::env::var(FOLDER).unwrap().into());
    let broker = broker.with_archive(Some(archive));
    let consumers = [consumer(&pool, Tally::default())];
    let control = Control::new("bench", pool, broker, Clock::system(), &consumers);
    control.run(CancellationToken::new()).await;
}

#[tokio::test]
async fn a_process_that_is_killed_between_copy_and_record_leaves_no_part_of_a_snapshot() {
    let mut it = Archived::new().await;
    it.bench.relay();
    it.bench.consume(Tally::default());
    it.change_all().await;
    it.handled().await;
    assert!(it.archive_until(0).await);
    let folder = TempDir::new().unwrap();
    let fault = folder.path().join("reached");
    let mut process = process(&it.bench, "snapshots::the_process_that_is_killed")
        .env(FOLDER, it.folder.path())
        .env(
            "TIFFIN_FAULT",
            format!("bench_DRIVERS.before_snapshot_record:{}", fault.display()),
        )
        .spawn()
        .unwrap();
    let id = it.bench.clock.new_id();
    let command = verification(id, "bench_DRIVERS".to_owned());
    it.bench.ask(&command).await;
    eventually("the fault is reached", async || fault.exists()).await;
    process.kill().unwrap();
    process.wait().unwrap();
    assert_eq!(snapshots(&it.bench).await, (0, 0));

    it.bench.control();
    let operation = ended(&it.bench, id).await;
    assert_eq!(report(&operation)["equal"], true);
    assert_eq!(snapshots(&it.bench).await, (1, 1));
    assert_eq!(*start(&verify(&it).await), json!({ "DRIVERS": EVENTS }));
    it.bench.end().await;
}
