//! Read models built anew.

use serde_json::Value;
use tiffin_bus::control::{Answer, Command, Run, RunState};
use tiffin_events::Stream;
use uuid::Uuid;

use crate::{
    bench::{Bench, Tally, eventually},
    consumer::{at, body},
    control::{all, ended, forget_after, handled, refusal, replay},
};

const CONSUMER: &str = "bench_DRIVERS";

async fn asked(bench: &Bench, command: Command, id: Uuid) -> Run {
    let answer = bench.ask(&command).await;
    assert!(matches!(answer, Answer::Run(_)), "{answer:?}");
    let run = ended(bench, id).await;
    assert_eq!(run.state, RunState::Done, "{:?}", run.report);
    run
}

async fn verify(bench: &Bench) -> Value {
    let id = bench.clock.new_id();
    let consumer = CONSUMER.to_owned();
    let run = asked(bench, Command::Verify { id, consumer }, id).await;
    run.report.unwrap()
}

async fn rebuild(bench: &Bench) -> Value {
    let id = bench.clock.new_id();
    let consumer = CONSUMER.to_owned();
    let run = asked(bench, Command::Rebuild { id, consumer }, id).await;
    run.report.unwrap()
}

/// Every row of the serving read model: the aggregate and its version.
async fn standing(bench: &Bench) -> Vec<(Uuid, i64)> {
    sqlx::query_as("select aggregate, sequence from standing order by aggregate")
        .fetch_all(bench.pool())
        .await
        .unwrap()
}

#[tokio::test]
async fn a_read_model_that_is_right_is_found_equal_and_one_that_is_not_is_not() {
    let (bench, _) = handled(300).await;
    let effects = bench.effects().await;
    assert_eq!(verify(&bench).await["equal"], true);
    sqlx::query("update standing set sequence = 7")
        .execute(bench.pool())
        .await
        .unwrap();
    let report = verify(&bench).await;
    assert_eq!(report["equal"], false, "{report}");
    assert_eq!(report["tables"][0]["table"], "standing");
    assert_eq!(bench.effects().await, effects, "a check had an effect");
    let left: i64 =
        sqlx::query_scalar("select count(*) from pg_namespace where nspname like 'rebuild%'")
            .fetch_one(bench.pool())
            .await
            .unwrap();
    assert_eq!(left, 0, "a check left its tables behind");
    bench.end().await;
}

#[tokio::test]
async fn a_dropped_read_model_is_rebuilt_swapped_in_and_goes_on() {
    let (bench, driver) = handled(50).await;
    let before = standing(&bench).await;
    sqlx::query("truncate standing")
        .execute(bench.pool())
        .await
        .unwrap();
    let report = rebuild(&bench).await;
    assert_eq!(report["tables"][0]["servingRows"], 0);
    assert_eq!(report["tables"][0]["rebuiltRows"], 1);
    assert_eq!(standing(&bench).await, before);
    // Constraints and indexes kept their names.
    let names: Vec<String> = sqlx::query_scalar(
        "select conname::text from pg_constraint where conrelid = 'standing'::regclass and contype in ('p', 'c')
         union all select indexname::text from pg_indexes where schemaname = 'public' and tablename = 'standing'
         order by 1",
    )
    .fetch_all(bench.pool())
    .await
    .unwrap();
    assert_eq!(
        names,
        [
            "standing_pkey",
            "standing_pkey",
            "standing_sequence_check",
            "standing_sequence_idx"
        ]
    );
    bench.change(driver, 51).await;
    eventually("it goes on", async || {
        standing(&bench).await == [(driver, 51)]
    })
    .await;

    // Back to what it was (nothing), and then what came since, which is not handled again.
    let back = bench
        .ask(&Command::RollBack {
            consumer: CONSUMER.to_owned(),
        })
        .await;
    assert!(matches!(back, Answer::Done { .. }), "{back:?}");
    assert_eq!(standing(&bench).await, [(driver, 51)]);
    assert_eq!(bench.effects().await, 51);
    let again = bench
        .ask(&Command::RollBack {
            consumer: CONSUMER.to_owned(),
        })
        .await;
    assert!(refusal(again).contains("nothing to go back to"));
    bench.end().await;
}

#[tokio::test]
async fn what_the_serving_consumer_has_not_handled_is_left_to_it() {
    let (bench, driver) = handled(20).await;
    forget_after(&bench, 10).await;
    sqlx::query("truncate standing")
        .execute(bench.pool())
        .await
        .unwrap();
    let report = rebuild(&bench).await;
    assert_eq!(report["servingWasBehindBy"], 1, "{report}");
    assert_eq!(standing(&bench).await, [(driver, 10)]);
    // It handles the next as ever, effects included.
    bench.ask(&replay(bench.clock.new_id(), all(), None)).await;
    eventually("it caught up", async || {
        standing(&bench).await == [(driver, 20)]
    })
    .await;
    let all: Vec<i64> = (1..=20).collect();
    assert_eq!(bench.tally(driver).await, all);
    bench.end().await;
}

#[tokio::test]
async fn a_rebuild_under_load_misses_and_doubles_nothing() {
    let (bench, driver) = handled(200).await;
    let (id, consumer) = (bench.clock.new_id(), CONSUMER.to_owned());
    for sequence in 201..=250 {
        bench.change(driver, sequence).await;
    }
    bench.ask(&Command::Rebuild { id, consumer }).await;
    for sequence in 251..=400 {
        bench.change(driver, sequence).await;
    }
    assert_eq!(ended(&bench, id).await.state, RunState::Done);
    eventually("the last is there", async || {
        standing(&bench).await == [(driver, 400)]
    })
    .await;
    assert_eq!(verify(&bench).await["equal"], true);
    bench.end().await;
}

#[tokio::test]
async fn a_rebuild_puts_aside_what_the_serving_model_puts_aside() {
    let bench = Bench::new().await;
    let (driver, other) = (bench.clock.new_id(), bench.clock.new_id());
    let mut poison: Value = serde_json::from_slice(&body(&bench, driver, 2)).unwrap();
    poison["data"] = serde_json::json!({ "poison": true });
    bench.publish(at(driver), body(&bench, driver, 1)).await;
    bench
        .publish(at(driver), serde_json::to_vec(&poison).unwrap())
        .await;
    bench.publish(at(driver), body(&bench, driver, 3)).await;
    bench.publish(at(other), body(&bench, other, 1)).await;
    bench.consume(Tally::default());
    bench.control();
    eventually("it is put aside", async || {
        bench.stored(Stream::DeadLetters).await == 1 && bench.tally(other).await == [1]
    })
    .await;
    let report = verify(&bench).await;
    assert_eq!(report["equal"], true, "{report}");
    assert_eq!(report["failures"].as_array().unwrap().len(), 1);

    // Mended, a rebuild comes to the same end by the same way.
    bench.publish(at(driver), body(&bench, driver, 2)).await;
    eventually("it is mended", async || {
        bench.tally(driver).await == [1, 2, 3]
    })
    .await;
    let report = verify(&bench).await;
    assert_eq!(report["equal"], true, "{report}");
    assert_eq!(report["failures"].as_array().unwrap().len(), 0);
    bench.end().await;
}
