//! The hints that a user, a role and the administrators get.

use std::time::Duration;

use serde_json::json;
use tiffin_events::{
    DeliveryId, Role,
    live::{ClientFrame, ServerFrame},
};
use uuid::Uuid;

use crate::fixture::{Fixture, refusal, silence, user};

fn delivery(n: u128) -> DeliveryId {
    DeliveryId(Uuid::from_u128(n))
}

#[tokio::test]
async fn a_user_hears_of_what_concerns_them() {
    let fixture = Fixture::new().await;
    let (mut client, mut other) = (
        fixture.connect(user(1)).await,
        fixture.connect(user(2)).await,
    );
    client.watch("me").await;
    other.watch("me").await;
    let text = json!({"text": "Your order is on its way."});
    fixture
        .notify(user(1), "tiffin.notification.created.v1", &text)
        .await;
    fixture
        .notify(user(1), "tiffin.order.confirmed.v1", &json!({"a": 1}))
        .await;
    assert_eq!(
        client.next().await,
        ServerFrame::Notification { notification: text }
    );
    let ServerFrame::Event {
        topic, seq, event, ..
    } = client.next().await
    else {
        panic!("a hint");
    };
    assert_eq!(
        (&*topic, seq, &*event.kind),
        ("me", None, "tiffin.order.confirmed.v1")
    );
    silence(&mut other).await;
}

#[tokio::test]
async fn only_administrators_see_every_delivery_move() {
    let fixture = Fixture::new().await;
    let mut admin = fixture.connect_as(user(99), Role::Admin).await;
    admin.watch("deliveries").await;
    for role in [Role::Customer, Role::Restaurant, Role::Delivery] {
        let mut other = fixture.connect_as(user(1), role).await;
        other
            .send(&ClientFrame::Watch {
                topic: "deliveries".to_owned(),
                after: None,
            })
            .await;
        let (refused, message) = refusal(&mut other).await;
        assert_eq!(
            (&*refused, &*message),
            ("deliveries", "There is no such thing for you to watch.")
        );
    }
    for n in [7, 8] {
        fixture.position(delivery(n), 6.5).await;
        let ServerFrame::Position {
            topic, delivery_id, ..
        } = admin.next().await
        else {
            panic!("a position");
        };
        assert_eq!(
            (topic, delivery_id),
            (format!("delivery:{}", delivery(n)), delivery(n))
        );
    }
    admin
        .send(&ClientFrame::Unwatch {
            topic: "deliveries".to_owned(),
        })
        .await;
    admin.watch("me").await;
    fixture.position(delivery(7), 6.6).await;
    silence(&mut admin).await;
}

#[tokio::test]
async fn me_brings_the_hints_of_the_role() {
    let fixture = Fixture::new().await;
    let mut admin = fixture.connect_as(user(99), Role::Admin).await;
    let mut owner = fixture.connect_as(user(2), Role::Restaurant).await;
    let mut customer = fixture.connect_as(user(3), Role::Customer).await;
    for client in [&mut admin, &mut owner, &mut customer] {
        client.watch("me").await;
    }
    fixture
        .hint(Role::Restaurant, "tiffin.driver.available.v1")
        .await;
    let ServerFrame::Event {
        topic, seq, event, ..
    } = owner.next().await
    else {
        panic!("a hint");
    };
    assert_eq!(
        (&*topic, seq, &*event.kind),
        ("me", None, "tiffin.driver.available.v1")
    );
    fixture.hint(Role::Admin, "tiffin.user.registered.v1").await;
    assert!(matches!(admin.next().await, ServerFrame::Event { .. }));
    silence(&mut customer).await;
    admin
        .send(&ClientFrame::Unwatch {
            topic: "me".to_owned(),
        })
        .await;
    admin.watch("deliveries").await;
    fixture.hint(Role::Admin, "tiffin.user.verified.v1").await;
    silence(&mut admin).await;
    silence(&mut owner).await;
}

#[tokio::test]
async fn a_flood_of_hints_becomes_a_few() {
    let fixture = Fixture::new().await;
    let mut admin = fixture.connect_as(user(99), Role::Admin).await;
    admin.watch("me").await;
    for _ in 0..500 {
        fixture.hint(Role::Admin, "tiffin.order.placed.v1").await;
    }
    fixture.hint(Role::Admin, "tiffin.order.cancelled.v1").await;
    let mut kinds = Vec::new();
    while let Some(frame) = admin.next_within(Duration::from_secs(1)).await {
        let ServerFrame::Event { event, .. } = frame else {
            panic!("a hint");
        };
        kinds.push(event.kind);
    }
    assert!(kinds.contains(&"tiffin.order.cancelled.v1".to_owned()));
    assert!((2..100).contains(&kinds.len()), "{}", kinds.len());
}
