//! What the broker keeps.

use std::collections::BTreeMap;

use async_nats::jetstream;
use futures_util::TryStreamExt;
use serde_json::Value;
use sqlx::{Connection, PgConnection};
use tiffin_bus::Broker;

use crate::stack::{Stack, eventually};

/// One message of any stream, buckets included: its subject and headers, and what it carries.
pub struct Kept {
    pub stream: String,
    pub head: String,
    pub body: String,
}

pub async fn everything(stack: &Stack) -> Vec<Kept> {
    let jetstream = Broker::connect(&stack.nats_url(), "test").await.jetstream;
    let names: Vec<String> = jetstream.stream_names().try_collect().await.unwrap();
    let mut kept = Vec::new();
    for name in names {
        let stream = jetstream.get_stream(&name).await.unwrap();
        let state = stream.cached_info().state.clone();
        for sequence in state.first_sequence..=state.last_sequence {
            let Ok(message) = stream.get_raw_message(sequence).await else {
                continue; // An old value of a bucket, overwritten.
            };
            kept.push(Kept {
                stream: name.clone(),
                head: format!("{} {:?}", message.subject, message.headers),
                body: String::from_utf8_lossy(&message.payload).into_owned(),
            });
        }
    }
    kept
}

/// How many events of each type tell of something.
pub async fn count(stack: &Stack, about: &str) -> BTreeMap<String, usize> {
    let mut counted = BTreeMap::new();
    for message in everything(stack).await {
        let event: Value = serde_json::from_str(&message.body).unwrap_or_default();
        if let Some(kind) = event["type"].as_str()
            && message.body.contains(about)
        {
            *counted.entry(kind.to_owned()).or_default() += 1;
        }
    }
    counted
}

/// Waits until everything that follows from what was done has been done: nothing waits in an outbox,
/// and no consumer has anything left or in hand.
pub async fn settle(stack: &Stack) {
    let jetstream = Broker::connect(&stack.nats_url(), "test").await.jetstream;
    let mut quiet = 0;
    eventually("everything is handled", async || {
        let idle = outboxes_are_empty(stack).await && consumers_are_idle(&jetstream).await;
        quiet = if idle { quiet + 1 } else { 0 };
        // Once more than once: what a consumer has handled may be on its way into the outbox.
        quiet > 3
    })
    .await;
}

async fn outboxes_are_empty(stack: &Stack) -> bool {
    for (_, url) in stack.databases() {
        let mut connection = PgConnection::connect(&url).await.unwrap();
        let waiting: i64 =
            sqlx::query_scalar("select count(*) from bus.outbox where published_at is null")
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

async fn consumers_are_idle(jetstream: &jetstream::Context) -> bool {
    let streams: Vec<String> = jetstream.stream_names().try_collect().await.unwrap();
    for name in streams {
        let stream = jetstream.get_stream(&name).await.unwrap();
        let consumers: Vec<_> = stream.consumers().try_collect().await.unwrap();
        if consumers
            .iter()
            .any(|consumer| consumer.num_pending > 0 || consumer.num_ack_pending > 0)
        {
            return false;
        }
    }
    true
}
