//! The content of the broker.

use std::collections::BTreeMap;

use futures_util::TryStreamExt;
use serde_json::Value;
use tiffin_bus::Broker;

use crate::stack::Stack;

/// One message of any stream, buckets included: its subject and headers, and what it carries.
pub struct StoredMessage {
    pub stream: String,
    pub head: String,
    pub body: String,
}

pub async fn everything(stack: &Stack) -> Vec<StoredMessage> {
    let jetstream = Broker::connect(&stack.nats_url(), "test")
        .await
        .unwrap()
        .jetstream;
    let names: Vec<String> = jetstream.stream_names().try_collect().await.unwrap();
    let mut kept = Vec::new();
    for name in names {
        let stream = jetstream.get_stream(&name).await.unwrap();
        let state = stream.cached_info().state.clone();
        for sequence in state.first_sequence..=state.last_sequence {
            let Ok(message) = stream.get_raw_message(sequence).await else {
                continue; // An old value of a bucket, overwritten.
            };
            kept.push(StoredMessage {
                stream: name.clone(),
                head: format!("{} {:?}", message.subject, message.headers),
                body: String::from_utf8_lossy(&message.payload).into_owned(),
            });
        }
    }
    kept
}

/// The number of events of each type.
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
