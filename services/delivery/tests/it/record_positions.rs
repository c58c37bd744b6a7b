//! Positions that a phone kept without network, over a real broker.

use serde_json::{Value, json};
use tiffin_events::{DeliveryId, Role, subject};
use tiffin_testkit::{Answer, TestNats};
use time::{Duration, OffsetDateTime, format_description::well_known::Rfc3339};

use crate::fixture::Fixture;

pub struct PhoneFixture {
    pub nats: TestNats,
    pub fixture: Fixture,
}

impl PhoneFixture {
    pub async fn start() -> Self {
        let nats = TestNats::start().await;
        let fixture = Fixture::with(nats.broker.client.clone()).await;
        Self { nats, fixture }
    }

    /// A delivery that the driver has had for an hour.
    pub async fn delivery(&self) -> Value {
        let delivery = self.fixture.delivery().await;
        sqlx::query(
            "update deliveries set created_at = created_at - interval '1 hour' where id = $1",
        )
        .bind(id_of(&delivery).0)
        .execute(&self.fixture.db.pool)
        .await
        .unwrap();
        delivery
    }

    async fn send(&self, positions: &[Value]) -> Answer {
        let call = self.fixture.app.post("/api/v1/delivery/positions");
        let call = call.token(&self.fixture.driver());
        call.json(&json!({ "positions": positions })).await
    }

    /// The latitudes of the stored messages on the subjects of a delivery, in the order of the stream: those that move
    /// the marker, and the late ones.
    pub async fn stored(&self, delivery: &Value) -> (Vec<f64>, Vec<f64>) {
        let id = id_of(delivery);
        let (mut live, mut late) = (Vec::new(), Vec::new());
        let stream = self
            .nats
            .broker
            .jetstream
            .get_stream("POSITIONS")
            .await
            .unwrap();
        for sequence in 1..=stream.get_info().await.unwrap().state.last_sequence {
            let message = stream.get_raw_message(sequence).await.unwrap();
            let envelope: Value = serde_json::from_slice(&message.payload).unwrap();
            let lat = envelope["data"]["lat"].as_f64().unwrap();
            assert_eq!(envelope["time"], envelope["data"]["at"], "{envelope}");
            if message.subject.as_str() == subject::position(id) {
                live.push(lat);
            } else if message.subject.as_str().starts_with(&subject::position(id)) {
                late.push(lat);
            }
        }
        (live, late)
    }
}

impl PhoneFixture {
    /// The last position that moved the marker of a delivery.
    pub async fn last(&self, delivery: &Value) -> Value {
        let stream = self.nats.broker.jetstream.get_stream("POSITIONS").await;
        let subject = subject::position(id_of(delivery));
        let message = stream
            .unwrap()
            .get_last_raw_message_by_subject(&subject)
            .await;
        let envelope: Value = serde_json::from_slice(&message.unwrap().payload).unwrap();
        envelope["data"].clone()
    }
}

fn id_of(delivery: &Value) -> DeliveryId {
    delivery["_id"].as_str().unwrap().parse().unwrap()
}

fn position(lat: f64, at: OffsetDateTime) -> Value {
    json!({ "lat": lat, "lng": 79.85, "at": at.format(&Rfc3339).unwrap() })
}

fn outcome(recorded: usize, repeated: usize, unused: usize) -> Value {
    json!({ "recorded": recorded, "repeated": repeated, "unused": unused })
}

#[tokio::test]
async fn repeated_positions_are_recorded_once_and_only_the_newest_moves_the_marker() {
    let phone = PhoneFixture::start().await;
    let delivery = phone.delivery().await;
    let now = phone.fixture.clock.now();
    let ago = |seconds| now - Duration::seconds(seconds);
    let newest_first = [
        position(6.95, ago(10)),
        position(6.94, ago(20)),
        position(6.93, ago(30)),
    ];
    assert_eq!(
        phone.send(&newest_first).await.expect(200),
        outcome(3, 0, 0)
    );
    assert_eq!(
        phone.send(&newest_first).await.expect(200),
        outcome(0, 3, 0)
    );
    assert_eq!(
        phone.stored(&delivery).await,
        (vec![6.95], vec![6.93, 6.94])
    );

    // The rest of the trip, of which one came already, and a newer one.
    let rest = [position(6.92, ago(40)), position(6.93, ago(30))];
    assert_eq!(phone.send(&rest).await.expect(200), outcome(1, 1, 0));
    assert_eq!(
        phone.send(&[position(6.96, ago(5))]).await.expect(200),
        outcome(1, 0, 0)
    );
    assert_eq!(
        phone.stored(&delivery).await,
        (vec![6.95, 6.96], vec![6.93, 6.94, 6.92])
    );
    // One that moved the marker and is the newest no more.
    assert_eq!(
        phone.send(&[position(6.95, ago(10))]).await.expect(200),
        outcome(0, 1, 0)
    );
    assert_eq!(phone.stored(&delivery).await.0, [6.95, 6.96]);
}

#[tokio::test]
async fn calls_at_the_same_time_record_each_position_once() {
    let phone = PhoneFixture::start().await;
    let delivery = phone.delivery().await;
    let now = phone.fixture.clock.now();
    let positions: Vec<_> = (0..50_i32)
        .map(|n| {
            position(
                6.9 + f64::from(n) / 1000.0,
                now - Duration::seconds(n.into()),
            )
        })
        .collect();
    let (first, second) = tokio::join!(phone.send(&positions), phone.send(&positions));
    let (first, second) = (first.expect(200), second.expect(200));
    let sum = |name: &str| first[name].as_u64().unwrap() + second[name].as_u64().unwrap();
    assert_eq!((sum("recorded"), sum("repeated")), (50, 50));
    let (live, late) = phone.stored(&delivery).await;
    assert_eq!((live, late.len()), (vec![6.9], 49));
}

#[tokio::test]
async fn a_position_belongs_to_the_deliveries_of_its_time() {
    let phone = PhoneFixture::start().await;
    let (over, open) = (phone.delivery().await, phone.fixture.delivery().await);
    phone
        .fixture
        .set_status(&over, "delivered")
        .await
        .expect(200);
    let now = phone.fixture.clock.now();
    let positions = [
        // Before either, while the first was under way, after it, and what can't be.
        position(6.91, now - Duration::hours(2)),
        position(6.92, now - Duration::minutes(20)),
        position(6.93, now + Duration::seconds(1)),
        position(6.94, now - Duration::hours(25)),
        position(6.95, now + Duration::minutes(5)),
        position(96.0, now),
    ];
    assert_eq!(phone.send(&positions).await.expect(200), outcome(2, 0, 4));
    assert_eq!(phone.stored(&over).await, (vec![], vec![6.92]));
    assert_eq!(phone.stored(&open).await, (vec![6.93], vec![]));
}

#[tokio::test]
async fn only_drivers_send_at_most_a_hundred_at_once_as_often_as_the_limit_allows() {
    let fixture = Fixture::new().await;
    let path = "/api/v1/delivery/positions";
    let none = json!({ "positions": [] });
    for token in [fixture.customer(), fixture.owner(), fixture.admin()] {
        fixture
            .app
            .post(path)
            .token(&token)
            .json(&none)
            .await
            .problem(403);
    }
    let too_many = vec![position(6.9, fixture.clock.now()); 101];
    let call = fixture.app.post(path).token(&fixture.driver());
    let answer = call.json(&json!({ "positions": too_many })).await;
    assert_eq!(answer.problem(422), "A call may have 100 positions.");
    // A driver without a delivery records none, and needs no broker for it.
    let other = fixture.token(fixture.other_driver, Role::Delivery);
    let one = json!({ "positions": [position(6.9, fixture.clock.now())] });
    let answer = fixture
        .app
        .post(path)
        .token(&other)
        .json(&one)
        .await
        .expect(200);
    assert_eq!(answer, outcome(0, 0, 1));
    fixture
        .exhaust_limit("late positions", fixture.driver)
        .await;
    let call = fixture.app.post(path).token(&fixture.driver());
    call.json(&none).await.problem(429);
}
