use serde_json::Value;

use crate::fixture::{Fixture, eventually};

#[tokio::test]
async fn streams_consumers_and_outboxes_are_reported_as_they_are() {
    let fixture = Fixture::new().await;
    fixture.change(fixture.clock.new_id(), 4).await;
    eventually("all events took effect", async || {
        fixture.effects().await == 4
    })
    .await;
    let standing: Value = fixture.get("/streams").await.body;
    let streams = standing["streams"].as_array().unwrap();
    let drivers = streams.iter().find(|one| one["name"] == "DRIVERS").unwrap();
    assert_eq!(
        (drivers["messages"].as_u64(), drivers["lastSeq"].as_u64()),
        (Some(4), Some(4))
    );
    let consumers: Vec<_> = drivers["consumers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            (
                one["name"].as_str().unwrap(),
                one["pending"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(consumers, [("driver_DRIVERS", 0), ("operator_DRIVERS", 0)]);
    let takes = |n: usize| drivers["consumers"][n]["takesReplays"].as_bool().unwrap();
    assert!(takes(0) && !takes(1), "the event log only copies");
    let services = standing["services"].as_array().unwrap();
    let there = |name| services.iter().find(|one| one["name"] == name).unwrap()["isThere"] == true;
    assert!(there("driver"));
    assert!(!there("order"), "no service answers for orders here");
    assert_eq!(standing["deadLetters"], 0);
    fixture.end().await;
}
