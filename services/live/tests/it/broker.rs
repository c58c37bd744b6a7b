//! Several bridges, and a broker that goes away.

use std::time::Duration;

use tiffin_chassis::Readiness;
use tiffin_events::{
    DeliveryId, OrderId, Role,
    live::{ClientFrame, ServerFrame},
};
use tiffin_live::Limits;
use tiffin_testkit::{LiveClient, TestNats};
use uuid::Uuid;

use crate::harness::{Harness, lat, position, seq, silence, user};

const CUSTOMER: u128 = 1;
const DRIVER: u128 = 2;

#[tokio::test]
async fn two_bridges_are_as_good_as_one() {
    let harness = Harness::new().await;
    let second = harness.another_bridge().await;
    let delivery = DeliveryId(Uuid::from_u128(7));
    harness
        .set_delivery(delivery, &[user(CUSTOMER), user(DRIVER)], true)
        .await;
    let topic = format!("delivery:{delivery}");
    let mut here = harness.connect(user(CUSTOMER)).await;
    let mut there = harness.connect_to(&second, user(CUSTOMER)).await;
    here.watch(&topic).await;
    there.watch(&topic).await;
    harness.set_deliveries(user(DRIVER), &[delivery]).await;
    let token = harness.token(user(DRIVER), Role::Delivery);
    let mut driver = LiveClient::connect(&second.app.live_url(), &token).await;
    driver
        .send(&ClientFrame::Position(position(6.5, harness.clock.now())))
        .await;
    for client in [&mut here, &mut there] {
        assert_eq!(lat(client).await, 6.5);
        silence(client).await;
    }
    second.shutdown.cancel();
    assert_eq!(there.closed().await.code, Some(1001));
    harness.position(delivery, 6.6).await;
    assert_eq!(lat(&mut here).await, 6.6);
}

#[tokio::test]
async fn positions_flow_again_and_no_status_is_missed_after_the_broker_was_away() {
    let nats = TestNats::durable().await;
    let mut harness = Harness::on(nats, Limits::default()).await;
    let readiness = Readiness::default();
    harness.bridge.state.watch(&readiness);
    let (delivery, order) = (DeliveryId(Uuid::from_u128(7)), OrderId(Uuid::from_u128(5)));
    harness
        .set_delivery(delivery, &[user(CUSTOMER), user(DRIVER)], true)
        .await;
    harness.set_order(order, &[user(CUSTOMER)]).await;
    let mut client = harness.connect(user(CUSTOMER)).await;
    let topics = [
        format!("delivery:{delivery}"),
        format!("order:{order}"),
        "me".to_owned(),
    ];
    for topic in &topics {
        client.watch(topic).await;
    }
    let first = harness.order_event(order, "placed").await;
    assert_eq!(seq(&mut client).await, first);

    harness.nats.server.kill();
    until(async || !readiness.missing().await.is_empty()).await;
    harness.nats.server.start_again().await.unwrap();
    // One that happens before the bridge may be back, and one of a topic that was quiet so far.
    let second = harness.order_event(order, "confirmed").await;
    let third = harness.delivery_event(delivery, "on_the_way").await;
    until(async || readiness.missing().await.is_empty()).await;
    let fourth = harness.order_event(order, "preparing").await;

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
    harness.position(delivery, 6.7).await;
    assert_eq!(lat(&mut client).await, 6.7);
    silence(&mut client).await;
}

#[tokio::test]
async fn a_watch_while_the_broker_is_away_is_answered_once_it_is_back() {
    let nats = TestNats::durable().await;
    let mut harness = Harness::on(nats, Limits::default()).await;
    let readiness = Readiness::default();
    harness.bridge.state.watch(&readiness);
    let order = OrderId(Uuid::from_u128(5));
    harness.set_order(order, &[user(CUSTOMER)]).await;
    let mut client = harness.connect(user(CUSTOMER)).await;
    harness.nats.server.kill();
    until(async || !readiness.missing().await.is_empty()).await;
    let topic = format!("order:{order}");
    client
        .send(&ClientFrame::Watch {
            topic: topic.clone(),
            after: None,
        })
        .await;
    silence(&mut client).await;
    harness.nats.server.start_again().await.unwrap();
    assert_eq!(client.next().await, ServerFrame::Watching { topic });
    let place = harness.order_event(order, "confirmed").await;
    assert_eq!(seq(&mut client).await, place);
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
    let harness = Harness::with(limits).await;
    let order = OrderId(Uuid::from_u128(5));
    harness.set_order(order, &[user(CUSTOMER)]).await;
    let before = harness.order_event(order, "placed").await;
    let mut client = harness.connect(user(CUSTOMER)).await;
    client.watch(&format!("order:{order}")).await;
    // What was stored before the watch is no news.
    silence(&mut client).await;

    let jetstream = &harness.nats.broker.jetstream;
    let mut orders = jetstream.get_stream("ORDERS").await.unwrap();
    let mut config = orders.info().await.unwrap().config.clone();
    config.republish = None;
    jetstream.update_stream(&config).await.unwrap();
    for name in ["confirmed", "preparing"] {
        let stored = harness.order_event(order, name).await;
        assert!(stored > before);
        assert_eq!(seq(&mut client).await, stored, "{name}");
    }
    silence(&mut client).await;
}
