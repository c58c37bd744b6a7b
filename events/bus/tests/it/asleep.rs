//! The lock by which a sleeping relay asks to be notified.

use sqlx::postgres::PgListener;
use tiffin_bus::outbox;

use crate::bench::{Bench, eventually};

/// As in `bus.wake_relay`.
const ASLEEP: i64 = 0x7469_6666_696f;
const MARKER: &str = "after the row";

/// True if a transaction that appends a row notifies.
async fn notifies(bench: &Bench, listener: &mut PgListener) -> bool {
    bench.change(bench.clock.new_id(), 1).await;
    sqlx::query("select pg_notify('outbox', $1)")
        .bind(MARKER)
        .execute(bench.pool())
        .await
        .unwrap();
    let mut heard = 0;
    while listener.recv().await.unwrap().payload() != MARKER {
        heard += 1;
    }
    heard > 0
}

#[tokio::test]
async fn only_a_relay_that_sleeps_is_notified() {
    let bench = Bench::new().await;
    let mut listener = PgListener::connect_with(bench.pool()).await.unwrap();
    listener.listen("outbox").await.unwrap();
    let mut relay = bench.pool().acquire().await.unwrap();
    assert!(!notifies(&bench, &mut listener).await, "a busy one looks");
    sqlx::query("select pg_advisory_lock($1)")
        .bind(ASLEEP)
        .execute(&mut *relay)
        .await
        .unwrap();
    assert!(notifies(&bench, &mut listener).await, "it sleeps");
    sqlx::query("select pg_advisory_unlock($1)")
        .bind(ASLEEP)
        .execute(&mut *relay)
        .await
        .unwrap();
    assert!(!notifies(&bench, &mut listener).await, "it is awake again");
    drop((listener, relay));
    bench.end().await;
}

#[tokio::test]
async fn a_relay_without_work_asks_to_be_notified() {
    let bench = Bench::new().await;
    let mut listener = PgListener::connect_with(bench.pool()).await.unwrap();
    listener.listen("outbox").await.unwrap();
    bench.relay();
    // Later rows find it awake or asleep, until there was nothing to do for a while.
    eventually("it sleeps", async || notifies(&bench, &mut listener).await).await;
    drop(listener);
    bench.end().await;
}

#[tokio::test]
async fn no_relay_falls_asleep_while_a_row_can_not_be_seen() {
    let bench = Bench::new().await;
    let mut relay = bench.pool().acquire().await.unwrap();
    let mut falls_asleep = async || -> bool {
        sqlx::query_scalar("select pg_try_advisory_lock($1)")
            .bind(ASLEEP)
            .fetch_one(&mut *relay)
            .await
            .unwrap()
    };
    let mut tx = tiffin_database::begin(bench.pool()).await.unwrap();
    let row = bench.event(bench.clock.new_id(), 1);
    outbox::append(&mut tx, &[row]).await.unwrap();
    assert!(!falls_asleep().await, "the row is not committed");
    tx.commit().await.unwrap();
    assert!(falls_asleep().await);
    drop(relay);
    bench.end().await;
}
