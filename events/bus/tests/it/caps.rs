//! The limits of streams, and the alert before they are full.

use std::time::Duration;

use async_nats::jetstream::stream::Config;
use tiffin_bus::{Broker, Caps, Outgoing, Relay, fill::Fill, outbox};
use tiffin_chassis::telemetry;
use tiffin_events::{Stream, rights::AUDIENCE_STREAM, subject};
use tokio_util::sync::CancellationToken;

use crate::bench::{Bench, eventually};

const NAME: &str = "DRIVERS";

pub async fn config_of(broker: &Broker, stream: &str) -> Config {
    let stream = broker.jetstream.get_stream(stream).await.unwrap();
    stream.cached_info().config.clone()
}

/// A broker whose streams are made with these limits, and none of them yet.
async fn limited(bench: &Bench, caps: &str) -> Broker {
    bench.broker.jetstream.delete_stream(NAME).await.unwrap();
    let caps = caps.parse::<Caps>().unwrap();
    let broker = bench.broker.clone().with_caps(caps);
    broker.prepare().await.unwrap();
    broker
}

#[tokio::test]
async fn a_stream_says_that_it_is_nearly_full_and_what_it_is_given_by_hand_no_start_takes_back() {
    let bench = Bench::new().await;
    let broker = limited(&bench, "DRIVERS=64KiB").await;
    assert_eq!(config_of(&broker, NAME).await.max_bytes, 64 * 1024);
    let stop = CancellationToken::new();
    let relay = Relay::new(bench.pool().clone(), broker.clone(), "filling");
    let relay = tokio::spawn(relay.run(stop.clone()));
    let alert = || {
        let line = format!(r#"tiffin_stream_nearly_full{{service="filling",stream="{NAME}"}} "#);
        let metrics = telemetry::metrics().render();
        metrics
            .lines()
            .find_map(|metric| metric.strip_prefix(&line).map(str::to_owned))
    };
    let driver = bench.clock.new_id();
    let mut version = 0;
    let mut fill_to = async |percent| {
        while Fill::of(&broker, NAME).await.unwrap().percent() < percent {
            version += 1;
            bench.change(driver, version).await;
            eventually("it is in", async || bench.waiting().await == 0).await;
        }
    };
    fill_to(40).await;
    eventually("there is room", async || alert().as_deref() == Some("0")).await;
    fill_to(82).await;
    eventually("it is said", async || alert().as_deref() == Some("1")).await;
    assert_eq!(bench.waiting().await, 0, "it takes what comes for long yet");

    for version in version + 1..=version + 60 {
        bench.change(driver, version).await;
    }
    eventually("it refuses", async || {
        let fill = Fill::of(&broker, NAME).await.unwrap();
        bench.waiting().await > 0 && fill.bytes <= 64 * 1024
    })
    .await;

    // By hand, as `nats stream edit --max-bytes` does it; then a start with the configuration of before.
    let wide = Config {
        max_bytes: 1024 * 1024,
        ..config_of(&broker, NAME).await
    };
    broker.jetstream.update_stream(wide).await.unwrap();
    broker.prepare().await.unwrap();
    assert_eq!(config_of(&broker, NAME).await.max_bytes, 1024 * 1024);
    eventually("the outbox drains", async || bench.waiting().await == 0).await;
    let all = u64::try_from(version + 60).unwrap();
    assert_eq!(bench.stored(Stream::Drivers).await, all);
    eventually("it is over", async || alert().as_deref() == Some("0")).await;

    // The configuration may give more than there is.
    let caps = "DRIVERS=2MiB,30d".parse::<Caps>().unwrap();
    broker.clone().with_caps(caps).prepare().await.unwrap();
    let config = config_of(&broker, NAME).await;
    assert_eq!(config.max_bytes, 2 * 1024 * 1024);
    assert_eq!(
        config.max_age,
        Duration::ZERO,
        "it keeps messages without a limit of age, and still does"
    );
    stop.cancel();
    relay.await.unwrap();
    bench.end().await;
}

#[tokio::test]
async fn an_entry_of_the_audience_that_is_over_goes_and_no_republication_brings_it_back() {
    let bench = Bench::new().await;
    bench.relay();
    let driver = bench.clock.new_id();
    let entry = |key: &str| Outgoing::entry(&bench.clock, key, driver, &"anyone").unwrap();
    let entries = [
        entry("order.going"),
        entry("order.over").kept_for(Duration::from_secs(1)),
    ];
    let mut tx = tiffin_database::begin(bench.pool()).await.unwrap();
    outbox::append(&mut tx, &entries).await.unwrap();
    tx.commit().await.unwrap();
    eventually("they are published", async || bench.waiting().await == 0).await;
    let jetstream = &bench.broker.jetstream;
    let stream = jetstream.get_stream(AUDIENCE_STREAM).await.unwrap();
    let there = async |key: &str| {
        let subject = subject::audience(key);
        stream.direct_get_last_for_subject(subject).await.is_ok()
    };
    eventually("it is gone", async || !there("order.over").await).await;
    assert!(there("order.going").await);

    bench.control();
    let id = bench.clock.new_id();
    let command = tiffin_bus::history::Command::Republish { id };
    bench.ask(&command).await;
    let run = crate::control::ended(&bench, id).await;
    assert_eq!(run.handled, 0, "{:?}", run.report);
    assert!(!there("order.over").await);
    bench.end().await;
}

#[tokio::test]
async fn an_older_entry_of_the_audience_never_replaces_a_newer_one() {
    let bench = Bench::new().await;
    let driver = bench.clock.new_id();
    let entry = |key: &str, version: i64| {
        let said = serde_json::json!({ "users": [], "version": version });
        Outgoing::entry(&bench.clock, key, driver, &said).unwrap()
    };
    let append = async |entries: &[Outgoing]| {
        let mut tx = tiffin_database::begin(bench.pool()).await.unwrap();
        outbox::append(&mut tx, entries).await.unwrap();
        tx.commit().await.unwrap();
        eventually("they are settled", async || bench.waiting().await == 0).await;
    };
    bench.relay();
    append(&[
        entry("order.one", 1),
        entry("order.one", 4),
        entry("order.two", 1),
    ])
    .await;
    // What a relay that was cut off had in hand, beside what is new.
    append(&[
        entry("order.one", 2),
        entry("order.two", 2),
        entry("order.three", 1),
    ])
    .await;
    append(&[entry("order.two", 1)]).await;
    let jetstream = &bench.broker.jetstream;
    let stream = jetstream.get_stream(AUDIENCE_STREAM).await.unwrap();
    for (key, version) in [("order.one", 4), ("order.two", 2), ("order.three", 1)] {
        let last = stream.direct_get_last_for_subject(subject::audience(key));
        let said: serde_json::Value = serde_json::from_slice(&last.await.unwrap().payload).unwrap();
        assert_eq!(said["version"], version, "{key}");
    }
    bench.end().await;
}
