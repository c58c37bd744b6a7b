//! Several bridges, and a broker that goes away.

use std::{process::Command, time::Duration};

use tiffin_chassis::Readiness;
use tiffin_events::{
    DeliveryId, OrderId, Role,
    live::{ClientFrame, ServerFrame},
};
use tiffin_live::Limits;
use tiffin_testkit::{LiveClient, TestNats};
use uuid::Uuid;

use crate::fixture::{Fixture, lat, position, seq, silence, user};

const CUSTOMER: u128 = 1;
const DRIVER: u128 = 2;

#[tokio::test]
async fn two_bridges_are_as_good_as_one() {
    let fixture = Fixture::new().await;
    let second = fixture.another_bridge().await;
    let delivery = DeliveryId(Uuid::from_u128(7));
    fixture
        .set_delivery(delivery, &[user(CUSTOMER), user(DRIVER)], true)
        .await;
    let topic = format!("delivery:{delivery}");
    let mut here = fixture.connect(user(CUSTOMER)).await;
    let mut there = fixture.connect_to(&second, user(CUSTOMER)).await;
    here.watch(&topic).await;
    there.watch(&topic).await;
    fixture.set_deliveries(user(DRIVER), &[delivery]).await;
    let token = fixture.token(user(DRIVER), Role::Delivery);
    let mut driver = LiveClient::connect(&second.app.live_url(), &token).await;
    driver
        .send(&ClientFrame::Position(position(6.5, fixture.clock.now())))
        .await;
    for client in [&mut here, &mut there] {
        assert_eq!(lat(client).await, 6.5);
        silence(client).await;
    }
    second.shutdown.cancel();
    assert_eq!(there.closed().await.code, Some(1001));
    fixture.position(delivery, 6.6).await;
    assert_eq!(lat(&mut here).await, 6.6);
}

#[tokio::test]
async fn positions_flow_again_and_no_status_is_missed_after_the_broker_was_away() {
    let nats = TestNats::durable().await;
    let mut fixture = Fixture::on(nats, Limits::default()).await;
    let readiness = Readiness::default();
    fixture.bridge.state.watch(&readiness);
    let (delivery, order) = (DeliveryId(Uuid::from_u128(7)), OrderId(Uuid::from_u128(5)));
    fixture
        .set_delivery(delivery, &[user(CUSTOMER), user(DRIVER)], true)
        .await;
    fixture.set_order(order, &[user(CUSTOMER)]).await;
    let mut client = fixture.connect(user(CUSTOMER)).await;
    let topics = [
        format!("delivery:{delivery}"),
        format!("order:{order}"),
        "me".to_owned(),
    ];
    for topic in &topics {
        client.watch(topic).await;
    }
    let first = fixture.order_event(order, "placed").await;
    assert_eq!(seq(&mut client).await, first);

    fixture.nats.server.kill();
    until(async || !readiness.missing().await.is_empty()).await;
    fixture.nats.server.start_again().await.unwrap();
    // One that happens before the bridge may be back, and one of a topic that was quiet so far.
    let second = fixture.order_event(order, "confirmed").await;
    let third = fixture.delivery_event(delivery, "on_the_way").await;
    until(async || readiness.missing().await.is_empty()).await;
    let fourth = fixture.order_event(order, "preparing").await;

    let (mut orders, mut deliveries, mut me) = (Vec::new(), Vec::new(), 0);
    while orders.len() < 2 || deliveries.is_empty() || me < 1 {
        match client.next().await {
            ServerFrame::Event { topic, seq, .. } if topic == topics[1] => orders.extend(seq),
            ServerFrame::Event { seq, .. } => deliveries.extend(seq),
            ServerFrame::Watching { topic } if topic == "me" => me += 1,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((orders, deliveries), (vec![second, fourth], vec![third]));
    fixture.position(delivery, 6.7).await;
    assert_eq!(lat(&mut client).await, 6.7);
    silence(&mut client).await;
}

#[tokio::test]
async fn a_watch_while_the_broker_is_away_is_answered_once_it_is_back() {
    let nats = TestNats::durable().await;
    let mut fixture = Fixture::on(nats, Limits::default()).await;
    let readiness = Readiness::default();
    fixture.bridge.state.watch(&readiness);
    let order = OrderId(Uuid::from_u128(5));
    fixture.set_order(order, &[user(CUSTOMER)]).await;
    let mut client = fixture.connect(user(CUSTOMER)).await;
    fixture.nats.server.kill();
    until(async || !readiness.missing().await.is_empty()).await;
    let topic = format!("order:{order}");
    client
        .send(&ClientFrame::Watch {
            topic: topic.clone(),
            after: None,
        })
        .await;
    silence(&mut client).await;
    fixture.nats.server.start_again().await.unwrap();
    assert_eq!(client.next().await, ServerFrame::Watching { topic });
    let place = fixture.order_event(order, "confirmed").await;
    assert_eq!(seq(&mut client).await, place);
}

#[tokio::test]
async fn a_bridge_passes_over_a_server_that_is_away_and_leaves_one_that_is_about_to_stop() {
    let (first, second) = (TestNats::start().await, TestNats::start().await);
    let servers = ["nats://127.0.0.1:1".to_owned(), first.url(), second.url()];
    let fixture = Fixture::with_servers(second, &servers).await;
    let readiness = Readiness::default();
    fixture.bridge.state.watch(&readiness);
    let delivery = DeliveryId(Uuid::from_u128(7));
    fixture
        .set_delivery(delivery, &[user(CUSTOMER), user(DRIVER)], true)
        .await;
    until(async || readiness.missing().await.is_empty()).await;
    let mut client = fixture.connect(user(CUSTOMER)).await;
    client.watch(&format!("delivery:{delivery}")).await;
    // The servers are no cluster: the bridge hears the first one alone.
    fixture.position(delivery, 6.5).await;
    silence(&mut client).await;

    // nats-server's signal for lame duck mode.
    let pid = first.server.pid().unwrap().to_string();
    let sent = Command::new("kill").args(["-USR2", &pid]).status();
    assert!(sent.unwrap().success());
    let hears_the_second = async {
        loop {
            fixture.position(delivery, 6.6).await;
            let frame = client.next_within(Duration::from_millis(200)).await;
            // It reads the earlier position as well.
            if matches!(frame, Some(ServerFrame::Position { lat: 6.6, .. })) {
                return;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(20), hears_the_second)
        .await
        .expect("positions of the second server");
    assert!(first.server.pid().is_some(), "the server still serves");
}

async fn until(condition: impl AsyncFn() -> bool) {
    let wait = async {
        while !condition().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), wait)
        .await
        .unwrap();
}

#[tokio::test]
async fn a_status_that_the_broker_stored_and_did_not_repeat_is_found() {
    let limits = Limits {
        compare_interval: Duration::from_millis(200),
        ..Limits::default()
    };
    let fixture = Fixture::with(limits).await;
    let order = OrderId(Uuid::from_u128(5));
    fixture.set_order(order, &[user(CUSTOMER)]).await;
    let before = fixture.order_event(order, "placed").await;
    let mut client = fixture.connect(user(CUSTOMER)).await;
    client.watch(&format!("order:{order}")).await;
    // What was stored before the watch is no news.
    silence(&mut client).await;

    let jetstream = &fixture.nats.broker.jetstream;
    let mut orders = jetstream.get_stream("ORDERS").await.unwrap();
    let mut config = orders.info().await.unwrap().config.clone();
    config.republish = None;
    jetstream.update_stream(&config).await.unwrap();
    for name in ["confirmed", "preparing"] {
        let stored = fixture.order_event(order, name).await;
        assert!(stored > before);
        assert_eq!(seq(&mut client).await, stored, "{name}");
    }
    silence(&mut client).await;
}
