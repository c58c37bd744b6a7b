//! The hints that a user, a role and the administrators get.

use std::time::Duration;

use serde_json::json;
use tiffin_events::{
    DeliveryId, Role,
    live::{ClientFrame, ServerFrame},
};
use uuid::Uuid;

use crate::harness::{Harness, refusal, silence, user};

fn delivery(n: u128) -> DeliveryId {
    DeliveryId(Uuid::from_u128(n))
}

#[tokio::test]
async fn a_user_hears_of_what_concerns_them() {
    let harness = Harness::new().await;
    let (mut client, mut other) = (
        harness.connect(user(1)).await,
        harness.connect(user(2)).await,
    );
    client.watch("me").await;
    other.watch("me").await;
    let text = json!({"text": "Your order is on its way."});
    harness
        .feed(user(1), "tiffin.notification.created.v1", &text)
        .await;
    harness
        .feed(user(1), "tiffin.order.confirmed.v1", &json!({"a": 1}))
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
    let harness = Harness::new().await;
    let mut admin = harness.connect_as(user(99), Role::Admin).await;
    admin.watch("deliveries").await;
    for role in [Role::Customer, Role::Restaurant, Role::Delivery] {
        let mut other = harness.connect_as(user(1), role).await;
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
        harness.position(delivery(n), 6.5).await;
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
    harness.position(delivery(7), 6.6).await;
    silence(&mut admin).await;
}

#[tokio::test]
async fn me_brings_the_hints_of_the_role() {
    let harness = Harness::new().await;
    let mut admin = harness.connect_as(user(99), Role::Admin).await;
    let mut owner = harness.connect_as(user(2), Role::Restaurant).await;
    let mut customer = harness.connect_as(user(3), Role::Customer).await;
    for client in [&mut admin, &mut owner, &mut customer] {
        client.watch("me").await;
    }
    harness
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
    harness.hint(Role::Admin, "tiffin.user.registered.v1").await;
    assert!(matches!(admin.next().await, ServerFrame::Event { .. }));
    silence(&mut customer).await;
    admin
        .send(&ClientFrame::Unwatch {
            topic: "me".to_owned(),
        })
        .await;
    admin.watch("deliveries").await;
    harness.hint(Role::Admin, "tiffin.user.verified.v1").await;
    silence(&mut admin).await;
    silence(&mut owner).await;
}

#[tokio::test]
async fn a_flood_of_hints_becomes_a_few() {
    let harness = Harness::new().await;
    let mut admin = harness.connect_as(user(99), Role::Admin).await;
    admin.watch("me").await;
    for _ in 0..500 {
        harness.hint(Role::Admin, "tiffin.order.placed.v1").await;
    }
    harness.hint(Role::Admin, "tiffin.order.cancelled.v1").await;
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
