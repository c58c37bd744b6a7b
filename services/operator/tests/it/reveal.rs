//! Personal fields can be searched and seen only with a reason.

use serde_json::{Value, json};
use tiffin_testkit::sample;

use crate::{
    events::{found, publish},
    harness::{Desk, List, eventually},
};

const PHONE: &str = "0771234567";

/// Publishes a customer with a phone number and a place.
async fn customer(desk: &Desk) -> Value {
    let mut event = serde_json::to_value(sample("tiffin.user.updated.v1")).unwrap();
    event["data"]["phone"] = PHONE.into();
    event["data"]["lat"] = json!(6.91471);
    event["data"]["lng"] = json!(79.86213);
    let id = event["subject"].as_str().unwrap();
    desk.publish(format!("tiffin.user.{id}.updated"), &event)
        .await;
    publish(desk, "tiffin.order.placed.v1").await;
    eventually("the log has them", async || {
        found(desk, "").await.len() == 2
    })
    .await;
    event
}

#[tokio::test]
async fn words_are_looked_for_in_what_is_shown_and_in_personal_fields_only_with_a_reason_that_is_kept()
 {
    let desk = Desk::new().await;
    let event = customer(&desk).await;
    for personal in [PHONE, "6.91471", "79.86213"] {
        let query = format!("?q={personal}");
        assert!(found(&desk, &query).await.is_empty(), "{personal}");
    }
    assert!(desk.verbs().await.is_empty());
    // Words of fields that are shown are found without a reason.
    let role = event["data"]["role"].as_str().unwrap();
    assert_eq!(
        found(&desk, &format!("?stream=USERS&q={role}")).await.len(),
        1
    );

    assert_eq!(
        desk.get(&format!("/events?q={PHONE}&reveal=%20"))
            .await
            .status,
        422
    );
    assert!(desk.verbs().await.is_empty());
    let shown = found(&desk, &format!("?q={PHONE}&reveal=a%20complaint")).await;
    assert_eq!(shown.len(), 1);
    assert_eq!(shown[0]["event"]["data"]["phone"], PHONE);
    assert_eq!(shown[0]["event"]["data"]["lat"], 6.91471);
    assert_eq!(desk.verbs().await, ["reveal"]);
    eventually("the reveal is an event", async || {
        found(&desk, "?stream=OPERATIONS").await.len() == 1
    })
    .await;
    let recorded = &found(&desk, "?stream=OPERATIONS").await[0]["event"]["data"];
    assert_eq!(recorded["reason"], "a complaint");
    assert_eq!(
        recorded["target"], "search q=•••",
        "what is never forgotten holds no personal data"
    );
    // The next page needs the reason again, and is recorded again.
    let page = desk.get("/events?limit=1&reveal=a%20complaint").await;
    assert!(
        page.headers["link"]
            .to_str()
            .unwrap()
            .contains("reveal=a%20complaint")
    );
    assert_eq!(desk.verbs().await, ["reveal", "reveal"]);
    desk.end().await;
}

#[tokio::test]
async fn events_that_the_log_had_before_are_read_for_the_words_that_are_shown() {
    let desk = Desk::new().await;
    let event = customer(&desk).await;
    sqlx::query("update events set words = null")
        .execute(&desk.db.pool)
        .await
        .unwrap();
    let role = event["data"]["role"].as_str().unwrap();
    eventually("the events are found again", async || {
        found(&desk, &format!("?stream=USERS&q={role}")).await.len() == 1
    })
    .await;
    assert!(found(&desk, &format!("?q={PHONE}")).await.is_empty());
    let verified = desk
        .post(
            "/projections/event-log/verify",
            json!({ "reason": "a test" }),
        )
        .await;
    let path = format!("/replays/{}", verified.body["replayId"].as_str().unwrap());
    eventually("the log agrees with the streams", async || {
        desk.get(&path).await.body["report"]["equal"] == true
    })
    .await;
    desk.end().await;
}

#[tokio::test]
async fn places_are_masked_where_no_reason_was_given() {
    let desk = Desk::new().await;
    customer(&desk).await;
    publish(&desk, "tiffin.delivery.created.v1").await;
    publish(&desk, "tiffin.position.updated.v1").await;
    eventually("the log has them", async || {
        found(&desk, "").await.len() == 3
    })
    .await;
    let is_masked = |event: &Value| {
        let data = &event["event"]["data"];
        ["lat", "lng", "destLat", "destLng", "phone", "address"]
            .iter()
            .all(|field| data[field].is_null() || data[field] == "•••")
    };
    let all = found(&desk, "").await;
    assert!(all.iter().all(is_masked), "{all:?}");
    let home = all.iter().find(|one| one["stream"] == "USERS").unwrap();
    assert_eq!(home["event"]["data"]["lat"], "•••");

    let delivery = all
        .iter()
        .find(|one| one["stream"] == "DELIVERIES")
        .unwrap();
    let order = delivery["event"]["correlationid"].as_str().unwrap();
    let timeline = desk.get(&format!("/timeline/{order}")).await.list();
    let position = |events: &[Value]| {
        let found = events.iter().find(|one| one["stream"] == "POSITIONS");
        found.unwrap()["event"]["data"]["lat"].clone()
    };
    assert!(timeline.iter().all(is_masked), "{timeline:?}");
    assert_eq!(position(&timeline), "•••");
    let path = format!("/timeline/{order}?reveal=");
    assert_eq!(desk.get(&path).await.status, 422);
    assert!(desk.verbs().await.is_empty());
    let shown = desk.get(&format!("{path}where%20was%20he")).await.list();
    assert!(position(&shown).is_number());
    assert_eq!(desk.verbs().await, ["reveal"]);
    desk.end().await;
}

#[tokio::test]
async fn a_dead_letter_of_any_kind_shows_nothing_personal() {
    let desk = Desk::new().await;
    let user = desk.clock.new_id();
    let mut event = serde_json::to_value(sample("tiffin.user.registered.v1")).unwrap();
    event["subject"] = json!(user);
    event["data"]["poison"] = true.into();
    event["data"]["phone"] = PHONE.into();
    desk.publish(format!("tiffin.user.{user}.registered"), &event)
        .await;
    let jetstream = &desk.nats.broker.jetstream;
    let subject = format!("tiffin.user.{}.updated", desk.clock.new_id());
    let garbage = format!("{{ a phone is {PHONE}");
    jetstream
        .publish(subject, garbage.into())
        .await
        .unwrap()
        .await
        .unwrap();
    // The driver service fails with both messages, the event log with the one that is no event.
    eventually("all three are dead letters", async || {
        desk.get("/dead").await.list().len() == 3
    })
    .await;
    let letters = desk.get("/dead").await;
    assert!(!letters.text.contains(PHONE), "{}", letters.text);
    desk.end().await;
}
