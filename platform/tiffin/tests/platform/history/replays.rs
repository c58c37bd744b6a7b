//! Replays of everything that happened change nothing, and those that make no sense are refused.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{
    contents::{assert_same, fingerprints},
    operator_client::{Consumer, OperatorClient},
    past_orders::PastOrders,
};
use crate::{
    settle::settle,
    stack::{Stack, eventually},
};

/// Those that do something about orders and deliveries.
const CONSUMERS: [&str; 9] = [
    "delivery_DELIVERIES",
    "delivery_ORDERS",
    "media_ORDERS",
    "notification_DELIVERIES",
    "notification_ORDERS",
    "order_DELIVERIES",
    "payment_DELIVERIES",
    "payment_ORDERS",
    "user_ORDERS",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replays_of_all_orders_and_deliveries_change_no_row_and_notify_no_account() {
    let stack = Stack::start("history::replays_of_all").await;
    let past = PastOrders::create(&stack).await;
    let client = OperatorClient {
        stack: &stack,
        operator: &past.admin,
    };
    settle(&stack).await;
    let (before, mails) = (fingerprints(&stack).await, stack.mails().len());
    let consumers: Vec<Consumer> = client
        .consumers()
        .await
        .into_iter()
        // The operator's own copy of the streams is no state that an event changes.
        .filter(|one| one.service() != "operator")
        .filter(|one| ["ORDERS", "DELIVERIES"].contains(&&*one.stream))
        .collect();
    let names: BTreeSet<&str> = consumers.iter().map(|one| &*one.name).collect();
    assert_eq!(
        names,
        CONSUMERS.into(),
        "consumers of ORDERS and DELIVERIES"
    );
    for consumer in &consumers {
        let replay = client.replay_all(consumer).await;
        assert_eq!(replay["handled"], 0, "{replay}");
        assert_eq!(replay["failed"], 0, "{replay}");
        assert_eq!(replay["skipped"], replay["total"], "{replay}");
        assert_ne!(replay["total"], 0, "{replay}");
    }
    settle(&stack).await;
    assert_same(&before, &fingerprints(&stack).await, "replayed");
    assert_eq!(stack.mails().len(), mails, "a mail was sent");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replay_that_makes_no_sense_is_refused_in_words_before_anything_moves() {
    let stack = Stack::start("history::a_replay_that_makes_no_sense").await;
    let past = PastOrders::create(&stack).await;
    let client = OperatorClient {
        stack: &stack,
        operator: &past.admin,
    };
    settle(&stack).await;
    let before = fingerprints(&stack).await;
    for (change, status, said) in [
        (
            json!({ "stream": "MEALS" }),
            404,
            "There is no stream MEALS.",
        ),
        (
            json!({ "from": 9, "to": 2 }),
            422,
            "The window ends before it begins.",
        ),
        (
            json!({ "target": { "consumer": "kitchen_ORDERS" } }),
            404,
            "There is no consumer kitchen_ORDERS.",
        ),
        (
            json!({ "target": { "consumer": "order_ORDERS" } }),
            404,
            "There is no consumer order_ORDERS.",
        ),
        (
            json!({ "target": { "consumer": "order_DELIVERIES" } }),
            422,
            "order_DELIVERIES does not read ORDERS: choose the stream that it is named after.",
        ),
        (
            json!({ "filter": "tiffin.order.*.reopened" }),
            422,
            "No event matches: widen the window or the filter.",
        ),
    ] {
        let answer = client.post("/replays", &replay(&change)).await;
        assert_eq!(answer.status, status, "{change}: {}", answer.text);
        assert_eq!(answer.body["message"], said, "{change}");
    }
    assert_eq!(client.get("/replays").await.expect(200), json!([]));
    assert_same(&before, &fingerprints(&stack).await, "refused");

    // One event a second: it goes on until it is cancelled.
    let slow = client
        .post("/replays", &replay(&json!({ "rate": 1 })))
        .await;
    let slow = slow.expect(202)["replayId"].as_str().unwrap().to_owned();
    let busy = client.post("/replays", &replay(&json!({}))).await;
    assert_eq!(busy.status, 409, "{}", busy.text);
    let said = "something is under way for delivery_ORDERS already";
    assert_eq!(busy.body["message"], said);
    let listed = client.get("/replays").await.expect(200);
    let listed = listed.as_array().unwrap();
    assert_eq!(listed.len(), 2, "{listed:?}");
    let refused = listed.iter().find(|it| it["replayId"] != slow).unwrap();
    assert_eq!(refused["state"], "failed", "{refused}");
    assert_eq!(refused["report"]["error"], said, "{refused}");
    assert_eq!(refused["published"], 0, "{refused}");
    let path = format!("/replays/{slow}");
    client
        .delete(&format!("{path}?reason=enough"))
        .await
        .expect(200);
    eventually("it is over", async || {
        client.get(&path).await.expect(200)["state"] == "cancelled"
    })
    .await;
    assert_same(&before, &fingerprints(&stack).await, "cancelled");
}

/// A replay of all orders to the delivery service, but for what `change` says.
fn replay(change: &Value) -> Value {
    let mut body = json!({
        "stream": "ORDERS", "reason": "to be sure", "target": { "consumer": "delivery_ORDERS" },
    });
    for (name, value) in change.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}
