//! History of elsewhere.

use serde_json::{Value, json};
use tiffin_bus::{Consumer, history::OperationState, read::Logged, write};
use tiffin_events::{Clock, Stream};
use uuid::Uuid;

use crate::{
    bench::{Bench, Tally, eventually},
    consumer::{at, body},
    control::{all, ended, replay, verification},
};

/// Puts `count` events of a driver into the empty stream, as an operator's import does.
async fn import(bench: &Bench, driver: Uuid, count: i64) {
    let lines = (1..=count).map(|sequence| {
        let event: Value = serde_json::from_slice(&body(bench, driver, sequence)).unwrap();
        let line = json!({
            "stream": "DRIVERS", "seq": sequence, "subject": at(driver), "event": event,
        });
        Logged::read(Stream::Drivers, line.to_string().as_bytes()).unwrap()
    });
    let lines: Vec<Logged> = lines.collect();
    let id = bench.clock.new_id();
    let last = write::append(&bench.broker, Stream::Drivers, &lines, id, 0).await;
    assert_eq!(last.unwrap(), u64::try_from(count).unwrap());
}

/// The version of an aggregate that a consumer has reached.
async fn reached(bench: &Bench, consumer: &str, aggregate: Uuid) -> Option<i64> {
    sqlx::query_scalar("select sequence from bus.reached where consumer = $1 and aggregate = $2")
        .bind(consumer)
        .bind(aggregate)
        .fetch_optional(bench.pool())
        .await
        .unwrap()
}

/// The versions that the read model shows.
async fn standing(bench: &Bench) -> Vec<i64> {
    sqlx::query_scalar("select sequence from standing")
        .fetch_all(bench.pool())
        .await
        .unwrap()
}

#[tokio::test]
async fn imported_events_reach_read_models_and_cause_no_action() {
    let bench = Bench::new().await;
    let driver = bench.clock.new_id();
    import(&bench, driver, 5).await;
    bench.consume(Tally::default());
    // One that keeps no read model.
    let (pool, stream) = (bench.pool().clone(), Stream::Drivers);
    let bare = Consumer::new("bare", stream, pool, Clock::system(), Tally::default());
    let stop = tokio_util::sync::CancellationToken::new();
    tokio::spawn(bare.run(bench.broker.clone(), stop.clone()));
    for consumer in ["bench_DRIVERS", "bare_DRIVERS"] {
        eventually("it went through", async || {
            reached(&bench, consumer, driver).await == Some(5)
        })
        .await;
    }
    assert_eq!(standing(&bench).await, [5]);
    assert_eq!(bench.effects().await, 0);

    // Handed over again, it is still no news.
    bench.control();
    sqlx::raw_sql("truncate bus.reached, standing")
        .execute(bench.pool())
        .await
        .unwrap();
    let id = bench.clock.new_id();
    bench.ask(&replay(id, all(), None)).await;
    let operation = ended(&bench, id).await;
    assert_eq!(
        (operation.state, operation.handled),
        (OperationState::Done, 5)
    );
    assert_eq!(standing(&bench).await, [5]);
    assert_eq!(bench.effects().await, 0);

    // Nor is what a rebuild makes of it.
    let id = bench.clock.new_id();
    let consumer = "bench_DRIVERS".to_owned();
    bench.ask(&verification(id, consumer)).await;
    let report = ended(&bench, id).await.report.unwrap();
    assert_eq!(report["equal"], true, "{report}");
    stop.cancel();
    bench.end().await;
}
