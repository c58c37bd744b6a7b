use serde_json::Value;
use tiffin_events::{
    DeliveryId, Role, UserId,
    subject::{self, EventType},
};
use tiffin_testkit::{sample, token};

use crate::fixture::{Fixture, List, eventually};

/// Publishes a committed sample on its own subject.
pub async fn publish(fixture: &Fixture, kind: &str) -> Value {
    let event = serde_json::to_value(sample(kind)).unwrap();
    let parts = EventType::parse(kind);
    let id = event["subject"].as_str().unwrap().parse().unwrap();
    let subject = if parts.aggregate == "position" {
        subject::position(DeliveryId(id))
    } else {
        subject::event(parts.aggregate, id, parts.event)
    };
    fixture.publish(subject, &event).await;
    event
}

pub async fn found(fixture: &Fixture, query: &str) -> Vec<Value> {
    let answer = fixture.get(&format!("/events{query}")).await;
    assert_eq!(answer.status, 200, "{query}: {}", answer.text);
    answer.list()
}

#[tokio::test]
async fn events_are_found_by_what_they_are_of_and_what_they_say_newest_first() {
    let fixture = Fixture::new().await;
    let placed = publish(&fixture, "tiffin.order.placed.v1").await;
    publish(&fixture, "tiffin.order.confirmed.v1").await;
    publish(&fixture, "tiffin.user.registered.v1").await;
    eventually("all events are in the log", async || {
        found(&fixture, "").await.len() == 3
    })
    .await;

    let order = placed["subject"].as_str().unwrap();
    for (query, count) in [
        ("?stream=ORDERS".to_owned(), 2),
        ("?stream=orders&type=tiffin.order.placed.v1".to_owned(), 1),
        (format!("?aggregate={order}"), 2),
        (
            format!("?actor={}", placed["actor"].as_str().unwrap()),
            found(&fixture, "")
                .await
                .iter()
                .filter(|one| one["event"]["actor"] == placed["actor"])
                .count(),
        ),
        ("?from=2999-01-01T00:00:00Z".to_owned(), 0),
        (
            format!("?q={}", placed["data"]["orderCode"].as_str().unwrap()),
            2,
        ),
        ("?q=nosuchword".to_owned(), 0),
        ("?stream=ORDERS&seq=2".to_owned(), 1),
        ("?seq=1-2".to_owned(), 3),
        ("?seq=3-9".to_owned(), 0),
    ] {
        assert_eq!(found(&fixture, &query).await.len(), count, "{query}");
    }
    let ids: Vec<_> = found(&fixture, "")
        .await
        .iter()
        .map(|one| one["event"]["id"].to_string())
        .collect();
    let mut sorted = ids.clone();
    sorted.sort_by(|one, other| other.cmp(one));
    assert_eq!(ids, sorted);

    let page = fixture.get("/events?limit=2").await;
    let next = page.headers["link"].to_str().unwrap();
    let cursor = next
        .split("cursor=")
        .nth(1)
        .unwrap()
        .split('>')
        .next()
        .unwrap();
    assert_eq!(
        found(&fixture, &format!("?limit=2&cursor={cursor}"))
            .await
            .len(),
        1
    );
    fixture.end().await;
}

#[tokio::test]
async fn personal_fields_are_masked_until_an_operator_gives_a_reason_which_is_kept() {
    let fixture = Fixture::new().await;
    let registered = publish(&fixture, "tiffin.user.registered.v1").await;
    eventually("the event is in the log", async || {
        found(&fixture, "").await.len() == 1
    })
    .await;
    let masked: Value = fixture.get("/events/USERS/1").await.body;
    assert_eq!(masked["event"]["data"]["email"], "•••");
    assert_eq!(masked["event"]["id"], registered["id"]);
    let empty = fixture.get("/events/USERS/1?reveal=%20").await;
    assert_eq!(empty.status, 422);
    let shown: Value = fixture
        .get("/events/USERS/1?reveal=a%20complaint")
        .await
        .body;
    assert_eq!(shown["event"]["data"]["email"], registered["data"]["email"]);
    assert_eq!(fixture.verbs().await, ["reveal"]);
    eventually("the reveal is an event", async || {
        found(&fixture, "?type=tiffin.operation.begun.v1")
            .await
            .len()
            == 1
    })
    .await;
    fixture.end().await;
}

#[tokio::test]
async fn a_timeline_shows_an_order_its_delivery_and_every_position() {
    let fixture = Fixture::new().await;
    let placed = publish(&fixture, "tiffin.order.placed.v1").await;
    publish(&fixture, "tiffin.order.confirmed.v1").await;
    let created = publish(&fixture, "tiffin.delivery.created.v1").await;
    let mut position = serde_json::to_value(sample("tiffin.position.updated.v1")).unwrap();
    position["subject"] = created["subject"].clone();
    let delivery = created["subject"].as_str().unwrap();
    fixture
        .publish(format!("tiffin.position.{delivery}"), &position)
        .await;
    // The same one comes late, too, and another.
    let sequence = position["sequence"].as_i64().unwrap();
    for late in [sequence, sequence - 1000] {
        position["sequence"] = late.into();
        let subject = format!("tiffin.position.{delivery}.{late}");
        fixture.publish(subject, &position).await;
    }
    eventually("the log has the events", async || {
        found(&fixture, "").await.len() == 3
    })
    .await;

    let order = created["correlationid"].as_str().unwrap();
    let timeline: Vec<Value> = fixture.get(&format!("/timeline/{order}")).await.list();
    let kinds: Vec<_> = timeline
        .iter()
        .map(|one| one["event"]["type"].as_str().unwrap())
        .collect();
    let is_position = |kind: &&&str| **kind == "tiffin.position.updated.v1";
    assert_eq!(kinds.iter().filter(is_position).count(), 2, "{kinds:?}");
    assert!(kinds.contains(&"tiffin.delivery.created.v1"), "{kinds:?}");
    let code = placed["data"]["orderCode"].as_str().unwrap();
    let by_code = fixture
        .get(&format!("/timeline/{}", code.to_lowercase()))
        .await;
    assert_eq!(by_code.status, 200);
    assert_eq!(fixture.get("/timeline/ORD-00000000").await.status, 404);
    fixture.end().await;
}

#[tokio::test]
async fn only_operators_read_history() {
    let fixture = Fixture::new().await;
    let customer = token(
        &fixture.clock,
        UserId(fixture.clock.new_id()),
        Role::Customer,
    )
    .sign();
    for path in [
        "/events",
        "/events/USERS/1",
        "/streams",
        "/timeline/ORD-1",
        "/replays",
        "/dead",
    ] {
        let path = format!("/api/v1/operator{path}");
        assert_eq!(fixture.app.get(&path).await.status, 401, "{path}");
        assert_eq!(
            fixture.app.get(&path).token(&customer).await.status,
            403,
            "{path}"
        );
    }
    for (path, status) in [
        ("/events?stream=NONE", 404),
        (
            "/events?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z",
            422,
        ),
        ("/events?from=yesterday", 422),
        ("/events?q=a%00b", 422),
        ("/events?seq=2-1", 422),
        ("/events?seq=-3", 422),
        ("/events?seq=12-", 422),
        ("/events?seq=first", 422),
        ("/events/NONE/1", 404),
        ("/events/USERS/999", 404),
    ] {
        assert_eq!(fixture.get(path).await.status, status, "{path}");
    }
    fixture.end().await;
}
