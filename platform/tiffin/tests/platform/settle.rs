//! Waiting until the platform has done all that follows from what was asked of it.

use std::time::{Duration, Instant};

use async_nats::jetstream;
use futures_util::TryStreamExt;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tiffin_bus::Broker;

use crate::stack::Stack;

/// The longest time that thousands of orders may take on a slow machine.
const SETTLE_TIMEOUT: Duration = Duration::from_mins(20);

/// Waits for something that takes its time.
pub async fn wait_for<F: AsyncFnMut() -> bool>(what: &str, mut holds: F) {
    let began = Instant::now();
    while !holds().await {
        assert!(
            began.elapsed() < SETTLE_TIMEOUT,
            "{what}: did not come true in time"
        );
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Waits until everything that follows from what was done has been done: nothing waits in an outbox, no
/// mail is due, and no consumer has anything left or in hand.
pub async fn settle(stack: &Stack) {
    settle_with(stack, consumers(stack).await).await;
}

/// The same where consumers come again: so many have to be there.
pub async fn settle_with(stack: &Stack, consumers: usize) {
    let jetstream = Broker::connect(&stack.nats_url(), "test")
        .await
        .unwrap()
        .jetstream;
    let mut quiet = 0;
    wait_for("everything is handled", async || {
        let idle = nothing_waits(stack).await && are_idle(&jetstream, consumers).await;
        quiet = if idle { quiet + 1 } else { 0 };
        // More than once: what a consumer has handled may be on its way into the outbox.
        quiet > 3
    })
    .await;
}

async fn nothing_waits(stack: &Stack) -> bool {
    for (service, url) in stack.databases() {
        let mut due = "select count(*) from bus.outbox where published_at is null".to_owned();
        if service == "notification" {
            due = format!("select ({due}) + count(*) from notifications where mail = 'waiting'");
        }
        let mut connection = PgConnection::connect(&url).await.unwrap();
        let waiting: i64 = sqlx::query_scalar(AssertSqlSafe(due))
            .fetch_one(&mut connection)
            .await
            .unwrap();
        connection.close().await.unwrap();
        if waiting > 0 {
            return false;
        }
    }
    true
}

async fn are_idle(jetstream: &jetstream::Context, expected: usize) -> bool {
    let consumers = durable_consumers(jetstream).await;
    // Of a platform that has only just started, some may come yet.
    consumers.len() >= expected
        && consumers
            .iter()
            .all(|consumer| consumer.num_pending == 0 && consumer.num_ack_pending == 0)
}

async fn durable_consumers(jetstream: &jetstream::Context) -> Vec<jetstream::consumer::Info> {
    let mut all = Vec::new();
    let streams: Vec<String> = jetstream.stream_names().try_collect().await.unwrap();
    for name in streams {
        let stream = jetstream.get_stream(&name).await.unwrap();
        let consumers: Vec<_> = stream.consumers().try_collect().await.unwrap();
        let durable = consumers
            .into_iter()
            .filter(|one: &jetstream::consumer::Info| one.config.durable_name.is_some());
        all.extend(durable);
    }
    all
}

/// The number of durable consumers.
pub async fn consumers(stack: &Stack) -> usize {
    let jetstream = Broker::connect(&stack.nats_url(), "test")
        .await
        .unwrap()
        .jetstream;
    durable_consumers(&jetstream).await.len()
}
