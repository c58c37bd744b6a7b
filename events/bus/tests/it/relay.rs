use std::time::Duration;

use async_nats::jetstream::stream;
use futures_util::FutureExt;
use tiffin_bus::{Broker, outbox};
use tiffin_events::{Envelope, Role, Stream, subject};
use tiffin_servers::free_port;

use crate::bench::{Bench, Tally, eventually};

#[tokio::test]
async fn a_committed_event_reaches_the_stream_and_the_users_it_concerns() {
    use futures_util::StreamExt;
    let bench = Bench::new().await;
    let (driver, reader) = (
        bench.clock.new_id(),
        tiffin_events::UserId(bench.clock.new_id()),
    );
    let mut feed = bench
        .broker
        .client
        .subscribe(tiffin_events::subject::hint(reader))
        .await
        .unwrap();
    bench.broker.client.flush().await.unwrap();
    bench.relay();
    let mut tx = tiffin_database::begin(bench.pool()).await.unwrap();
    outbox::append(&mut tx, &[bench.event(driver, 1).hint([reader])])
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let received = feed.next().await.unwrap();
    assert!(String::from_utf8_lossy(&received.payload).contains("tiffin.driver.available.v1"));
    assert_eq!(bench.stored(Stream::Drivers).await, 1);
    eventually("the row is marked", async || bench.waiting().await == 0).await;
    bench.end().await;
}

#[tokio::test]
async fn everyone_of_a_role_that_picks_drivers_hears_of_them_without_details() {
    use futures_util::StreamExt;
    let bench = Bench::new().await;
    let mut feeds = Vec::new();
    for role in [Role::Admin, Role::Restaurant, Role::Customer] {
        let feed = bench.broker.client.subscribe(subject::role_hint(role));
        feeds.push(feed.await.unwrap());
    }
    bench.broker.client.flush().await.unwrap();
    bench.relay();
    let driver = bench.clock.new_id();
    bench.change(driver, 1).await;
    for feed in &mut feeds[..2] {
        let received = feed.next().await.unwrap();
        let hint: Envelope = serde_json::from_slice(&received.payload).unwrap();
        assert_eq!(
            (&*hint.kind, hint.subject, hint.data),
            ("tiffin.driver.available.v1", driver, serde_json::json!({}))
        );
    }
    eventually("the row is marked", async || bench.waiting().await == 0).await;
    assert!(feeds[2].next().now_or_never().is_none());
    bench.end().await;
}

#[tokio::test]
async fn a_rolled_back_change_sends_no_hint() {
    let bench = Bench::new().await;
    bench.relay();
    let (gone, kept) = (bench.clock.new_id(), bench.clock.new_id());
    let mut tx = tiffin_database::begin(bench.pool()).await.unwrap();
    outbox::append(&mut tx, &[bench.event(gone, 1)])
        .await
        .unwrap();
    tx.rollback().await.unwrap();
    bench.change(kept, 1).await;
    eventually("the kept one is published", async || {
        bench.stored(Stream::Drivers).await > 0
    })
    .await;
    assert_eq!(bench.stored(Stream::Drivers).await, 1);
    bench.end().await;
}

#[tokio::test]
async fn a_row_that_commits_late_is_not_skipped() {
    let bench = Bench::new().await;
    bench.relay();
    let (late, early) = (bench.clock.new_id(), bench.clock.new_id());
    let mut slow = tiffin_database::begin(bench.pool()).await.unwrap();
    outbox::append(&mut slow, &[bench.event(late, 1)])
        .await
        .unwrap();
    bench.change(early, 1).await;
    eventually("the early one is published", async || {
        bench.stored(Stream::Drivers).await == 1
    })
    .await;
    slow.commit().await.unwrap();
    eventually("the late one is published", async || {
        bench.stored(Stream::Drivers).await == 2
    })
    .await;
    bench.end().await;
}

#[tokio::test]
async fn a_burst_while_the_broker_is_down_arrives_once_and_in_order_when_it_is_back() {
    let mut bench = Bench::new().await;
    bench.relay();
    bench.consume(Tally::default());
    bench.nats.server.kill();
    let drivers: Vec<_> = (0..20).map(|_| bench.clock.new_id()).collect();
    for sequence in 1..=40 {
        for driver in &drivers {
            bench.change(*driver, sequence).await;
        }
    }
    assert_eq!(
        bench.waiting().await,
        800,
        "the outbox keeps what the broker can't take"
    );
    bench.nats.server.start_again().await.unwrap();
    eventually("all took effect", async || bench.effects().await == 800).await;
    for driver in drivers {
        assert_eq!(bench.tally(driver).await, (1..=40).collect::<Vec<_>>());
    }
    assert_eq!(
        bench.stored(Stream::Drivers).await,
        800,
        "nothing is stored twice"
    );
    bench.end().await;
}

#[tokio::test]
async fn the_broker_killed_in_the_middle_of_a_stream_loses_and_doubles_nothing() {
    let mut bench = Bench::new().await;
    bench.relay();
    bench.consume(Tally::default());
    let drivers: Vec<_> = (0..10).map(|_| bench.clock.new_id()).collect();
    for sequence in 1..=60 {
        for driver in &drivers {
            bench.change(*driver, sequence).await;
        }
        if sequence == 20 || sequence == 40 {
            bench.nats.server.kill();
            bench.nats.server.start_again().await.unwrap();
        }
    }
    eventually("all took effect", async || bench.effects().await == 600).await;
    for driver in drivers {
        assert_eq!(bench.tally(driver).await, (1..=60).collect::<Vec<_>>());
    }
    assert_eq!(
        bench.stored(Stream::Drivers).await,
        600,
        "nothing is stored twice"
    );
    bench.end().await;
}

#[tokio::test]
async fn of_two_relays_one_leads_and_the_other_takes_over() {
    let bench = Bench::new().await;
    let (first, _second) = (bench.relay(), bench.relay());
    let driver = bench.clock.new_id();
    for sequence in 1..=100 {
        bench.change(driver, sequence).await;
        if sequence == 50 {
            first.cancel();
        }
    }
    eventually("all are published", async || bench.waiting().await == 0).await;
    assert_eq!(
        bench.stored(Stream::Drivers).await,
        100,
        "nothing is stored twice"
    );
    bench.end().await;
}

#[tokio::test]
async fn a_relay_that_does_not_reach_the_broker_leaves_the_lead_to_another() {
    let bench = Bench::new().await;
    let nowhere = format!("nats://127.0.0.1:{}", free_port().unwrap());
    let away = Broker::begin(&nowhere, "bench").await.unwrap();
    let driver = bench.clock.new_id();
    bench.change(driver, 1).await;
    bench.relay_of(&away, "away");
    let metrics = tiffin_chassis::telemetry::metrics();
    for metric in ["tiffin_relay_failures_total", "tiffin_outbox_lag_seconds"] {
        eventually(metric, async || {
            let line = format!(r#"{metric}{{service="away"}} "#);
            let page = metrics.render();
            let value = page.lines().find_map(|text| text.strip_prefix(&line));
            value.is_some_and(|value| value.parse::<f64>().unwrap() > 0.0)
        })
        .await;
    }
    bench.relay();
    eventually("the other has published", async || {
        bench.waiting().await == 0
    })
    .await;
    assert_eq!(bench.stored(Stream::Drivers).await, 1);
    bench.end().await;
}

#[tokio::test]
async fn rows_published_before_a_crash_but_not_marked_are_not_stored_twice() {
    let bench = Bench::new().await;
    let drivers: Vec<_> = (0..50).map(|_| bench.clock.new_id()).collect();
    for driver in &drivers {
        bench.change(*driver, 1).await;
    }
    let relay = bench.relay();
    eventually("all are published", async || bench.waiting().await == 0).await;
    relay.cancel();
    // What a crash between the broker's answer and the mark leaves behind, with new rows among them.
    sqlx::query("update bus.outbox set published_at = null where id % 2 = 0")
        .execute(bench.pool())
        .await
        .unwrap();
    for driver in &drivers {
        bench.change(*driver, 2).await;
    }
    bench.relay();
    eventually("all are published", async || bench.waiting().await == 0).await;
    assert_eq!(bench.stored(Stream::Drivers).await, 100);
    bench.end().await;
}

#[tokio::test]
async fn a_full_stream_loses_nothing_and_takes_the_rest_once_it_has_room() {
    let bench = Bench::new().await;
    let driver = bench.clock.new_id();
    bench.relay();
    for sequence in 1..=3 {
        bench.change(driver, sequence).await;
    }
    eventually("three are in", async || {
        bench.stored(Stream::Drivers).await == 3
    })
    .await;
    let jetstream = &bench.broker.jetstream;
    let mut stream = jetstream.get_stream(Stream::Drivers.name()).await.unwrap();
    let info = stream.info().await.unwrap();
    let config = info.config.clone();
    let full = stream::Config {
        max_bytes: i64::try_from(info.state.bytes).unwrap(),
        ..config.clone()
    };
    jetstream.update_stream(full).await.unwrap();
    for sequence in 4..=40 {
        bench.change(driver, sequence).await;
    }
    // Several rounds of the relay.
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(bench.stored(Stream::Drivers).await, 3);
    assert_eq!(bench.waiting().await, 37);
    bench.consume(Tally::default());
    jetstream.update_stream(config).await.unwrap();
    eventually("the rest followed", async || {
        bench.waiting().await == 0 && bench.effects().await == 40
    })
    .await;
    assert_eq!(bench.stored(Stream::Drivers).await, 40);
    assert_eq!(bench.tally(driver).await, (1..=40).collect::<Vec<_>>());
    bench.end().await;
}

#[tokio::test]
async fn a_stream_that_refuses_holds_up_its_own_events_only() {
    let bench = Bench::new().await;
    let stuck = bench.clock.new_id();
    let mut tx = tiffin_database::begin(bench.pool()).await.unwrap();
    // No stream takes this subject: more rows than one round reads.
    for _ in 0..600 {
        let entry =
            tiffin_bus::Outgoing::entry(&bench.clock, "", stuck, &"no stream takes it").unwrap();
        outbox::append(&mut tx, &[entry]).await.unwrap();
    }
    sqlx::query("update bus.outbox set subject = 'tiffin.nowhere.1.happened'")
        .execute(&mut *tx)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let driver = bench.clock.new_id();
    bench.change(driver, 1).await;
    bench.relay();
    eventually("the other is published", async || {
        bench.stored(Stream::Drivers).await == 1 && bench.waiting().await == 600
    })
    .await;
    bench.end().await;
}
