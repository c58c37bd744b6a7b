//! What the platform keeps: every row of every service, and every message of the broker.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use async_nats::jetstream::{self, consumer::pull::OrderedConfig};
use futures_util::{StreamExt, TryStreamExt};
use serde_json::Value;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tiffin_bus::Broker;

use crate::stack::Stack;

/// How long thousands of orders may take on a slow machine.
const PATIENCE: Duration = Duration::from_mins(20);

/// Waits for something that takes its time.
pub async fn patiently<F: AsyncFnMut() -> bool>(what: &str, mut holds: F) {
    let began = Instant::now();
    while !holds().await {
        assert!(
            began.elapsed() < PATIENCE,
            "{what}: did not come true in time"
        );
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Waits until everything that follows from what was done has been done: nothing waits in an outbox, no
/// mail is due, and these consumers are there and have nothing left or in hand.
pub async fn settle(stack: &Stack, consumers: usize) {
    let jetstream = Broker::connect(&stack.nats_url(), "test").await.jetstream;
    let mut quiet = 0;
    patiently("everything is handled", async || {
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
    consumers.len() == expected
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

/// How many durable consumers there are.
pub async fn consumers(stack: &Stack) -> usize {
    let jetstream = Broker::connect(&stack.nats_url(), "test").await.jetstream;
    durable_consumers(&jetstream).await.len()
}

/// Every message of a stream, in order: its subject and its payload.
pub async fn messages(jetstream: &jetstream::Context, stream: &str) -> Vec<(String, Value)> {
    let stream = jetstream.get_stream(stream).await.unwrap();
    let count = usize::try_from(stream.cached_info().state.messages).unwrap();
    if count == 0 {
        return Vec::new();
    }
    let consumer = stream
        .create_consumer(OrderedConfig::default())
        .await
        .unwrap();
    let messages = consumer.messages().await.unwrap().take(count);
    messages
        .map(|message| {
            let message = message.unwrap();
            let payload = serde_json::from_slice(&message.payload).unwrap();
            (message.subject.to_string(), payload)
        })
        .collect()
        .await
}

/// What a table holds, whatever the order of its rows: how many, and their sum.
pub type Fingerprint = (i64, String);

/// A fingerprint of every table of every service: `order.public.orders`. Left out is what an operator's
/// work is noted in, and of an event where it lies in the stream.
pub async fn fingerprints(stack: &Stack) -> BTreeMap<String, Fingerprint> {
    let mut all = BTreeMap::new();
    for (service, url) in stack.databases() {
        let mut connection = PgConnection::connect(&url).await.unwrap();
        let tables: Vec<String> = sqlx::query_scalar(
            "select schemaname || '.' || tablename from pg_tables
             where schemaname in ('public', 'bus') order by 1",
        )
        .fetch_all(&mut connection)
        .await
        .unwrap();
        for table in tables {
            let name = format!("{service}.{table}");
            if let Some((row, which)) = seen(&name) {
                let sql = format!(
                    "select count(*), coalesce(sum(hashtextextended(({row})::text, 0)::numeric), 0)::text
                     from {table} t where {which}"
                );
                let fingerprint: Fingerprint = sqlx::query_as(AssertSqlSafe(sql))
                    .fetch_one(&mut connection)
                    .await
                    .unwrap();
                all.insert(name, fingerprint);
            }
        }
        connection.close().await.unwrap();
    }
    all
}

/// What is looked at of a table: of each row, and which rows.
fn seen(table: &str) -> Option<(&'static str, &'static str)> {
    const OUTBOX: &str = "event_id, subject, lane, body, audience, created_at";
    match table {
        "operator.public.operations" => None,
        "operator.public.events" => Some(("stream, id, envelope", "stream <> 'OPERATIONS'")),
        "operator.bus.outbox" => Some((OUTBOX, "subject not like 'tiffin.operation.%'")),
        _ if table.ends_with(".bus.outbox") => Some((OUTBOX, "true")),
        _ if table.ends_with(".bus.runs") || table.contains(".bus.replaced") => None,
        _ => Some(("t", "true")),
    }
}

/// That every table is as it was; says which are not.
#[track_caller]
pub fn assert_same(
    before: &BTreeMap<String, Fingerprint>,
    after: &BTreeMap<String, Fingerprint>,
    when: &str,
) {
    let differing: Vec<_> = before
        .iter()
        .filter(|(table, fingerprint)| after.get(*table) != Some(fingerprint))
        .map(|(table, fingerprint)| (table, fingerprint, after.get(table)))
        .collect();
    assert!(differing.is_empty(), "{when}: {differing:#?}");
    assert_eq!(before.len(), after.len(), "{when}: tables came or went");
}
