//! Replays of an order's history to browsers.

use futures_util::StreamExt;
use serde_json::{Value, json};

use crate::{
    events::{found, publish},
    fixture::{Fixture, eventually},
};

/// Publishes an order with a delivery and a position of its driver, and returns the order's id.
pub async fn order(fixture: &Fixture) -> String {
    publish(fixture, "tiffin.order.placed.v1").await;
    publish(fixture, "tiffin.order.confirmed.v1").await;
    let created = publish(fixture, "tiffin.delivery.created.v1").await;
    publish(fixture, "tiffin.position.updated.v1").await;
    eventually("the log has the events", async || {
        found(fixture, "").await.len() == 3
    })
    .await;
    created["correlationid"].as_str().unwrap().to_owned()
}

fn replay(order: &str) -> Value {
    json!({ "order": order, "reason": "to see it", "target": { "live": true }, "speed": 1_000 })
}

#[tokio::test]
async fn an_order_is_shown_over_all_streams_as_it_happened_once_a_browser_watches() {
    let fixture = Fixture::new().await;
    let order = order(&fixture).await;
    let begun = fixture.post("/replays", replay(&order)).await;
    assert_eq!(begun.status, 202, "{}", begun.text);
    assert_eq!(begun.body["matched"], 4);
    let id = begun.body["replayId"].as_str().unwrap();
    // A browser that watches a moment later has missed nothing.
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    let client = &fixture.nats.broker.client;
    let mut frames = client.subscribe(format!("replay.{id}")).await.unwrap();
    let (mut shown, mut last) = (Vec::new(), Value::Null);
    while last["state"] != "done" {
        let frame = frames.next().await.unwrap();
        let frame: Value = serde_json::from_slice(&frame.payload).unwrap();
        if frame["type"] == "event" {
            shown.push(frame);
        } else {
            last = frame;
        }
    }
    assert_eq!(
        (last["handled"].as_i64(), last["total"].as_i64()),
        (Some(4), Some(4))
    );
    let times: Vec<_> = shown
        .iter()
        .map(|it| it["event"]["time"].as_str().unwrap())
        .collect();
    assert!(times.is_sorted(), "{times:?}");
    let mut streams: Vec<_> = shown
        .iter()
        .map(|it| it["stream"].as_str().unwrap())
        .collect();
    streams.sort_unstable();
    assert_eq!(streams, ["DELIVERIES", "ORDERS", "ORDERS", "POSITIONS"]);
    let placed = shown
        .iter()
        .find(|it| it["event"]["type"] == "tiffin.order.placed.v1");
    assert_eq!(placed.unwrap()["event"]["data"]["address"], "•••");
    // The replay has a reason, and its purpose is to show the driver's way.
    assert!(placed.unwrap()["event"]["data"]["destLat"].is_number());
    let position = shown.iter().find(|it| it["stream"] == "POSITIONS");
    assert!(position.unwrap()["event"]["data"]["lat"].is_number());
    let kept = fixture.get(&format!("/replays/{id}")).await.body;
    assert_eq!(
        (&kept["verb"], &kept["stream"]),
        (&json!("live"), &Value::Null)
    );
    assert_eq!(kept["spec"], json!({ "order": order, "speed": 1_000.0 }));
    fixture.end().await;
}

#[tokio::test]
async fn an_order_goes_whole_and_to_browsers_only() {
    let fixture = Fixture::new().await;
    let order = order(&fixture).await;
    let with = |change: Value| {
        let mut body = replay(&order);
        for (name, value) in change.as_object().unwrap() {
            body[name] = value.clone();
        }
        body
    };
    for (change, status) in [
        (json!({ "dryRun": true }), 200),
        (json!({ "order": "ORD-00000000" }), 404),
        (json!({ "order": null }), 422),
        (json!({ "target": { "consumer": "driver_DRIVERS" } }), 422),
        (json!({ "stream": "ORDERS" }), 422),
        (json!({ "from": 1 }), 422),
        (json!({ "to": 1 }), 422),
        (json!({ "filter": "tiffin.order.*.*" }), 422),
        (json!({ "speed": 0 }), 422),
        (json!({ "reason": " " }), 422),
    ] {
        let answer = fixture.post("/replays", with(change.clone())).await;
        assert_eq!(answer.status, status, "{change}: {}", answer.text);
    }
    assert!(fixture.verbs().await.is_empty(), "something was begun");
    fixture.end().await;
}
