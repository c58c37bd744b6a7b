use tiffin_events::{
    DeliveryId, OrderId, Role,
    live::{ClientFrame, ServerFrame},
};
use tiffin_live::Limits;
use uuid::Uuid;

use crate::fixture::{Fixture, lat, refusal, seq, silence, user};

const CUSTOMER: u128 = 1;
const DRIVER: u128 = 2;

fn delivery(n: u128) -> DeliveryId {
    DeliveryId(Uuid::from_u128(n))
}

fn order(n: u128) -> OrderId {
    OrderId(Uuid::from_u128(n))
}

#[tokio::test]
async fn the_people_of_a_thing_and_admins_may_watch_it() {
    let fixture = Fixture::new().await;
    fixture
        .set_delivery(delivery(7), &[user(CUSTOMER), user(DRIVER)], true)
        .await;
    let topic = format!("delivery:{}", delivery(7));
    for n in [CUSTOMER, DRIVER] {
        fixture.connect(user(n)).await.watch(&topic).await;
    }
    let mut admin = fixture.connect_as(user(99), Role::Admin).await;
    admin.watch(&topic).await;
    let mut stranger = fixture.connect(user(3)).await;
    for topic in [topic, format!("delivery:{}", delivery(8))] {
        stranger
            .send(&ClientFrame::Watch {
                topic: topic.clone(),
                after: None,
            })
            .await;
        let (refused, message) = refusal(&mut stranger).await;
        assert_eq!(
            (refused, &*message),
            (topic, "There is no such thing for you to watch.")
        );
    }
    fixture.position(delivery(7), 6.9).await;
    silence(&mut stranger).await;
}

#[tokio::test]
async fn topics_that_do_not_exist_are_refused() {
    let fixture = Fixture::new().await;
    let mut client = fixture.connect(user(1)).await;
    for topic in [
        "",
        "you",
        "delivery:7",
        "delivery:*",
        "replay:01930000-0000-7000-8000-000000000001",
    ] {
        client
            .send(&ClientFrame::Watch {
                topic: topic.to_owned(),
                after: None,
            })
            .await;
        assert_eq!(refusal(&mut client).await.0, topic);
    }
    client.watch("me").await;
}

#[tokio::test]
async fn every_watcher_gets_the_same_positions_in_order() {
    let fixture = Fixture::with(Limits {
        account_sockets: 20,
        ..Limits::default()
    })
    .await;
    let id = delivery(7);
    fixture
        .set_delivery(id, &[user(CUSTOMER), user(DRIVER)], true)
        .await;
    let topic = format!("delivery:{id}");
    let mut clients = Vec::new();
    for _ in 0..20 {
        let mut client = fixture.connect(user(CUSTOMER)).await;
        client.watch(&topic).await;
        clients.push(client);
    }
    for n in 0..50 {
        fixture.position(id, f64::from(n)).await;
    }
    for client in &mut clients {
        for n in 0..50 {
            let ServerFrame::Position {
                topic: of,
                delivery_id,
                lat,
                speed,
                heading,
                ..
            } = client.next().await
            else {
                panic!("a position");
            };
            assert_eq!((of, delivery_id, lat), (topic.clone(), id, f64::from(n)));
            assert_eq!((speed, heading), (Some(7.5), None));
        }
    }
}

#[tokio::test]
async fn the_last_position_comes_right_after_watching() {
    let fixture = Fixture::new().await;
    let id = delivery(7);
    fixture.set_delivery(id, &[user(CUSTOMER)], true).await;
    fixture.position(id, 6.1).await;
    fixture.position(id, 6.2).await;
    let mut first = fixture.connect(user(CUSTOMER)).await;
    let topic = format!("delivery:{id}");
    first
        .send(&ClientFrame::Watch {
            topic: topic.clone(),
            after: None,
        })
        .await;
    assert_eq!(
        first.next().await,
        ServerFrame::Watching {
            topic: topic.clone()
        }
    );
    assert!(matches!(first.next().await, ServerFrame::Position { lat, .. } if lat == 6.2));
    fixture.position(id, 6.3).await;
    assert_eq!(lat(&mut first).await, 6.3);
    let mut second = fixture.connect(user(CUSTOMER)).await;
    second.watch(&topic).await;
    assert_eq!(lat(&mut second).await, 6.3);
}

#[tokio::test]
async fn positions_are_shown_only_while_the_delivery_is_under_way() {
    let fixture = Fixture::new().await;
    let id = delivery(7);
    let people = [user(CUSTOMER), user(DRIVER)];
    fixture.set_delivery(id, &people, false).await;
    fixture.position(id, 6.1).await;
    let mut client = fixture.connect(user(CUSTOMER)).await;
    client.watch(&format!("delivery:{id}")).await;
    fixture.position(id, 6.2).await;
    silence(&mut client).await;
    fixture.set_delivery(id, &people, true).await;
    fixture.position(id, 6.3).await;
    assert_eq!(lat(&mut client).await, 6.3);
    let place = fixture.delivery_event(id, "delivered").await;
    assert_eq!(seq(&mut client).await, place);
    fixture.position(id, 6.4).await;
    silence(&mut client).await;
}

#[tokio::test]
async fn a_lost_right_is_refused() {
    let fixture = Fixture::new().await;
    let id = delivery(7);
    fixture
        .set_delivery(id, &[user(CUSTOMER), user(DRIVER)], true)
        .await;
    let mut client = fixture.connect(user(DRIVER)).await;
    client.watch(&format!("delivery:{id}")).await;
    fixture
        .set_delivery(id, &[user(CUSTOMER), user(5)], true)
        .await;
    assert_eq!(refusal(&mut client).await.0, format!("delivery:{id}"));
    fixture.position(id, 6.1).await;
    silence(&mut client).await;
}

#[tokio::test]
async fn statuses_come_with_their_place_in_the_stream() {
    let fixture = Fixture::new().await;
    fixture.set_order(order(5), &[user(CUSTOMER)]).await;
    let topic = format!("order:{}", order(5));
    let mut client = fixture.connect(user(CUSTOMER)).await;
    client.watch(&topic).await;
    let place = fixture.order_event(order(5), "confirmed").await;
    fixture.order_event(order(6), "confirmed").await;
    let ServerFrame::Event {
        topic: of,
        seq,
        event,
        ..
    } = client.next().await
    else {
        panic!("an event");
    };
    assert_eq!((of, seq), (topic.clone(), Some(place)));
    assert_eq!(
        (&*event.kind, event.subject),
        ("tiffin.order.confirmed.v1", order(5).0)
    );
    client.send(&ClientFrame::Unwatch { topic }).await;
    client.watch("me").await;
    fixture.order_event(order(5), "preparing").await;
    silence(&mut client).await;
}

#[tokio::test]
async fn resuming_misses_none_and_doubles_none() {
    let fixture = Fixture::new().await;
    let id = order(5);
    fixture.set_order(id, &[user(CUSTOMER)]).await;
    let topic = format!("order:{id}");
    let mut places = vec![fixture.order_event(id, "placed").await];
    fixture.order_event(order(6), "placed").await;
    for _ in 0..300 {
        places.push(fixture.order_event(id, "confirmed").await);
    }
    // Events go on coming while the client resumes.
    let (mut client, more) = tokio::join!(
        async {
            let mut client = fixture.connect(user(CUSTOMER)).await;
            client.watch_after(&topic, Some(places[0])).await;
            client
        },
        async {
            let mut more = Vec::new();
            for _ in 0..200 {
                more.push(fixture.order_event(id, "preparing").await);
            }
            more
        }
    );
    let expected = places[1..].iter().chain(&more);
    for place in expected {
        assert_eq!(seq(&mut client).await, *place);
    }
    silence(&mut client).await;
}

#[tokio::test]
async fn a_second_watcher_that_resumes_doubles_nothing_for_the_first() {
    let fixture = Fixture::new().await;
    let id = order(5);
    fixture.set_order(id, &[user(CUSTOMER)]).await;
    let topic = format!("order:{id}");
    let mut first = fixture.connect(user(CUSTOMER)).await;
    first.watch(&topic).await;
    let places = [
        fixture.order_event(id, "placed").await,
        fixture.order_event(id, "confirmed").await,
    ];
    let mut second = fixture.connect(user(CUSTOMER)).await;
    second.watch_after(&topic, Some(places[0])).await;
    let last = fixture.order_event(id, "preparing").await;
    for expected in [places[0], places[1], last] {
        assert_eq!(seq(&mut first).await, expected);
    }
    for expected in [places[1], last] {
        assert_eq!(seq(&mut second).await, expected);
    }
    silence(&mut first).await;
    silence(&mut second).await;
}

#[tokio::test]
async fn asking_again_for_what_is_watched_is_answered_and_changes_nothing() {
    let fixture = Fixture::new().await;
    fixture.set_order(order(5), &[user(CUSTOMER)]).await;
    let mut client = fixture.connect(user(CUSTOMER)).await;
    for _ in 0..3 {
        client.watch(&format!("order:{}", order(5))).await;
    }
    fixture.order_event(order(5), "confirmed").await;
    seq(&mut client).await;
    silence(&mut client).await;
}
