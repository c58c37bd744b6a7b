//! Read models that are rebuilt.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, Ordering},
};

use futures_util::{FutureExt, future::BoxFuture};
use serde_json::Value;
use sqlx::PgConnection;
use tiffin_bus::{
    Consumer, Failure, Handler, Received,
    history::{Answer, Command, Operation, OperationState},
};
use tiffin_events::{Clock, Stream};
use uuid::Uuid;

use crate::{
    bench::{Bench, Tally, eventually, stand},
    consumer::{at, body},
    control::{all, ended, forget_after, handled, rebuilding, refusal, replay, verification},
};

const CONSUMER: &str = "bench_DRIVERS";

async fn asked(bench: &Bench, command: Command, id: Uuid) -> Operation {
    let answer = bench.ask(&command).await;
    assert!(matches!(answer, Answer::Operation(_)), "{answer:?}");
    let operation = ended(bench, id).await;
    assert_eq!(
        operation.state,
        OperationState::Done,
        "{:?}",
        operation.report
    );
    operation
}

async fn verify(bench: &Bench) -> Value {
    let id = bench.clock.new_id();
    let consumer = CONSUMER.to_owned();
    let operation = asked(bench, verification(id, consumer), id).await;
    operation.report.unwrap()
}

async fn rebuild(bench: &Bench) -> Value {
    let id = bench.clock.new_id();
    let consumer = CONSUMER.to_owned();
    let operation = asked(bench, rebuilding(id, consumer), id).await;
    operation.report.unwrap()
}

/// Every row of the serving read model: the aggregate and its sequence.
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

/// A handler that fails to project the fifth event while `fails` holds, and notes what it projects.
#[derive(Clone, Default)]
struct Projects {
    fails: Arc<AtomicBool>,
    projected: Arc<Mutex<Vec<i64>>>,
}

impl Handler for Projects {
    fn handle<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        events: &'a [Received],
    ) -> BoxFuture<'a, Result<(), Failure>> {
        async move {
            for event in events {
                stand(tx, event).await?;
            }
            Ok(())
        }
        .boxed()
    }

    fn project<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        events: &'a [Received],
    ) -> BoxFuture<'a, Result<(), Failure>> {
        async move {
            for event in events {
                let sequence = event.envelope.sequence;
                if sequence == 5 && self.fails.load(Ordering::SeqCst) {
                    return Err(Failure::Reject("it can't be projected".to_owned()));
                }
                stand(tx, event).await?;
                self.projected.lock().unwrap().push(sequence);
            }
            Ok(())
        }
        .boxed()
    }
}

#[tokio::test]
async fn going_back_projects_nothing_that_the_replaced_tables_hold() {
    let bench = Bench::new().await;
    bench.relay();
    let driver = bench.clock.new_id();
    let handler = Projects::default();
    handler.fails.store(true, Ordering::SeqCst);
    let (pool, clock) = (bench.pool().clone(), Clock::system());
    let consumer = Consumer::new("bench", Stream::Drivers, pool, clock, handler.clone());
    let consumer = consumer.projects(&["standing"]);
    bench.consume_as(consumer.clone());
    bench.control_of(consumer);
    for sequence in 1..=20 {
        bench.change(driver, sequence).await;
    }
    eventually("all took effect", async || {
        standing(&bench).await == [(driver, 20)]
    })
    .await;
    let report = rebuild(&bench).await;
    assert_eq!(report["failures"].as_array().unwrap().len(), 1, "{report}");
    assert_eq!(standing(&bench).await, [(driver, 4)]);

    bench.change(driver, 21).await;
    eventually("it goes on", async || {
        standing(&bench).await == [(driver, 21)]
    })
    .await;
    handler.fails.store(false, Ordering::SeqCst);
    handler.projected.lock().unwrap().clear();
    let consumer = CONSUMER.to_owned();
    let back = bench.ask(&Command::RollBack { consumer }).await;
    assert!(matches!(back, Answer::Done { .. }), "{back:?}");
    assert_eq!(*handler.projected.lock().unwrap(), [21]);
    assert_eq!(standing(&bench).await, [(driver, 21)]);
    bench.end().await;
}

#[tokio::test]
async fn a_model_that_an_earlier_release_replaced_can_be_gone_back_to() {
    let (bench, driver) = handled(10).await;
    rebuild(&bench).await;
    // As the earlier release kept it.
    sqlx::raw_sql(
        "create table bus.replaced_reached (consumer text, aggregate uuid, sequence bigint);
         insert into bus.replaced_reached
             select 'bench_DRIVERS', aggregate, sequence from replaced.reached_by_bench_drivers;
         drop table replaced.reached_by_bench_drivers",
    )
    .execute(bench.pool())
    .await
    .unwrap();
    sqlx::raw_sql(include_str!(
        "../../migrations/20261123230000_keep_versions_beside_replaced_tables.sql"
    ))
    .execute(bench.pool())
    .await
    .unwrap();
    bench.change(driver, 11).await;
    eventually("it goes on", async || {
        standing(&bench).await == [(driver, 11)]
    })
    .await;
    let consumer = CONSUMER.to_owned();
    let back = bench.ask(&Command::RollBack { consumer }).await;
    assert!(matches!(back, Answer::Done { .. }), "{back:?}");
    assert_eq!(standing(&bench).await, [(driver, 11)]);
    assert_eq!(bench.effects().await, 11);
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
    bench.ask(&rebuilding(id, consumer)).await;
    for sequence in 251..=400 {
        bench.change(driver, sequence).await;
    }
    assert_eq!(ended(&bench, id).await.state, OperationState::Done);
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
