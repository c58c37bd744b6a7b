use std::time::{Duration, Instant};

use futures_util::StreamExt;
use http::HeaderValue;
use tiffin_events::{
    DeliveryId, Envelope, Event, Role,
    live::{ClientFrame, DevicePosition},
    position::{PositionEvent, PositionUpdatedV1},
};
use tiffin_live::Limits;
use tiffin_testkit::LiveClient;
use tokio_tungstenite::{
    connect_async,
    tungstenite::{Error, client::IntoClientRequest},
};
use uuid::Uuid;

use crate::fixture::{Fixture, error, lat, position, silence, user};

const CUSTOMER: u128 = 1;
const DRIVER: u128 = 2;

fn delivery(n: u128) -> DeliveryId {
    DeliveryId(Uuid::from_u128(n))
}

/// A fixture with two deliveries under way of one driver.
async fn fixture() -> Fixture {
    let fixture = Fixture::new().await;
    for n in [7, 8] {
        fixture
            .set_delivery(delivery(n), &[user(CUSTOMER), user(DRIVER)], true)
            .await;
    }
    fixture
        .set_deliveries(user(DRIVER), &[delivery(7), delivery(8)])
        .await;
    fixture
}

async fn published(positions: &mut async_nats::Subscriber) -> PositionUpdatedV1 {
    let message = tokio::time::timeout(Duration::from_secs(5), positions.next()).await;
    let envelope: Envelope = serde_json::from_slice(&message.unwrap().unwrap().payload).unwrap();
    match PositionEvent::decode(&envelope.kind, &envelope.data).unwrap() {
        Some(PositionEvent::Updated(data)) => data,
        None => panic!("{envelope:?}"),
    }
}

#[tokio::test]
async fn a_position_reaches_those_who_watch() {
    let fixture = fixture().await;
    let mut customer = fixture.connect(user(CUSTOMER)).await;
    customer.watch(&format!("delivery:{}", delivery(7))).await;
    let mut driver = fixture.connect_as(user(DRIVER), Role::Delivery).await;
    let here = DevicePosition {
        delivery_id: Some(delivery(7)),
        ..position(6.91, fixture.clock.now())
    };
    driver.send(&ClientFrame::Position(here)).await;
    assert_eq!(lat(&mut customer).await, 6.91);
}

#[tokio::test]
async fn without_a_delivery_it_counts_for_all_that_are_under_way() {
    let fixture = fixture().await;
    fixture
        .set_delivery(delivery(8), &[user(CUSTOMER), user(DRIVER)], false)
        .await;
    fixture
        .set_delivery(delivery(9), &[user(CUSTOMER), user(DRIVER)], true)
        .await;
    fixture
        .set_deliveries(user(DRIVER), &[delivery(7), delivery(8), delivery(9)])
        .await;
    let mut positions = fixture
        .nats
        .broker
        .client
        .subscribe("tiffin.position.*")
        .await
        .unwrap();
    let mut driver = fixture.connect_as(user(DRIVER), Role::Delivery).await;
    let now = fixture.clock.now();
    driver
        .send(&ClientFrame::Position(position(6.91, now)))
        .await;
    let (first, second) = (
        published(&mut positions).await,
        published(&mut positions).await,
    );
    assert_eq!(
        [first.delivery_id, second.delivery_id],
        [delivery(7), delivery(9)]
    );
    assert_eq!(
        (first.driver_id, first.lat, first.at),
        (user(DRIVER), 6.91, now)
    );
    // What changes is known at once.
    fixture.set_deliveries(user(DRIVER), &[delivery(9)]).await;
    fixture
        .set_delivery(delivery(9), &[user(CUSTOMER), user(DRIVER)], false)
        .await;
    driver
        .send(&ClientFrame::Position(position(6.92, fixture.clock.now())))
        .await;
    let more = tokio::time::timeout(Duration::from_millis(300), positions.next()).await;
    assert!(more.is_err(), "{more:?}");
}

#[tokio::test]
async fn a_buffer_that_comes_newest_first_goes_out_oldest_first() {
    let fixture = fixture().await;
    let mut customer = fixture.connect(user(CUSTOMER)).await;
    customer.watch(&format!("delivery:{}", delivery(7))).await;
    let mut driver = fixture.connect_as(user(DRIVER), Role::Delivery).await;
    let now = fixture.clock.now();
    let positions = (0..5)
        .map(|n| position(f64::from(n), now - time::Duration::seconds(n.into())))
        .collect();
    driver.send(&ClientFrame::Positions { positions }).await;
    for expected in [4.0, 3.0, 2.0, 1.0, 0.0] {
        assert_eq!(lat(&mut customer).await, expected);
    }
}

#[tokio::test]
async fn what_is_older_than_the_last_is_dropped_on_another_socket_too() {
    let fixture = fixture().await;
    let mut customer = fixture.connect(user(CUSTOMER)).await;
    customer.watch(&format!("delivery:{}", delivery(7))).await;
    let mut driver = fixture.connect_as(user(DRIVER), Role::Delivery).await;
    let now = fixture.clock.now();
    let earlier = now - time::Duration::seconds(5);
    driver
        .send(&ClientFrame::Position(position(6.2, now)))
        .await;
    assert_eq!(lat(&mut customer).await, 6.2);
    driver
        .send(&ClientFrame::Position(position(6.1, earlier)))
        .await;
    driver
        .send(&ClientFrame::Position(position(6.2, now)))
        .await;
    silence(&mut customer).await;
    let mut again = fixture.connect_as(user(DRIVER), Role::Delivery).await;
    again
        .send(&ClientFrame::Position(position(6.1, earlier)))
        .await;
    again
        .send(&ClientFrame::Position(position(
            6.3,
            now + time::Duration::SECOND,
        )))
        .await;
    assert_eq!(lat(&mut customer).await, 6.3);
}

#[tokio::test]
async fn what_can_not_be_is_refused() {
    let fixture = fixture().await;
    fixture
        .set_delivery(delivery(8), &[user(CUSTOMER), user(DRIVER)], false)
        .await;
    let now = fixture.clock.now();
    let of = |n, position: DevicePosition| DevicePosition {
        delivery_id: Some(delivery(n)),
        ..position
    };
    let cases = [
        (
            of(7, position(90.5, now)),
            "lat must be from -90 to 90 and lng from -180 to 180.",
        ),
        (
            of(7, position(6.9, now + time::Duration::minutes(5))),
            "at must not be in the future.",
        ),
        (of(8, position(6.9, now)), "This delivery is not under way."),
        (
            of(9, position(6.9, now)),
            "You are not the driver of this delivery.",
        ),
    ];
    let mut driver = fixture.connect_as(user(DRIVER), Role::Delivery).await;
    for (position, reason) in cases {
        driver.send(&ClientFrame::Position(position)).await;
        assert_eq!(error(&mut driver).await, reason);
    }
    let mut customer = fixture.connect(user(CUSTOMER)).await;
    customer
        .send(&ClientFrame::Position(of(7, position(6.9, now))))
        .await;
    assert_eq!(
        error(&mut customer).await,
        "You are not the driver of this delivery."
    );
    let mut other = fixture.connect_as(user(3), Role::Delivery).await;
    // A driver without deliveries moves none.
    other.send(&ClientFrame::Position(position(6.9, now))).await;
    silence(&mut other).await;
}

#[tokio::test]
async fn a_frame_has_at_most_a_hundred_positions() {
    let fixture = fixture().await;
    let mut driver = fixture.connect_as(user(DRIVER), Role::Delivery).await;
    let now = fixture.clock.now();
    let positions = (0..101)
        .map(|n| position(6.9, now - time::Duration::seconds(n)))
        .collect();
    driver.send(&ClientFrame::Positions { positions }).await;
    assert_eq!(error(&mut driver).await, "A frame may have 100 positions.");
}

#[tokio::test]
async fn a_customers_flood_of_positions_asks_the_broker_nothing() {
    let fixture = fixture().await;
    let mut asked = fixture
        .nats
        .broker
        .client
        .subscribe("$JS.API.>")
        .await
        .unwrap();
    fixture.nats.broker.client.flush().await.unwrap();
    let mut customer = fixture.connect(user(CUSTOMER)).await;
    for _ in 0..5 {
        let now = fixture.clock.now();
        let positions = (0..100)
            .map(|n| DevicePosition {
                delivery_id: Some(delivery(n)),
                ..position(6.9, now)
            })
            .collect();
        customer.send(&ClientFrame::Positions { positions }).await;
        assert_eq!(
            error(&mut customer).await,
            "You are not the driver of this delivery."
        );
    }
    let more = tokio::time::timeout(Duration::from_millis(300), asked.next()).await;
    assert!(more.is_err(), "{more:?}");
}

/// The number of a delivery's positions that the broker has stored.
async fn stored(fixture: &Fixture, id: DeliveryId) -> u64 {
    let stream = fixture.nats.broker.jetstream.get_stream("POSITIONS").await;
    let subject = tiffin_events::subject::position(id);
    let stream = stream.unwrap();
    let mut counts = stream.info_with_subjects(&subject).await.unwrap();
    match counts.next().await {
        Some(count) => u64::try_from(count.unwrap().1).unwrap(),
        None => 0,
    }
}

#[tokio::test]
async fn of_twenty_two_thousand_positions_of_one_delivery_the_burst_is_stored_and_one_a_second() {
    const OTHER: u128 = 3;
    let fixture = fixture().await;
    let users = [user(CUSTOMER), user(OTHER)];
    fixture.set_delivery(delivery(9), &users, true).await;
    fixture.set_deliveries(user(OTHER), &[delivery(9)]).await;
    let mut customer = fixture.connect(user(CUSTOMER)).await;
    customer.watch(&format!("delivery:{}", delivery(9))).await;
    let mut other = fixture.connect_as(user(OTHER), Role::Delivery).await;
    let mut sockets = Vec::new();
    for _ in 0..10 {
        sockets.push(fixture.connect_as(user(DRIVER), Role::Delivery).await);
    }

    // 22 frames of 100 on each of ten sockets; a socket may send 20 frames a second.
    let (began, first) = (
        Instant::now(),
        fixture.clock.now() - time::Duration::hours(7),
    );
    for round in 0..22_u32 {
        for (place, socket) in (0_u32..).zip(&mut sockets) {
            let positions = (0..100_u32).map(|n| DevicePosition {
                delivery_id: Some(delivery(7)),
                ..position(
                    6.9,
                    first + time::Duration::SECOND * ((round * 10 + place) * 100 + n),
                )
            });
            let positions = positions.collect();
            socket.send(&ClientFrame::Positions { positions }).await;
        }
        if round % 5 == 0 {
            // Those of another delivery go on meanwhile.
            let lat = 7.0 + f64::from(round) / 100.0;
            other
                .send(&ClientFrame::Position(position(lat, fixture.clock.now())))
                .await;
            assert_eq!(self::lat(&mut customer).await, lat);
        }
        tokio::time::sleep(Duration::from_millis(80)).await;
    }
    // All are looked at once each socket got the answer that its last ones came too fast.
    for socket in &mut sockets {
        while socket.next_within(Duration::from_secs(1)).await.is_some() {}
    }
    let seconds = began.elapsed().as_secs() + 1;
    let kept = stored(&fixture, delivery(7)).await;
    assert!(
        (600..=600 + seconds).contains(&kept),
        "{kept} within {seconds} s"
    );
    assert_eq!(stored(&fixture, delivery(9)).await, 5);
}

#[tokio::test]
async fn a_network_has_a_quarter_of_the_sockets() {
    let fixture = Fixture::with(Limits {
        sockets: 12,
        ..Limits::default()
    })
    .await;
    // The bridge of these tests is behind a proxy, which says whose socket it is.
    let ask = async |network: &str| {
        let mut request = fixture.bridge.app.live_url().into_client_request().unwrap();
        let value = HeaderValue::from_str(network).unwrap();
        request.headers_mut().insert("x-forwarded-for", value);
        connect_async(request).await
    };
    let mut held = Vec::new();
    for nth in 1..=3 {
        held.push(ask(&format!("2001:db8::{nth}")).await.unwrap());
    }
    let refused = ask("2001:db8::4").await.unwrap_err();
    assert!(matches!(refused, Error::Http(answer) if answer.status() == 503));
    for network in ["192.0.2.1", "192.0.2.2", "192.0.2.3"] {
        for _ in 0..3 {
            held.push(ask(network).await.unwrap());
        }
    }
    // All twelve are taken.
    assert!(ask("192.0.2.4").await.is_err());
    held.clear();
    let began = Instant::now();
    while let Err(error) = ask("2001:db8::4").await {
        assert!(began.elapsed() < Duration::from_secs(10), "{error}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn an_account_has_ten_sockets() {
    let fixture = fixture().await;
    let mut held = Vec::new();
    for _ in 0..10 {
        held.push(fixture.connect(user(CUSTOMER)).await);
    }
    let token = fixture.token(user(CUSTOMER), Role::Customer);
    let mut more = LiveClient::open(&fixture.bridge.app.live_url()).await;
    more.send(&ClientFrame::Auth { token }).await;
    assert_eq!(more.closed().await.code, Some(1013));
    // Another account is not touched by it.
    fixture.connect(user(9)).await;
}
