//! Batches of events that wait for a worker: one transaction for many, and what a kill in its middle leaves.

use std::time::Duration;

use tiffin_bus::outbox;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::bench::{Bench, Tally, connect, consumer, eventually, process};

/// Aggregates of a batch, and events of each.
const AGGREGATES: i64 = 50;
const EACH: i64 = 10;

fn aggregate(number: i64) -> Uuid {
    Uuid::from_u128(u128::try_from(number).unwrap())
}

/// The one whose events fail.
fn poison() -> Uuid {
    aggregate(7)
}

fn handler() -> Tally {
    Tally {
        poison: Some(poison()),
        ..Tally::default()
    }
}

/// Publishes the `batch`th batch of events of all aggregates.
async fn publish(bench: &Bench, batch: i64) {
    let mut tx = tiffin_database::begin(bench.pool()).await.unwrap();
    for sequence in batch * EACH + 1..=(batch + 1) * EACH {
        for number in 1..=AGGREGATES {
            let event = bench.event(aggregate(number), sequence);
            outbox::append(&mut tx, &[event]).await.unwrap();
        }
    }
    tx.commit().await.unwrap();
    eventually("all are published", async || bench.waiting().await == 0).await;
}

/// Waits until the healthy aggregates have come to a version, and checks every effect.
async fn come_to(bench: &Bench, version: i64) {
    let wanted = (AGGREGATES - 1) * version;
    // Thousands of events may take a slow machine minutes, but it always gets on.
    loop {
        let before = bench.effects().await;
        if before >= wanted {
            break;
        }
        eventually("more events took effect", async || {
            bench.effects().await > before
        })
        .await;
    }
    for number in (1..=AGGREGATES).filter(|number| aggregate(*number) != poison()) {
        let all: Vec<i64> = (1..=version).collect();
        assert_eq!(bench.tally(aggregate(number)).await, all, "{number}");
    }
    eventually("the poison is aside", async || {
        !blocked(bench).await.is_empty()
    })
    .await;
    assert_eq!(blocked(bench).await, [poison()]);
    assert_eq!(bench.tally(poison()).await, Vec::<i64>::new());
}

async fn blocked(bench: &Bench) -> Vec<Uuid> {
    sqlx::query_scalar("select aggregate from bus.blocked")
        .fetch_all(bench.pool())
        .await
        .unwrap()
}

#[tokio::test]
async fn events_that_wait_together_take_effect_in_few_transactions() {
    let bench = Bench::new().await;
    bench.relay();
    publish(&bench, 0).await;
    bench.consume(handler());
    come_to(&bench, EACH).await;
    let transactions: i64 = sqlx::query_scalar("select count(distinct xmin::text) from tally")
        .fetch_one(bench.pool())
        .await
        .unwrap();
    let effects = bench.effects().await;
    assert!(
        transactions < effects / 2,
        "{transactions} transactions for {effects} events"
    );
    bench.end().await;
}

/// Not a test by itself: the process that the next one starts and kills.
#[tokio::test]
#[ignore = "started and killed by another test"]
async fn the_consumer_that_is_killed() {
    let (pool, broker) = connect().await;
    let consumer = consumer(&pool, handler());
    Box::pin(consumer.run(broker, CancellationToken::new())).await;
}

/// Kills as many as `TIFFIN_KILLS` says, three without it.
#[tokio::test]
async fn a_consumer_that_is_killed_within_a_batch_loses_nothing_and_doubles_nothing() {
    let kills = std::env::var("TIFFIN_KILLS").map_or(3, |kills| kills.parse().unwrap());
    let bench = Bench::new().await;
    bench.relay();
    for batch in 0..kills {
        publish(&bench, batch).await;
        let before = bench.effects().await;
        let mut process = process(&bench, "worker_batches::the_consumer_that_is_killed")
            .spawn()
            .unwrap();
        eventually("it has begun", async || bench.effects().await > before).await;
        let moment = u64::from(bench.clock.new_id().as_bytes()[15]);
        tokio::time::sleep(Duration::from_millis(moment / 4)).await;
        process.kill().unwrap();
        process.wait().unwrap();
    }
    bench.consume(handler());
    come_to(&bench, kills * EACH).await;
    bench.end().await;
}
