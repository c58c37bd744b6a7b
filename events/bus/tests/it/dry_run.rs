//! Dry runs: the changes that a replay would make, and the rows that are copied to find out.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use futures_util::{FutureExt, future::BoxFuture};
use sqlx::PgConnection;
use tiffin_bus::{
    Consumer, Failure, Handler, Received,
    history::{Answer, Changes, Command},
};
use tiffin_events::{Clock, Stream};

use crate::{
    bench::{Bench, eventually, stand},
    consumer::{at, body},
    control::all,
};

/// Rows of each table in the schema of a dry run.
type Copied = Arc<Mutex<BTreeMap<String, i64>>>;

/// A handler that keeps the last version of each driver and, in a dry run, counts what was copied.
#[derive(Clone, Default)]
struct Counts(Copied);

impl Handler for Counts {
    fn handle<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        events: &'a [Received],
    ) -> BoxFuture<'a, Result<(), Failure>> {
        async move {
            let copies: Vec<String> = sqlx::query_scalar(
                "select tablename::text from pg_tables where schemaname = 'dry_run'",
            )
            .fetch_all(&mut *tx)
            .await?;
            for table in copies {
                let count = format!("select count(*) from dry_run.{table}");
                let rows = sqlx::query_scalar(sqlx::AssertSqlSafe(count))
                    .fetch_one(&mut *tx)
                    .await?;
                self.0.lock().unwrap().entry(table).or_insert(rows);
            }
            for event in events {
                stand(tx, event).await?;
            }
            Ok(())
        }
        .boxed()
    }
}

/// Three events of a driver of which the first was handled, and a dry run of the others.
async fn dry_run(rows: i64) -> (Bench, uuid::Uuid, Changes, BTreeMap<String, i64>) {
    let bench = Bench::new().await;
    sqlx::raw_sql(sqlx::AssertSqlSafe(format!(
        "create table vast (id bigint primary key);
         insert into vast select generate_series(1, 50000);
         insert into standing
         select gen_random_uuid(), 1, gen_random_uuid() from generate_series(1, {rows})"
    )))
    .execute(bench.pool())
    .await
    .unwrap();
    let counts = Counts::default();
    let (pool, clock) = (bench.pool().clone(), Clock::system());
    let consumer = Consumer::new("bench", Stream::Drivers, pool, clock, counts.clone());
    let driver = bench.clock.new_id();
    bench.publish(at(driver), body(&bench, driver, 1)).await;
    let stop = bench.consume_as(consumer.clone());
    eventually("the first is handled", async || {
        sqlx::query_scalar("select exists (select from bus.reached)")
            .fetch_one(bench.pool())
            .await
            .unwrap()
    })
    .await;
    stop.cancel();
    for sequence in 2..=3 {
        bench
            .publish(at(driver), body(&bench, driver, sequence))
            .await;
    }
    bench.control_of(consumer);
    let ask = Command::DryRun {
        consumer: "bench_DRIVERS".to_owned(),
        selection: all(),
    };
    let changes = match bench.ask(&ask).await {
        Answer::Changes(changes) => changes,
        other => panic!("{other:?}"),
    };
    let copied = counts.0.lock().unwrap().clone();
    (bench, driver, changes, copied)
}

fn check(changes: &Changes, driver: uuid::Uuid) {
    let Changes {
        matched,
        skipped,
        failed,
        rows,
        ..
    } = *changes;
    assert_eq!(
        (matched, skipped, failed, rows),
        (3, 1, 0, 1),
        "{changes:?}"
    );
    let change = &changes.changes[0];
    assert_eq!(change.table, "standing");
    let (before, after) = (
        change.before.as_ref().unwrap(),
        change.after.as_ref().unwrap(),
    );
    assert_eq!(before["aggregate"], driver.to_string());
    assert_eq!(
        (&before["sequence"], &after["sequence"]),
        (&1.into(), &3.into())
    );
}

/// Nothing of a dry run stays.
async fn is_as_before(bench: &Bench, driver: uuid::Uuid) {
    let sequence: i64 = sqlx::query_scalar("select sequence from standing where aggregate = $1")
        .bind(driver)
        .fetch_one(bench.pool())
        .await
        .unwrap();
    assert_eq!(sequence, 1);
    let left: bool = sqlx::query_scalar(
        "select exists (select from pg_namespace where nspname like 'dry_run%')",
    )
    .fetch_one(bench.pool())
    .await
    .unwrap();
    assert!(!left);
}

#[tokio::test]
async fn a_dry_run_copies_only_tables_that_it_writes_to() {
    let (bench, driver, changes, copied) = dry_run(30).await;
    check(&changes, driver);
    let copied: Vec<(&str, i64)> = copied.iter().map(|(it, n)| (it.as_str(), *n)).collect();
    assert_eq!(copied, [("standing", 31)], "vast is not touched");
    assert!(changes.failures.is_empty(), "{:?}", changes.failures);
    is_as_before(&bench, driver).await;
    bench.end().await;
}

#[tokio::test]
async fn a_dry_run_copies_of_a_large_table_only_what_the_events_name() {
    let (bench, driver, changes, copied) = dry_run(30_000).await;
    check(&changes, driver);
    let copied: Vec<(&str, i64)> = copied.iter().map(|(it, n)| (it.as_str(), *n)).collect();
    assert_eq!(copied, [("standing", 1)]);
    let [note] = changes.failures.as_slice() else {
        panic!("{:?}", changes.failures)
    };
    assert!(note.starts_with("standing is large"), "{note}");
    is_as_before(&bench, driver).await;
    bench.end().await;
}
