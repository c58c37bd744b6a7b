use async_nats::jetstream::stream::Config;
use serde_json::{Value, json};
use tiffin_chassis::telemetry;
use tiffin_events::{
    Clock, Stream,
    subject::{self, EventType},
};
use tiffin_testkit::sample;
use time::{Duration, OffsetDateTime, format_description::well_known::Rfc3339};

use crate::fixture::{BROKER_DISK, Fixture, eventually};

const PLACED: &str = "tiffin.order.placed.v1";

/// Publishes events of new aggregates that happened so long ago.
async fn publish(fixture: &Fixture, kind: &str, ago: Duration, count: usize) {
    let past = Clock::manual(fixture.clock.now() - ago);
    let parts = EventType::parse(kind);
    for _ in 0..count {
        let mut event = serde_json::to_value(sample(kind)).unwrap();
        let aggregate = past.new_id();
        event["id"] = json!(past.new_id());
        event["subject"] = json!(aggregate);
        event["time"] = json!(past.now().format(&Rfc3339).unwrap());
        let subject = subject::event(parts.aggregate, aggregate, parts.event);
        fixture.publish(subject, &event).await;
    }
    let path = format!("/events?type={kind}&limit=100");
    eventually("the events are in the log", async || {
        let found = fixture.get(&path).await.body;
        found.as_array().unwrap().len() >= count
    })
    .await;
}

async fn capacity(fixture: &Fixture) -> Value {
    let answer = fixture.get("/capacity").await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.body
}

fn named<'a>(list: &'a Value, name: &str) -> &'a Value {
    let mut all = list.as_array().unwrap().iter();
    all.find(|one| one["name"] == name).unwrap()
}

#[track_caller]
fn assert_near(value: &Value, expected: f64) {
    let value = value.as_f64().unwrap();
    let difference = (value - expected).abs();
    assert!(
        difference <= expected.abs() * 1e-6,
        "{value} is not {expected}"
    );
}

/// Leaves a stream room for so many of its messages, and returns its cap.
async fn leave_room(fixture: &Fixture, stream: Stream, messages: f64) -> i64 {
    let jetstream = &fixture.nats.broker.jetstream;
    let found = jetstream.get_stream(stream.name()).await.unwrap();
    let info = found.cached_info().clone();
    let mean = info.state.bytes / info.state.messages;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "a few thousand bytes"
    )]
    let room = (mean as f64 * messages) as i64;
    let max_bytes = i64::try_from(info.state.bytes).unwrap() + room;
    let config = Config {
        max_bytes,
        ..info.config
    };
    jetstream.update_stream(config).await.unwrap();
    max_bytes
}

#[tokio::test]
async fn paces_and_the_cost_of_an_order_are_those_of_the_events_of_the_week() {
    let fixture = Fixture::new().await;
    publish(&fixture, PLACED, Duration::days(20), 1).await;
    publish(&fixture, PLACED, Duration::days(2), 3).await;
    publish(&fixture, "tiffin.order.confirmed.v1", Duration::days(2), 4).await;
    publish(&fixture, "tiffin.delivery.created.v1", Duration::days(1), 2).await;
    publish(&fixture, "tiffin.user.registered.v1", Duration::days(1), 5).await;
    eventually("the old order is in the log", async || {
        let found = fixture.get(&format!("/events?type={PLACED}")).await.body;
        found.as_array().unwrap().len() == 4
    })
    .await;
    let capacity = capacity(&fixture).await;
    let window = &capacity["window"];
    assert_eq!(
        (&window["days"], &window["isWhole"]),
        (&json!(7.0), &json!(true))
    );

    let standing = fixture.get("/streams").await.body;
    let bytes = |name| named(&standing["streams"], name)["bytes"].as_f64().unwrap();
    let orders = named(&capacity["streams"], "ORDERS");
    assert_eq!(
        (&orders["messages"], &orders["refuses"]),
        (&json!(8), &json!(true))
    );
    assert_near(&orders["bytes"], bytes("ORDERS"));
    assert_near(&orders["eventsADay"], 1.0);
    assert_near(&orders["bytesADay"], bytes("ORDERS") / 8.0);
    assert_eq!(
        orders["fullAt"],
        Value::Null,
        "a gigabyte lasts longer than people live"
    );
    assert_near(
        &named(&capacity["streams"], "DELIVERIES")["eventsADay"],
        2.0 / 7.0,
    );
    assert_near(
        &named(&capacity["streams"], "NOTIFICATIONS")["eventsADay"],
        0.0,
    );
    for name in ["POSITIONS", "REVOCATIONS"] {
        let one = named(&capacity["streams"], name);
        assert_eq!(
            (&one["refuses"], &one["fullAt"]),
            (&json!(false), &Value::Null),
            "{name}"
        );
    }

    let order = &capacity["order"];
    assert_eq!(order["placed"], 3);
    assert_near(&order["events"], 3.0);
    assert_near(
        &order["bytes"],
        (bytes("ORDERS") / 8.0 * 7.0 + bytes("DELIVERIES")) / 3.0,
    );
    assert_near(&capacity["eventLog"]["bytesADay"], {
        // 14 of the 15 events are of the week.
        capacity["eventLog"]["bytes"].as_f64().unwrap() / 15.0 * 14.0 / 7.0
    });
    let kept: i64 = sqlx::query_scalar("select pg_total_relation_size('log.kept')")
        .fetch_one(&fixture.db.pool)
        .await
        .unwrap();
    let pace = capacity["eventLog"]["bytes"].as_f64().unwrap() / 15.0 * 9.0 / 7.0;
    #[expect(clippy::cast_precision_loss, reason = "a few kilobytes")]
    assert_near(
        &capacity["eventLog"]["settlesAt"],
        kept as f64 + pace * (30.0 + 31.0),
    );
    fixture.end().await;
}

#[tokio::test]
async fn a_stream_near_its_cap_comes_first_with_its_day_and_one_without_room_is_full() {
    let fixture = Fixture::new().await;
    publish(&fixture, PLACED, Duration::days(7) - Duration::hours(1), 1).await;
    publish(&fixture, "tiffin.order.confirmed.v1", Duration::days(2), 13).await;
    publish(&fixture, "tiffin.user.registered.v1", Duration::days(30), 1).await;
    // Below half of its cap the archive makes room.
    leave_room(&fixture, Stream::Orders, 20.0).await;
    let streams = capacity(&fixture).await["streams"].clone();
    assert_eq!(named(&streams, "ORDERS")["fullAt"], Value::Null);
    // Two events a day: room for eight lasts four days.
    let max = leave_room(&fixture, Stream::Orders, 8.0).await;
    let near = capacity(&fixture).await["streams"][0].clone();
    assert_eq!(
        (&near["name"], &near["maxBytes"]),
        (&json!("ORDERS"), &json!(max))
    );
    assert_near(&near["eventsADay"], 2.0);
    let full_at = OffsetDateTime::parse(near["fullAt"].as_str().unwrap(), &Rfc3339).unwrap();
    let left = full_at - fixture.clock.now();
    assert!(
        (left - Duration::days(4)).abs() < Duration::hours(1),
        "{left}"
    );

    leave_room(&fixture, Stream::Orders, 0.5).await;
    let full = capacity(&fixture).await["streams"][0].clone();
    assert!(full["percent"].as_f64().unwrap() > 90.0, "{full}");
    let full_at = OffsetDateTime::parse(full["fullAt"].as_str().unwrap(), &Rfc3339).unwrap();
    assert!(full_at <= fixture.clock.now(), "{full}");
    // The broker agrees.
    let event = serde_json::to_vec(&sample(PLACED)).unwrap();
    let subject = subject::event("order", fixture.clock.new_id(), "placed");
    let published = fixture.nats.broker.jetstream.publish(subject, event.into());
    assert!(published.await.unwrap().await.is_err(), "it takes one more");
    fixture.end().await;
}

#[tokio::test]
async fn a_young_platform_is_measured_over_its_age_and_from_its_first_day_on() {
    let fixture = Fixture::new().await;
    let empty = capacity(&fixture).await;
    assert_eq!(empty["order"], Value::Null);
    publish(&fixture, PLACED, Duration::hours(3), 2).await;
    let young = capacity(&fixture).await;
    for capacity in [&empty, &young] {
        assert!(capacity["window"]["days"].as_f64().unwrap() < 1.0);
        for stream in capacity["streams"].as_array().unwrap() {
            let unknown = [
                &stream["eventsADay"],
                &stream["bytesADay"],
                &stream["fullAt"],
            ];
            assert_eq!(unknown, [&Value::Null; 3], "{stream}");
        }
    }
    assert_eq!(young["order"]["events"], 1.0);

    publish(&fixture, "tiffin.order.confirmed.v1", Duration::days(2), 4).await;
    let older = capacity(&fixture).await;
    let days = older["window"]["days"].as_f64().unwrap();
    assert!(
        (2.0..2.1).contains(&days) && older["window"]["isWhole"] == false,
        "{days}"
    );
    assert_near(
        &named(&older["streams"], "ORDERS")["eventsADay"],
        6.0 / days,
    );
    fixture.end().await;
}

#[tokio::test]
async fn outboxes_and_the_brokers_disk_have_their_sizes() {
    let metrics = telemetry::metrics();
    let fixture = Fixture::new().await;
    publish(&fixture, PLACED, Duration::days(20), 1).await;
    fixture.change(fixture.clock.new_id(), 4).await;
    eventually("all events took effect", async || {
        fixture.effects().await == 4
    })
    .await;
    let capacity = capacity(&fixture).await;
    let driver = named(&capacity["databases"], "driver");
    let bytes: i64 = sqlx::query_scalar("select pg_total_relation_size('bus.outbox')")
        .fetch_one(&fixture.driver.pool)
        .await
        .unwrap();
    assert_eq!(
        (&driver["outbox"]["rows"], &driver["outbox"]["bytes"]),
        (&json!(4), &json!(bytes))
    );
    assert_near(&driver["outbox"]["rowsADay"], 4.0 / 7.0);
    assert!(driver["otherBytes"].as_i64().unwrap() > 0);
    // Events from before the last day have left the outbox for the archive.
    sqlx::query("update bus.heads set trimmed_until = now() - interval '1 day'")
        .execute(&fixture.driver.pool)
        .await
        .unwrap();
    let trimmed = self::capacity(&fixture).await;
    let driver = named(&trimmed["databases"], "driver");
    assert_near(&driver["outbox"]["rowsADay"], 4.0);
    let order = named(&capacity["databases"], "order");
    assert_eq!(
        order["outbox"],
        Value::Null,
        "no service answers for orders here"
    );

    let streams = capacity["streams"].as_array().unwrap();
    let stored: u64 = streams
        .iter()
        .map(|one| one["bytes"].as_u64().unwrap())
        .sum();
    let broker = &capacity["broker"];
    assert_eq!(
        (&broker["bytes"], &broker["maxBytes"]),
        (&json!(stored), &json!(BROKER_DISK))
    );
    let known = r#"tiffin_stream_full_in_seconds{stream="ORDERS"}"#;
    eventually("the time is reported", async || {
        metrics.render().contains(known)
    })
    .await;
    fixture.end().await;
}
