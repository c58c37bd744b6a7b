//! Operators' commands to a consumer.

use tiffin_bus::history::{Answer, Command, Operation, OperationState, Selection};
use uuid::Uuid;

use crate::bench::{Bench, Tally, eventually};

/// A bench whose consumer has handled `count` events of one driver, and carries out commands.
pub async fn handled(count: i64) -> (Bench, Uuid) {
    let bench = Bench::new().await;
    bench.relay();
    let driver = bench.clock.new_id();
    for sequence in 1..=count {
        bench.change(driver, sequence).await;
    }
    bench.consume(Tally::default());
    bench.control();
    eventually("all took effect", async || bench.effects().await == count).await;
    (bench, driver)
}

/// The consumer forgets what it did after `sequence`, as after a restored backup.
pub async fn forget_after(bench: &Bench, sequence: i64) {
    for sql in [
        "update bus.reached set sequence = $1",
        "delete from tally where sequence > $1",
    ] {
        sqlx::query(sql)
            .bind(sequence)
            .execute(bench.pool())
            .await
            .unwrap();
    }
}

pub fn all() -> Selection {
    Selection {
        from: 1,
        to: u64::MAX,
        filter: None,
    }
}

pub fn replay(id: Uuid, selection: Selection, rate: Option<u32>) -> Command {
    Command::Replay {
        id,
        consumer: "bench_DRIVERS".to_owned(),
        selection,
        rate,
    }
}

/// A rebuild from a snapshot, if there is one.
pub fn rebuilding(id: Uuid, consumer: String) -> Command {
    Command::Rebuild {
        id,
        consumer,
        from_first_event: false,
    }
}

/// A verification from a snapshot, if there is one.
pub fn verification(id: Uuid, consumer: String) -> Command {
    Command::Verify {
        id,
        consumer,
        from_first_event: false,
    }
}

pub async fn status(bench: &Bench, id: Uuid) -> Operation {
    match bench.ask(&Command::Status { id }).await {
        Answer::Operation(operation) => operation,
        other => panic!("{other:?}"),
    }
}

pub async fn ended(bench: &Bench, id: Uuid) -> Operation {
    eventually("it ended", async || {
        !matches!(status(bench, id).await.state, OperationState::Running)
    })
    .await;
    status(bench, id).await
}

pub fn refusal(answer: Answer) -> String {
    match answer {
        Answer::Refused { message } => message,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_replay_of_what_was_handled_changes_nothing() {
    let (bench, driver) = handled(1_200).await;
    let id = bench.clock.new_id();
    let begun = bench.ask(&replay(id, all(), None)).await;
    assert!(
        matches!(&begun, Answer::Operation(operation) if operation.total == 1_200),
        "{begun:?}"
    );
    let operation = ended(&bench, id).await;
    assert_eq!(operation.state, OperationState::Done);
    assert_eq!(
        (operation.handled, operation.skipped, operation.failed),
        (0, 1_200, 0)
    );
    assert_eq!(bench.tally(driver).await, (1..=1_200).collect::<Vec<_>>());
    bench.end().await;
}

#[tokio::test]
async fn a_replay_brings_back_what_the_consumer_lost() {
    let (bench, driver) = handled(30).await;
    forget_after(&bench, 10).await;
    let dry = Command::DryRun {
        consumer: "bench_DRIVERS".to_owned(),
        selection: all(),
    };
    match bench.ask(&dry).await {
        Answer::Changes(changes) => {
            assert_eq!(
                (changes.matched, changes.skipped, changes.failed),
                (30, 10, 0)
            );
            assert_eq!(
                bench.tally(driver).await.len(),
                10,
                "a dry run changed something"
            );
        }
        other => panic!("{other:?}"),
    }
    let id = bench.clock.new_id();
    bench.ask(&replay(id, all(), None)).await;
    let operation = ended(&bench, id).await;
    assert_eq!(
        (operation.handled, operation.skipped, operation.failed),
        (20, 10, 0)
    );
    assert_eq!(bench.tally(driver).await, (1..=30).collect::<Vec<_>>());
    bench.end().await;
}

#[tokio::test]
async fn a_dry_run_of_what_was_handled_copies_no_table() {
    let (bench, _) = handled(30).await;
    let mut held = tiffin_database::begin(&bench.db.pool).await.unwrap();
    // A reader of the table waits from now on.
    sqlx::query("lock table tally in access exclusive mode")
        .execute(&mut *held)
        .await
        .unwrap();
    let dry = Command::DryRun {
        consumer: "bench_DRIVERS".to_owned(),
        selection: all(),
    };
    match bench.ask(&dry).await {
        Answer::Changes(changes) => assert_eq!((changes.matched, changes.skipped), (30, 30)),
        other => panic!("{other:?}"),
    }
    held.rollback().await.unwrap();
    bench.end().await;
}

#[tokio::test]
async fn a_replay_is_paused_goes_on_survives_its_process_and_is_cancelled() {
    let (bench, driver) = handled(60).await;
    forget_after(&bench, 0).await;
    let id = bench.clock.new_id();
    bench.ask(&replay(id, all(), Some(20))).await;
    eventually("some are through", async || {
        status(&bench, id).await.handled > 0
    })
    .await;
    bench.ask(&Command::Pause { id }).await;
    let busy = bench.ask(&replay(bench.clock.new_id(), all(), None)).await;
    assert!(refusal(busy).contains("under way"));

    let stop = bench.control();
    bench.ask(&Command::Resume { id }).await;
    stop.cancel();
    eventually("it went on", async || status(&bench, id).await.handled > 20).await;
    let cancelled = bench.ask(&Command::Cancel { id }).await;
    assert!(
        matches!(&cancelled, Answer::Operation(operation) if operation.state == OperationState::Cancelled)
    );
    assert!(refusal(bench.ask(&Command::Resume { id }).await).contains("paused"));
    let done = bench.tally(driver).await;
    assert!(done.len() < 60, "it was cancelled in time");
    assert!(
        done.iter()
            .zip(1..)
            .all(|(sequence, expected)| *sequence == expected)
    );
    bench.end().await;
}

#[tokio::test]
async fn what_makes_no_sense_is_refused_before_anything_moves() {
    let (bench, _) = handled(3).await;
    let id = bench.clock.new_id();
    let window = |from, to, filter: Option<&str>| Selection {
        from,
        to,
        filter: filter.map(ToOwned::to_owned),
    };
    for (command, reason) in [
        (replay(id, window(5, 2, None), None), "holds nothing"),
        (replay(id, window(100, 200, None), None), "nothing matches"),
        (
            replay(id, window(1, 3, Some("tiffin.driver.*.registered")), None),
            "nothing matches",
        ),
        (
            replay(id, window(1, 3, Some("tiffin.order.*.*")), None),
            "takes tiffin.driver.*.*",
        ),
        (replay(id, all(), Some(0)), "never ends"),
        (
            Command::Retry {
                consumer: "bench_ORDERS".to_owned(),
                stream_sequence: 1,
            },
            "no consumer bench_ORDERS",
        ),
        (Command::Cancel { id }, "not under way"),
        (Command::Status { id }, "no such operation"),
    ] {
        let said = refusal(bench.ask(&command).await);
        assert!(said.contains(reason), "{said}");
    }
    bench.end().await;
}
