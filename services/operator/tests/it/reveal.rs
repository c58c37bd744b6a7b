//! Personal fields can be searched and seen only with a reason.

use serde_json::{Value, json};
use tiffin_testkit::sample;

use crate::{
    events::{found, publish},
    fixture::{Fixture, List, eventually},
};

const PHONE: &str = "0771234567";

/// Publishes a customer with a phone number and coordinates.
async fn customer(fixture: &Fixture) -> Value {
    let mut event = serde_json::to_value(sample("tiffin.user.updated.v1")).unwrap();
    event["data"]["phone"] = PHONE.into();
    event["data"]["lat"] = json!(6.91471);
    event["data"]["lng"] = json!(79.86213);
    let id = event["subject"].as_str().unwrap();
    fixture
        .publish(format!("tiffin.user.{id}.updated"), &event)
        .await;
    publish(fixture, "tiffin.order.placed.v1").await;
    eventually("the log has them", async || {
        found(fixture, "").await.len() == 2
    })
    .await;
    event
}

#[tokio::test]
async fn words_are_looked_for_in_what_is_shown_and_in_personal_fields_only_with_a_reason_that_is_kept()
 {
    let fixture = Fixture::new().await;
    let event = customer(&fixture).await;
    for personal in [PHONE, "6.91471", "79.86213"] {
        let query = format!("?q={personal}");
        assert!(found(&fixture, &query).await.is_empty(), "{personal}");
    }
    assert!(fixture.verbs().await.is_empty());
    // Words of fields that are shown are found without a reason.
    let role = event["data"]["role"].as_str().unwrap();
    assert_eq!(
        found(&fixture, &format!("?stream=USERS&q={role}"))
            .await
            .len(),
        1
    );

    assert_eq!(
        fixture
            .get(&format!("/events?q={PHONE}&reveal=%20"))
            .await
            .status,
        422
    );
    assert!(fixture.verbs().await.is_empty());
    let shown = found(&fixture, &format!("?q={PHONE}&reveal=a%20complaint")).await;
    assert_eq!(shown.len(), 1);
    assert_eq!(shown[0]["event"]["data"]["phone"], PHONE);
    assert_eq!(shown[0]["event"]["data"]["lat"], 6.91471);
    assert_eq!(fixture.verbs().await, ["reveal"]);
    eventually("the reveal is an event", async || {
        found(&fixture, "?type=tiffin.operation.begun.v1")
            .await
            .len()
            == 1
    })
    .await;
    let recorded = &found(&fixture, "?type=tiffin.operation.begun.v1").await[0]["event"]["data"];
    assert_eq!(recorded["reason"], "a complaint");
    assert_eq!(
        recorded["target"], "search q=•••",
        "what is never forgotten holds no personal data"
    );
    // The next page needs the reason again, and is recorded again.
    let page = fixture.get("/events?limit=1&reveal=a%20complaint").await;
    assert!(
        page.headers["link"]
            .to_str()
            .unwrap()
            .contains("reveal=a%20complaint")
    );
    assert_eq!(fixture.verbs().await, ["reveal", "reveal"]);
    fixture.end().await;
}

#[tokio::test]
async fn events_that_the_log_had_before_are_read_for_the_words_that_are_shown() {
    let fixture = Fixture::new().await;
    let event = customer(&fixture).await;
    sqlx::query("update events set words = null")
        .execute(&fixture.db.pool)
        .await
        .unwrap();
    let role = event["data"]["role"].as_str().unwrap();
    eventually("the events are found again", async || {
        found(&fixture, &format!("?stream=USERS&q={role}"))
            .await
            .len()
            == 1
    })
    .await;
    assert!(found(&fixture, &format!("?q={PHONE}")).await.is_empty());
    let verified = fixture
        .post(
            "/projections/event-log/verify",
            json!({ "reason": "a test" }),
        )
        .await;
    let path = format!("/replays/{}", verified.body["replayId"].as_str().unwrap());
    eventually("the log agrees with the streams", async || {
        fixture.get(&path).await.body["report"]["equal"] == true
    })
    .await;
    fixture.end().await;
}

#[tokio::test]
async fn a_restaurant_is_found_by_its_name_and_not_by_its_phone() {
    let fixture = Fixture::new().await;
    let event = publish(&fixture, "tiffin.restaurant.created.v1").await;
    let data = &event["data"];
    let [name, phone] = ["name", "phone"].map(|field| data[field].as_str().unwrap());
    eventually("the restaurant is found", async || {
        found(&fixture, &format!("?q={}", name.replace(' ', "%20")))
            .await
            .len()
            == 1
    })
    .await;
    assert!(found(&fixture, &format!("?q={phone}")).await.is_empty());
    let shown = &found(&fixture, "").await[0]["event"]["data"];
    assert_eq!(shown["address"], data["address"]);
    assert_eq!(shown["phone"], "•••");
    assert!(fixture.verbs().await.is_empty());
    fixture.end().await;
}

#[tokio::test]
async fn coordinates_are_masked_without_a_reason() {
    let fixture = Fixture::new().await;
    customer(&fixture).await;
    publish(&fixture, "tiffin.delivery.created.v1").await;
    publish(&fixture, "tiffin.position.updated.v1").await;
    eventually("the log has them", async || {
        found(&fixture, "").await.len() == 3
    })
    .await;
    let is_masked = |event: &Value| {
        let data = &event["event"]["data"];
        ["lat", "lng", "destLat", "destLng", "phone", "address"]
            .iter()
            .all(|field| data[field].is_null() || data[field] == "•••")
    };
    let all = found(&fixture, "").await;
    assert!(all.iter().all(is_masked), "{all:?}");
    let home = all.iter().find(|one| one["stream"] == "USERS").unwrap();
    assert_eq!(home["event"]["data"]["lat"], "•••");

    let delivery = all
        .iter()
        .find(|one| one["stream"] == "DELIVERIES")
        .unwrap();
    let order = delivery["event"]["correlationid"].as_str().unwrap();
    let timeline = fixture.get(&format!("/timeline/{order}")).await.list();
    let position = |events: &[Value]| {
        let found = events.iter().find(|one| one["stream"] == "POSITIONS");
        found.unwrap()["event"]["data"]["lat"].clone()
    };
    assert!(timeline.iter().all(is_masked), "{timeline:?}");
    assert_eq!(position(&timeline), "•••");
    let path = format!("/timeline/{order}?reveal=");
    assert_eq!(fixture.get(&path).await.status, 422);
    assert!(fixture.verbs().await.is_empty());
    let shown = fixture.get(&format!("{path}where%20was%20he")).await.list();
    assert!(position(&shown).is_number());
    assert_eq!(fixture.verbs().await, ["reveal"]);
    fixture.end().await;
}

#[tokio::test]
async fn a_dead_letter_of_any_kind_shows_nothing_personal() {
    let fixture = Fixture::new().await;
    let user = fixture.clock.new_id();
    let mut event = serde_json::to_value(sample("tiffin.user.registered.v1")).unwrap();
    event["subject"] = json!(user);
    event["data"]["poison"] = true.into();
    event["data"]["phone"] = PHONE.into();
    fixture
        .publish(format!("tiffin.user.{user}.registered"), &event)
        .await;
    let jetstream = &fixture.nats.broker.jetstream;
    let subject = format!("tiffin.user.{}.updated", fixture.clock.new_id());
    let garbage = format!("{{ a phone is {PHONE}");
    jetstream
        .publish(subject, garbage.into())
        .await
        .unwrap()
        .await
        .unwrap();
    // The driver service fails with both messages, the event log with the one that is no event.
    eventually("all three are dead letters", async || {
        fixture.get("/dead").await.list().len() == 3
    })
    .await;
    let letters = fixture.get("/dead").await;
    assert!(!letters.text.contains(PHONE), "{}", letters.text);
    fixture.end().await;
}
