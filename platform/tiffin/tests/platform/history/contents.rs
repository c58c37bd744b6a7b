//! All rows of every service, and all messages of the broker.

use std::collections::BTreeMap;

use async_nats::jetstream::{self, consumer::pull::OrderedConfig};
use futures_util::StreamExt;
use serde_json::Value;
use sqlx::{AssertSqlSafe, Connection, PgConnection};

use crate::stack::Stack;

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

/// The content of a table in any order of its rows: their number and their sum.
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
            if let Some((row, which)) = compared(&name) {
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

/// The compared columns and rows of a table.
fn compared(table: &str) -> Option<(&'static str, &'static str)> {
    const OUTBOX: &str = "event_id, subject, lane, body, audience, created_at";
    match table {
        // What operators do goes on meanwhile, and its chain with it.
        "operator.public.operations" | "operator.public.chain" => None,
        // The time of its next forecast moves with the clock alone.
        "delivery.public.deliveries" => Some(("to_jsonb(t) - 'eta_due_at'", "true")),
        "operator.public.events" => Some(("stream, id, envelope", "stream <> 'OPERATIONS'")),
        "operator.bus.heads" => Some(("t", "stream <> 'OPERATIONS'")),
        "operator.bus.outbox" => Some((OUTBOX, "subject not like 'tiffin.operation.%'")),
        _ if table.ends_with(".bus.outbox") => Some((OUTBOX, "true")),
        _ if table.ends_with(".bus.runs") || table.contains(".bus.replaced") => None,
        _ => Some(("t", "true")),
    }
}

/// Asserts that every table is as it was; names those that are not.
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
