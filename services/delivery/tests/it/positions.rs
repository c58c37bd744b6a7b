//! Positions over a real broker, as the live socket sends them.

use std::time::Duration as Wait;

use futures_util::StreamExt;
use serde_json::{Value, json};
use tiffin_events::{
    DeliveryId, Envelope, Event, UserId,
    position::{PositionEvent, PositionUpdatedV1},
    subject,
};
use tiffin_testkit::TestNats;
use time::{Duration, OffsetDateTime};
use tokio::{
    task::JoinHandle,
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;

use crate::fixture::Fixture;

/// A fixture with two deliveries under way, whose positions are stored as they come.
struct PositionsFixture {
    nats: TestNats,
    fixture: Fixture,
    first: Value,
    second: Value,
    start: OffsetDateTime,
    shutdown: CancellationToken,
    storing: JoinHandle<()>,
}

impl PositionsFixture {
    async fn start() -> Self {
        let nats = TestNats::start().await;
        let fixture = Fixture::with(nats.broker.client.clone()).await;
        let consumer = tiffin_delivery::batches(&fixture.state).remove(0);
        assert_eq!(consumer.name, "delivery_POSITIONS");
        let shutdown = CancellationToken::new();
        let positions = Self {
            first: fixture.delivery().await,
            second: fixture.delivery().await,
            start: fixture.clock.now(),
            storing: tokio::spawn(consumer.run(nats.broker.clone(), shutdown.clone())),
            shutdown,
            nats,
            fixture,
        };
        positions.send(&positions.first, 6.90, 0).await;
        positions.send(&positions.second, 6.80, 0).await;
        positions.wait_until_at(&positions.first, 6.90).await;
        positions.wait_until_at(&positions.second, 6.80).await;
        positions
    }

    /// A position of the driver's, `second` seconds after the start by the device's clock.
    async fn send(&self, delivery: &Value, lat: f64, second: i64) {
        self.send_as(self.fixture.driver, delivery, lat, second)
            .await;
    }

    async fn send_as(&self, driver: UserId, delivery: &Value, lat: f64, second: i64) {
        let id = delivery_id(delivery);
        let event = PositionEvent::Updated(PositionUpdatedV1 {
            delivery_id: id,
            driver_id: driver,
            lat,
            lng: 79.85,
            accuracy: None,
            heading: None,
            speed: None,
            at: self.start + Duration::seconds(second),
        });
        let envelope = Envelope::new(
            &self.fixture.clock,
            id.0,
            second,
            driver.to_string(),
            &event,
        )
        .unwrap();
        self.send_raw(id, serde_json::to_vec(&envelope).unwrap())
            .await;
    }

    async fn send_raw(&self, id: DeliveryId, body: Vec<u8>) {
        let client = &self.nats.broker.client;
        client
            .publish(subject::position(id), body.into())
            .await
            .unwrap();
    }

    async fn lat(&self, delivery: &Value) -> Value {
        self.fixture.location(delivery).await["lat"].clone()
    }

    async fn wait_until_at(&self, delivery: &Value, lat: f64) {
        let seen = timeout(Wait::from_secs(10), async {
            while self.lat(delivery).await != json!(lat) {
                sleep(Wait::from_millis(20)).await;
            }
        });
        assert!(
            seen.await.is_ok(),
            "{lat} was not stored: {}",
            self.lat(delivery).await
        );
    }

    async fn stop(self) {
        self.shutdown.cancel();
        self.storing.await.unwrap();
    }
}

fn delivery_id(delivery: &Value) -> DeliveryId {
    delivery["_id"].as_str().unwrap().parse().unwrap()
}

#[tokio::test]
async fn the_newest_by_the_devices_clock_is_stored_whatever_came_last() {
    let positions = PositionsFixture::start().await;
    positions.send(&positions.first, 6.92, 2).await;
    positions.send(&positions.first, 6.91, 1).await;
    positions.send(&positions.second, 6.81, 1).await;
    positions.wait_until_at(&positions.first, 6.92).await;
    positions.wait_until_at(&positions.second, 6.81).await;
    positions.send(&positions.first, 6.90, -30).await;
    positions.send(&positions.second, 6.82, 2).await;
    positions.wait_until_at(&positions.second, 6.82).await;
    assert_eq!(positions.lat(&positions.first).await, 6.92);
    positions.stop().await;
}

#[tokio::test]
async fn what_cannot_be_true_is_dropped_and_stops_nothing() {
    let positions = PositionsFixture::start().await;
    positions
        .send_as(positions.fixture.other_driver, &positions.first, 6.20, 5)
        .await;
    positions.send(&positions.first, 6.30, 3600).await;
    positions.send(&positions.first, 96.0, 6).await;
    positions
        .send_raw(delivery_id(&positions.first), b"rubbish".to_vec())
        .await;
    positions.send(&positions.second, 6.81, 7).await;
    positions.wait_until_at(&positions.second, 6.81).await;
    assert_eq!(positions.lat(&positions.first).await, 6.90);
    positions.stop().await;
}

#[tokio::test]
async fn nothing_is_stored_once_it_was_delivered() {
    let positions = PositionsFixture::start().await;
    positions
        .fixture
        .set_status(&positions.first, "delivered")
        .await
        .expect(200);
    positions.send(&positions.first, 6.93, 8).await;
    positions.send(&positions.second, 6.83, 8).await;
    positions.wait_until_at(&positions.second, 6.83).await;
    positions
        .fixture
        .set_status(&positions.first, "on the way")
        .await
        .expect(200);
    assert_eq!(positions.lat(&positions.first).await, 6.90);
    positions.stop().await;
}

#[tokio::test]
async fn update_location_shows_watchers_the_same_message_as_the_live_socket() {
    let nats = TestNats::start().await;
    let fixture = Fixture::with(nats.broker.client.clone()).await;
    let delivery = fixture.delivery().await;
    let id = delivery_id(&delivery);
    let mut watcher = nats
        .broker
        .client
        .subscribe(subject::position(id))
        .await
        .unwrap();
    nats.broker.client.flush().await.unwrap();
    fixture
        .set_location(&delivery, 6.9, 79.85)
        .await
        .expect(200);
    let message = timeout(Wait::from_secs(5), watcher.next())
        .await
        .unwrap()
        .unwrap();
    let envelope: Envelope = serde_json::from_slice(&message.payload).unwrap();
    assert_eq!(envelope.kind, "tiffin.position.updated.v1");
    assert_eq!(envelope.actor, fixture.driver.to_string());
    let PositionEvent::Updated(position) = PositionEvent::decode(&envelope.kind, &envelope.data)
        .unwrap()
        .unwrap();
    assert_eq!(
        (position.delivery_id, position.driver_id),
        (id, fixture.driver)
    );
    assert_eq!((position.lat, position.lng), (6.9, 79.85));
    assert_eq!(
        i128::from(envelope.sequence),
        position.at.unix_timestamp_nanos() / 1_000_000
    );
}
