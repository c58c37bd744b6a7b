//! A replay whose process is killed (SIGKILL) at the worst moments.

use std::{path::Path, process::Child};

use tempfile::TempDir;
use tiffin_bus::{
    Control,
    history::{Command, OperationState, Selection},
};
use tiffin_events::Clock;
use tokio_util::sync::CancellationToken;

use crate::{
    bench::{Bench, Tally, connect, consumer, eventually, process},
    control::{ended, status},
};

const EVENTS: i64 = 2_000;
/// Events a second, in batches of a quarter of that.
const RATE: u32 = 1_000;

/// Not a test by itself: the process that the next one starts and kills.
#[tokio::test]
#[ignore = "started and killed by another test"]
async fn the_process_that_is_killed() {
    let (pool, broker) = connect().await;
    let consumers = [consumer(&pool, Tally::default())];
    let control = Control::new("bench", pool, broker, Clock::system(), &consumers);
    control.run(CancellationToken::new()).await;
}

/// Starts one; it stops dead where `fault` says, if it says so.
fn start(bench: &Bench, fault: Option<&Path>) -> Child {
    let mut process = process(bench, "killed::the_process_that_is_killed");
    if let Some(file) = fault {
        let place = format!("bench_DRIVERS.before_checkpoint:{}", file.display());
        process.env("TIFFIN_FAULT", place);
    }
    process.spawn().unwrap()
}

fn kill(mut process: Child) {
    process.kill().unwrap();
    process.wait().unwrap();
}

#[tokio::test]
async fn a_replay_whose_process_is_killed_goes_on_at_its_checkpoint_and_each_event_takes_effect_once()
 {
    let bench = Bench::new().await;
    bench.relay();
    let driver = bench.clock.new_id();
    for sequence in 1..=EVENTS {
        bench.change(driver, sequence).await;
    }
    eventually("all are published", async || bench.waiting().await == 0).await;

    // Killed when a batch has taken effect, and before that is noted.
    let folder = TempDir::new().unwrap();
    let fault = folder.path().join("reached");
    let first = start(&bench, Some(&fault));
    let id = bench.clock.new_id();
    let all = Selection {
        from: 1,
        to: u64::MAX,
        filter: None,
    };
    let replay = Command::Replay {
        id,
        consumer: "bench_DRIVERS".to_owned(),
        selection: all,
        rate: Some(RATE),
    };
    bench.ask(&replay).await;
    eventually("the fault is reached", async || fault.exists()).await;
    kill(first);

    // Killed anywhere in the middle.
    let second = start(&bench, None);
    eventually("some are through", async || {
        status(&bench, id).await.handled > EVENTS / 4
    })
    .await;
    kill(second);

    bench.control();
    let operation = ended(&bench, id).await;
    assert_eq!(
        operation.state,
        OperationState::Done,
        "{:?}",
        operation.report
    );
    assert_eq!((operation.total, operation.failed), (EVENTS, 0));
    assert_eq!(
        operation.handled + operation.skipped,
        EVENTS,
        "{operation:?}"
    );
    assert_eq!(bench.tally(driver).await, (1..=EVENTS).collect::<Vec<_>>());
    bench.end().await;
}
