//! The locks of a rebuild.

use sqlx::{Connection, PgConnection, Postgres, Transaction};
use tiffin_bus::history::{Answer, OperationState};
use uuid::Uuid;

use crate::{
    bench::{Bench, Tally, consumer, eventually},
    control::{ended, handled, rebuilding, status},
};

/// A connection of the test's own.
pub async fn connection(bench: &Bench) -> PgConnection {
    PgConnection::connect(&bench.db.url).await.unwrap()
}

/// The process of the database that waits for a lock on a table which another transaction keeps.
async fn waiter(bench: &Bench, table: &str, mode: &str) -> Option<i32> {
    sqlx::query_scalar(
        "select l.pid from pg_locks l join pg_database d on d.oid = l.database
         where d.datname = current_database() and not l.granted
           and l.relation = $1::regclass and l.mode = $2",
    )
    .bind(table)
    .bind(mode)
    .fetch_optional(bench.pool())
    .await
    .unwrap()
}

pub async fn waits_for(bench: &Bench, table: &str, mode: &str) {
    eventually(&format!("{mode} of {table} is waited for"), async || {
        waiter(bench, table, mode).await.is_some()
    })
    .await;
}

async fn begin_rebuild(bench: &Bench) -> Uuid {
    let (id, consumer) = (bench.clock.new_id(), "bench_DRIVERS".to_owned());
    let answer = bench.ask(&rebuilding(id, consumer)).await;
    assert!(matches!(answer, Answer::Operation(_)), "{answer:?}");
    id
}

/// The id of a table of this name, if there is one.
async fn table(bench: &Bench, name: &str) -> Option<String> {
    sqlx::query_scalar("select to_regclass($1)::oid::text")
        .bind(name)
        .fetch_one(bench.pool())
        .await
        .unwrap()
}

/// A transaction that keeps every consumer and rebuild from writing to `bus.reached`.
async fn holding_reached(connection: &mut PgConnection) -> Transaction<'_, Postgres> {
    let mut held = connection.begin().await.unwrap();
    sqlx::raw_sql("lock table bus.reached in exclusive mode")
        .execute(&mut *held)
        .await
        .unwrap();
    held
}

#[tokio::test]
async fn a_consumer_goes_on_while_a_rebuild_compares() {
    let bench = Bench::new().await;
    sqlx::raw_sql("create table quiet (id bigint primary key)")
        .execute(bench.pool())
        .await
        .unwrap();
    bench.relay();
    let driver = bench.clock.new_id();
    for sequence in 1..=20 {
        bench.change(driver, sequence).await;
    }
    bench.consume(Tally::default());
    let consumer = consumer(bench.pool(), Tally::default());
    bench.control_of(consumer.projects(&["standing", "quiet"]));
    eventually("all took effect", async || bench.effects().await == 20).await;

    // It is held before it compares, and then in the middle of it.
    let (mut first, mut second) = (connection(&bench).await, connection(&bench).await);
    let before = holding_reached(&mut first).await;
    let id = begin_rebuild(&bench).await;
    waits_for(&bench, "bus.reached", "ExclusiveLock").await;
    let mut amid = second.begin().await.unwrap();
    sqlx::raw_sql("lock table quiet in access exclusive mode")
        .execute(&mut *amid)
        .await
        .unwrap();
    before.rollback().await.unwrap();
    waits_for(&bench, "quiet", "AccessShareLock").await;
    let compares = waiter(&bench, "quiet", "AccessShareLock").await;

    bench.change(driver, 21).await;
    eventually("the consumer goes on", async || bench.effects().await == 21).await;
    // It was not let go because the comparison had waited for too long.
    assert_eq!(waiter(&bench, "quiet", "AccessShareLock").await, compares);
    amid.rollback().await.unwrap();
    let operation = ended(&bench, id).await;
    assert_eq!(
        operation.state,
        OperationState::Done,
        "{:?}",
        operation.report
    );
    assert_eq!(operation.report.unwrap()["equal"], true);
    // What came while it compared is in the new tables.
    let standing: Vec<(Uuid, i64)> = sqlx::query_as("select aggregate, sequence from standing")
        .fetch_all(bench.pool())
        .await
        .unwrap();
    assert_eq!(standing, [(driver, 21)]);
    assert!(table(&bench, "replaced.standing").await.is_some());
    bench.end().await;
}

/// The key of the lock on an operation.
const KEY: &str = "hashtextextended($1::text, 0)";

#[tokio::test]
async fn a_rebuild_whose_lock_was_lost_swaps_nothing() {
    let (bench, driver) = handled(20).await;
    let serving = table(&bench, "standing").await;
    let (mut first, mut second) = (connection(&bench).await, connection(&bench).await);
    let before = holding_reached(&mut first).await;
    let id = begin_rebuild(&bench).await;
    waits_for(&bench, "bus.reached", "ExclusiveLock").await;

    // The connection with the lock is cut, and another process begins with the operation.
    let cut = format!(
        "select count(pg_terminate_backend(pid)) from pg_locks
         where locktype = 'advisory' and granted
           and (classid::bigint << 32) | objid::bigint = {KEY}"
    );
    let cut: i64 = sqlx::query_scalar(sqlx::AssertSqlSafe(cut))
        .bind(id.to_string())
        .fetch_one(bench.pool())
        .await
        .unwrap();
    assert_eq!(cut, 1);
    eventually("another has the lock", async || {
        let lock = format!("select pg_try_advisory_lock({KEY})");
        sqlx::query_scalar(sqlx::AssertSqlSafe(lock))
            .bind(id.to_string())
            .fetch_one(&mut second)
            .await
            .unwrap()
    })
    .await;
    before.rollback().await.unwrap();
    eventually("the first is through", async || {
        sqlx::query_scalar(
            "select not exists (select from pg_namespace where nspname like 'rebuild%')",
        )
        .fetch_one(bench.pool())
        .await
        .unwrap()
    })
    .await;
    assert_eq!(table(&bench, "standing").await, serving, "it was swapped");
    assert_eq!(status(&bench, id).await.state, OperationState::Running);

    // The other one is gone: the operation is taken up again, and swaps once.
    second.close().await.unwrap();
    let operation = ended(&bench, id).await;
    assert_eq!(
        operation.state,
        OperationState::Done,
        "{:?}",
        operation.report
    );
    assert_eq!(table(&bench, "replaced.standing").await, serving);
    let standing: Vec<(Uuid, i64)> = sqlx::query_as("select aggregate, sequence from standing")
        .fetch_all(bench.pool())
        .await
        .unwrap();
    assert_eq!(standing, [(driver, 20)]);
    bench.end().await;
}
