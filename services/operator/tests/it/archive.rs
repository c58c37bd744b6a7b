//! Events that were archived, as operators see them.

use std::time::Duration;

use serde_json::{Value, json};
use tiffin_archive::{Archive, Segment};
use tiffin_bus::archiver::{self, Window};
use tiffin_events::Stream;

use crate::fixture::{Fixture, eventually};

/// Moves everything that is in DRIVERS.
async fn archived(fixture: &Fixture) -> Segment {
    let broker = &fixture.nats.broker;
    let archive = Archive::folder(fixture.archive.path().to_owned());
    let window = Window {
        max_age: Duration::ZERO,
        min_segment_bytes: 1,
        ..Window::default()
    };
    let now = fixture.clock.now();
    let mut segment = None;
    eventually("the stream is archived", async || {
        let step = archiver::step(broker, &archive, Stream::Drivers, window, now).await;
        segment = segment.take().or(step.unwrap());
        let stream = broker.jetstream.get_stream(Stream::Drivers.name()).await;
        stream.unwrap().cached_info().state.messages == 0
    })
    .await;
    segment.unwrap()
}

/// The report of a verification that read everything.
async fn verified(fixture: &Fixture, model: &str) -> Value {
    let operation = fixture.ended(model, "verify").await;
    assert_eq!(operation["handled"], operation["total"]);
    operation["report"].clone()
}

#[tokio::test]
async fn archived_events_are_listed_shown_exported_and_verified() {
    let fixture = Fixture::new().await;
    let driver = fixture.clock.new_id();
    fixture.change(driver, 20).await;
    eventually("all took effect", async || fixture.effects().await == 20).await;
    let segment = archived(&fixture).await;
    assert_eq!((segment.first, segment.count), (1, 20));

    let overview = fixture.get("/streams").await.body;
    let streams = overview["streams"].as_array().unwrap().iter();
    let archived: Vec<_> = streams
        .filter(|stream| !stream["archived"].is_null())
        .map(|stream| (&stream["name"], &stream["archived"], &stream["firstSeq"]))
        .collect();
    let [(name, part, first)] = &archived[..] else {
        panic!("{archived:?}")
    };
    assert_eq!((*name, *first), (&json!("DRIVERS"), &json!(21)));
    assert_eq!(
        (&part["events"], &part["lastSeq"]),
        (&json!(20), &json!(20))
    );

    let export = fixture.get("/export/DRIVERS?reason=a%20test").await;
    assert_eq!(export.text.lines().count(), 20);
    let event = fixture.get("/events/DRIVERS/7").await;
    assert_eq!(event.body["event"]["sequence"], 7, "{}", event.text);

    assert_eq!(verified(&fixture, "archive").await["equal"], true);
    assert_eq!(verified(&fixture, "event-log").await["equal"], true);
    fixture.end().await;
}

#[tokio::test]
async fn an_operator_has_old_events_archived_now() {
    let fixture = Fixture::new().await;
    fixture.change(fixture.clock.new_id(), 20).await;
    eventually("all took effect", async || fixture.effects().await == 20).await;
    let archive = Archive::folder(fixture.archive.path().to_owned());
    let run = async |body: Value| {
        let begun = fixture.post("/archive", body).await;
        assert_eq!(begun.status, 202, "{}", begun.text);
        fixture.end_of(&begun).await
    };
    // They are not old enough for the configured window.
    let kept = run(json!({ "reason": "a test" })).await;
    assert_eq!(
        (&kept["verb"], &kept["handled"]),
        (&json!("archive"), &json!(0))
    );
    assert_eq!(archive.end(Stream::Drivers).await.unwrap(), None);
    // An acknowledgement may be on its way, and its event stays.
    eventually("all are archived", async || {
        run(json!({ "reason": "a test", "afterDays": 0 })).await;
        archive.end(Stream::Drivers).await.unwrap() == Some(20)
    })
    .await;
    let event = fixture.get("/events/DRIVERS/7").await;
    assert_eq!(event.body["event"]["sequence"], 7, "{}", event.text);
    fixture
        .post("/archive", json!({ "reason": " " }))
        .await
        .problem(422);
    fixture.end().await;
}

#[tokio::test]
async fn events_are_archived_on_request_one_request_at_a_time() {
    let fixture = Fixture::new().await;
    // Another process archives.
    let mut other = tiffin_database::begin(&fixture.db.pool).await.unwrap();
    sqlx::query("select pg_advisory_xact_lock($1)")
        .bind(0x7469_6666_6172_i64)
        .execute(&mut *other)
        .await
        .unwrap();
    let body = json!({ "reason": "a test" });
    let waiting = fixture.post("/archive", body.clone()).await;
    assert_eq!(waiting.status, 202, "{}", waiting.text);
    let refused = fixture.post("/archive", body.clone()).await;
    assert_eq!(refused.body["code"], "operator.archive-busy");
    refused.problem(409);
    other.rollback().await.unwrap();
    fixture.end_of(&waiting).await;
    let next = fixture.post("/archive", body).await;
    assert_eq!(next.status, 202, "{}", next.text);
    fixture.end_of(&next).await;
    fixture.end().await;
}

#[tokio::test]
async fn a_damaged_segment_is_named() {
    let fixture = Fixture::new().await;
    fixture.change(fixture.clock.new_id(), 5).await;
    eventually("all took effect", async || fixture.effects().await == 5).await;
    let segment = archived(&fixture).await;
    let file = fixture.archive.path().join(&segment.file);
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
    let report = fixture.ended("archive", "verify").await["report"].clone();
    assert_eq!(report["equal"], false, "{report}");
    let drivers = report["tables"].as_array().unwrap().iter();
    let mut drivers = drivers.filter(|table| table["table"] == "DRIVERS");
    let rows = drivers
        .next()
        .map(|it| (&it["servingRows"], &it["rebuiltRows"]));
    assert_eq!(rows, Some((&json!(5), &json!(0))), "{report}");
    let failure = report["failures"][0].as_str().unwrap();
    assert!(failure.contains(&segment.file), "{failure}");
    fixture.end().await;
}
