//! Events of made-up orders, and moving them from the log to the archive.

use std::time::Duration as StdDuration;

use serde_json::{Value, json};
use tiffin_archive::Archive;
use tiffin_bus::archiver::{self, Window};
use tiffin_events::{
    Clock, Stream,
    subject::{self, EventType},
};
use tiffin_operator::{State, keep_window};
use tiffin_testkit::{sample, verifier};
use time::{Duration, OffsetDateTime, format_description::well_known::Rfc3339};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::fixture::{Fixture, List, eventually};

/// The order and the delivery of the samples.
const ORDER: &str = "01930000-0000-7000-8000-000000000030";
const DELIVERY: &str = "01930000-0000-7000-8000-000000000050";

/// The events of an order, on streams that are archived.
const KINDS: [&str; 7] = [
    "tiffin.order.placed.v1",
    "tiffin.payment.captured.v1",
    "tiffin.order.confirmed.v1",
    "tiffin.delivery.created.v1",
    "tiffin.notification.created.v1",
    "tiffin.item.added.v1",
    "tiffin.driver.registered.v1",
];

/// An order whose events were published.
pub struct Ordered {
    pub id: Uuid,
    pub code: String,
}

/// Publishes the events of one order, and of a new account. Some have ids of an earlier time than those before them.
pub async fn publish_order(fixture: &Fixture, number: usize) -> Ordered {
    let (order, delivery) = (fixture.clock.new_id(), fixture.clock.new_id());
    let code = format!("ORD-TEST{number:04}");
    for (at, kind) in KINDS
        .iter()
        .chain(&["tiffin.user.registered.v1"])
        .enumerate()
    {
        let past = Clock::manual(fixture.clock.now() - Duration::days(3));
        let text = serde_json::to_string(&sample(kind)).unwrap();
        let text = text.replace(ORDER, &order.to_string());
        let text = text.replace(DELIVERY, &delivery.to_string());
        let mut event: Value = serde_json::from_str(&text.replace("ORD-7K3M9QX2", &code)).unwrap();
        let clock = if at % 3 == number % 3 {
            &past
        } else {
            &fixture.clock
        };
        event["id"] = json!(clock.new_id());
        event["time"] = json!(fixture.clock.now().format(&Rfc3339).unwrap());
        if !["order", "delivery"].contains(&EventType::parse(kind).aggregate) {
            event["subject"] = json!(fixture.clock.new_id());
        }
        let parts = EventType::parse(kind);
        let id = event["subject"].as_str().unwrap().parse().unwrap();
        let subject = subject::event(parts.aggregate, id, parts.event);
        fixture.publish(subject, &event).await;
    }
    Ordered { id: order, code }
}

/// Waits until the log has so many events of streams that are archived.
pub async fn logged(fixture: &Fixture, count: i64) {
    eventually("the log has the events", async || {
        rows(fixture).await == count
    })
    .await;
}

/// All events of a search, page by page.
pub async fn pages(fixture: &Fixture, path: &str) -> Vec<Value> {
    let (mut all, mut path) = (Vec::new(), path.replace(' ', "%20"));
    loop {
        let answer = fixture.get(&path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text);
        let next = answer.header("link");
        all.extend(answer.list());
        let Some(next) = next else {
            return all;
        };
        let (_, next) = next.split_once("/api/v1/operator").unwrap();
        next.split('>').next().unwrap().clone_into(&mut path);
    }
}

/// The rows of the log's months.
pub async fn rows(fixture: &Fixture) -> i64 {
    sqlx::query_scalar("select count(*) from log.months")
        .fetch_one(&fixture.db.pool)
        .await
        .unwrap()
}

/// The partitions of months.
pub async fn months(fixture: &Fixture) -> Vec<String> {
    sqlx::query_scalar(
        "select relname::text from pg_class
         where relnamespace = 'log'::regnamespace and relkind = 'r' and relname like 'events%' order by 1",
    )
    .fetch_all(&fixture.db.pool)
    .await
    .unwrap()
}

/// The name of a time's partition.
pub fn month(time: OffsetDateTime) -> String {
    format!("events_{:04}_{:02}", time.year(), u8::from(time.month()))
}

/// The first day of the next month.
pub fn next_month(fixture: &Fixture) -> OffsetDateTime {
    month_after(fixture.clock.now())
}

/// The first day of the month after a time.
pub fn month_after(now: OffsetDateTime) -> OffsetDateTime {
    let later = now.replace_day(1).unwrap() + Duration::days(32);
    later.replace_day(1).unwrap()
}

/// Moves all that a stream has to the archive.
pub async fn archive(fixture: &Fixture, stream: Stream) {
    let broker = &fixture.nats.broker;
    let archive = Archive::folder(fixture.archive.path().to_owned());
    let window = Window {
        max_age: StdDuration::ZERO,
        min_segment_bytes: 1,
        ..Window::default()
    };
    eventually("the stream is archived", async || {
        let now = fixture.clock.now();
        let step = archiver::step(broker, &archive, stream, window, now).await;
        step.unwrap();
        let stream = broker.jetstream.get_stream(stream.name()).await;
        stream.unwrap().cached_info().state.messages == 0
    })
    .await;
}

/// Moves all archived streams.
pub async fn archive_all(fixture: &Fixture) {
    for stream in Stream::ALL.into_iter().filter(|it| it.is_archived()) {
        archive(fixture, stream).await;
    }
}

/// Keeps the log at its size as the service does at a time.
pub async fn keep(fixture: &Fixture, now: OffsetDateTime) {
    let clock = Clock::manual(now);
    let state = State::new(
        fixture.db.pool.clone(),
        fixture.nats.broker.clone(),
        verifier(&clock),
        clock,
        CancellationToken::new(),
    );
    keep_window(&state).await.unwrap();
}

/// Lets go of this month's partition, which must be archived.
pub async fn let_go(fixture: &Fixture) {
    let this = month(fixture.clock.now());
    eventually("the month left the log", async || {
        keep(fixture, next_month(fixture)).await;
        !months(fixture).await.contains(&this)
    })
    .await;
}
