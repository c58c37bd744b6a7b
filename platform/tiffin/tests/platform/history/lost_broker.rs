//! A broker that has lost everything, while the platform runs: the outboxes give it back.

use std::collections::BTreeMap;

use serde_json::Value;
use sqlx::{Connection, PgConnection};
use tiffin_bus::Broker;
use tiffin_events::Stream;
use uuid::Uuid;

use super::{
    contents::{self, assert_same, fingerprints},
    operator_client::OperatorClient,
    past_orders::PastOrders,
};
use crate::{
    settle::{self, settle_with},
    stack::Stack,
};

/// Orders that the platform has.
const ORDERS: usize = 10_000;

/// The ids of the events of each aggregate, in order, by stream.
type Streams = BTreeMap<&'static str, BTreeMap<Uuid, Vec<Uuid>>>;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_broker_gets_ten_thousand_orders_back_and_no_account_is_notified_again() {
    let mut stack = Stack::start("history::a_broker_that_lost_everything").await;
    let past = PastOrders::create(&stack).await;
    past.orders(&stack, ORDERS).await;
    let consumers = settle::consumers(&stack).await;
    settle_with(&stack, consumers).await;
    let (rows, mails) = (fingerprints(&stack).await, stack.mails().len());
    let before = streams(&stack).await;
    assert!(before["ORDERS"].len() > ORDERS, "the orders' events");
    assert_eq!(count(&before), outboxes(&stack).await);
    let watchers = watchers(&stack).await;

    stack.lose_broker().await;
    let client = OperatorClient {
        stack: &stack,
        operator: &past.admin,
    };
    let republished = client.republish().await;
    let handled = |run: &Value| run["handled"].as_u64().unwrap();
    let all: u64 = republished.iter().map(handled).sum();
    assert!(all > count(&before), "{all} of {}", count(&before));
    settle_with(&stack, consumers).await;

    let after = streams(&stack).await;
    assert_eq!(count(&after), outboxes(&stack).await);
    for (stream, aggregates) in &before {
        for (aggregate, events) in aggregates {
            assert_eq!(
                after[stream].get(aggregate),
                Some(events),
                "{stream} {aggregate}"
            );
        }
        // Operators' actions are recorded there.
        if *stream != "OPERATIONS" {
            assert_eq!(after[stream].len(), aggregates.len(), "{stream}");
        }
    }
    assert_eq!(self::watchers(&stack).await, watchers, "who may watch what");
    assert_eq!(stack.mails().len(), mails, "a mail was sent again");
    assert_same(&rows, &fingerprints(&stack).await, "given back");
    for consumer in client.consumers().await {
        if !consumer.tables.is_empty() {
            let report = client.verify(&consumer.name).await;
            assert_eq!(report["equal"], true, "{}: {report:#}", consumer.name);
        }
    }
    // Once more finds everything there, and the platform goes on.
    for run in client.republish().await {
        assert_eq!(run["handled"], 0, "{run}");
    }
    past.deliver(&stack, true).await;
}

/// Every event that the broker has.
async fn streams(stack: &Stack) -> Streams {
    let jetstream = Broker::connect(&stack.nats_url(), "test")
        .await
        .unwrap()
        .jetstream;
    let mut streams = Streams::new();
    for stream in Stream::ALL.into_iter().filter(|one| one.is_history()) {
        let aggregates = streams.entry(stream.name()).or_default();
        for (_, event) in contents::messages(&jetstream, stream.name()).await {
            let id = |field: &str| event[field].as_str().unwrap().parse().unwrap();
            let events: &mut Vec<Uuid> = aggregates.entry(id("subject")).or_default();
            events.push(id("id"));
        }
    }
    streams
}

fn count(streams: &Streams) -> u64 {
    let events = streams.values().flat_map(BTreeMap::values).map(Vec::len);
    u64::try_from(events.sum::<usize>()).unwrap()
}

/// The number of events that the services have published, by their outboxes.
async fn outboxes(stack: &Stack) -> u64 {
    let mut all = 0;
    for (_, url) in stack.databases() {
        let mut connection = PgConnection::connect(&url).await.unwrap();
        let published: i64 =
            sqlx::query_scalar("select count(*) from bus.outbox where subject like 'tiffin.%'")
                .fetch_one(&mut connection)
                .await
                .unwrap();
        connection.close().await.unwrap();
        all += u64::try_from(published).unwrap();
    }
    all
}

/// The audience bucket's entries.
async fn watchers(stack: &Stack) -> BTreeMap<String, Value> {
    let jetstream = Broker::connect(&stack.nats_url(), "test")
        .await
        .unwrap()
        .jetstream;
    let entries = contents::messages(&jetstream, "KV_audience").await;
    entries.into_iter().collect()
}
