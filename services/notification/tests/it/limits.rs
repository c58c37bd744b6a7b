//! The limits of an account's writes and of one checkout's mail.

use serde_json::json;
use tiffin_events::{Envelope, Role};
use tiffin_testkit::token;
use time::Duration;
use uuid::Uuid;

use crate::fixture::{CUSTOMER, Fixture, OWNER, event};

/// One kind of event for each of 50 orders of a checkout. Orders with even numbers are at one restaurant, the
/// others at another.
fn of_fifty(kind: &str, sequence: i64, restaurants: [u128; 2]) -> Vec<Envelope> {
    let orders = (0..50).map(|nth| {
        let mut event = event(kind, sequence);
        event.subject = Uuid::from_u128(1_000 + nth);
        event.data["orderId"] = json!(event.subject);
        event.data["orderCode"] = json!(format!("ORD-{nth:08}"));
        let restaurant = restaurants[usize::from(nth % 2 == 1)];
        event.data["restaurantId"] = json!(Uuid::from_u128(restaurant));
        event
    });
    orders.collect()
}

#[tokio::test]
async fn a_checkout_of_fifty_lines_makes_one_mail_a_restaurant() {
    let fixture = Fixture::with_accounts().await;
    for event in of_fifty("tiffin.order.placed.v1", 1, [1, 2]) {
        assert!(fixture.deliver(&event).await);
    }
    let mails = fixture.mails().await;
    assert_eq!(mails.len(), 2, "one for each restaurant");
    assert!(mails.iter().all(|mail| mail.contains("sunil@")));
    assert!(
        mails
            .iter()
            .all(|mail| !mail.contains("more orders of the same"))
    );
    assert_eq!(fixture.list(OWNER).await.len(), 2);

    for event in of_fifty("tiffin.order.confirmed.v1", 2, [1, 2]) {
        assert!(fixture.deliver(&event).await);
    }
    assert_eq!(fixture.mails().await.len(), 4);
    assert_eq!(fixture.list(CUSTOMER).await.len(), 2);
}

#[tokio::test]
async fn it_is_one_mail_too_when_consumers_run_at_once_die_and_hear_again() {
    let fixture = Fixture::with_accounts().await;
    let events = of_fifty("tiffin.order.placed.v1", 1, [1, 1]);
    // A notification that is rolled back sends nothing and holds up no other.
    let mut tx = tiffin_database::begin(&fixture.db.pool).await.unwrap();
    sqlx::query(
        "insert into occasions (checkout_id, restaurant_id, user_id, topic, since)
         values ($1, $2, $3, 'notification.new-order', $4)",
    )
    .bind(
        events[0].data["checkoutId"]
            .as_str()
            .unwrap()
            .parse::<Uuid>()
            .unwrap(),
    )
    .bind(Uuid::from_u128(1))
    .bind(OWNER.0)
    .bind(events[0].time)
    .execute(&mut *tx)
    .await
    .unwrap();
    let fed = futures_util::future::join_all(events.iter().map(|event| fixture.deliver(event)));
    let died = async {
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        tx.rollback().await.unwrap();
    };
    futures_util::future::join(fed, died).await;
    assert_eq!(fixture.mails().await.len(), 1);
    sqlx::raw_sql("truncate bus.reached")
        .execute(&fixture.db.pool)
        .await
        .unwrap();
    for event in &events {
        assert!(fixture.deliver(event).await);
    }
    assert_eq!(fixture.mails().await.len(), 1);
    assert_eq!(fixture.list(OWNER).await.len(), 1);
}

#[tokio::test]
async fn what_happens_later_or_in_another_checkout_is_mailed_again() {
    let fixture = Fixture::with_accounts().await;
    let placed = of_fifty("tiffin.order.placed.v1", 1, [1, 1]);
    for event in &placed {
        fixture.deliver(event).await;
    }
    assert_eq!(fixture.mails().await.len(), 1);
    let cancelled = of_fifty("tiffin.order.cancelled.v1", 2, [1, 1]);
    for event in &cancelled[..10] {
        fixture.deliver(event).await;
    }
    fixture.clock.advance(Duration::seconds(3));
    let soon = fixture.mails().await.len();
    for mut event in cancelled[10..20].iter().cloned() {
        event.time += Duration::minutes(11);
        fixture.deliver(&event).await;
    }
    fixture.clock.advance(Duration::seconds(3));
    // Customer, owner and driver get one mail for each occasion.
    assert_eq!((soon, fixture.mails().await.len()), (4, 7));
    let mut other = event("tiffin.order.placed.v1", 1);
    other.subject = Uuid::from_u128(5_000);
    other.data["orderId"] = json!(other.subject);
    other.data["orderCode"] = json!("ORD-OTHER");
    other.data["checkoutId"] = json!(Uuid::from_u128(6_000));
    fixture.deliver(&other).await;
    assert_eq!(fixture.mails().await.len(), 8);
}

#[tokio::test]
async fn every_write_is_counted() {
    let fixture = Fixture::with_accounts().await;
    fixture.deliver(&event("tiffin.order.placed.v1", 1)).await;
    let list = fixture.list(OWNER).await;
    let one = list[0]["_id"].as_str().unwrap();
    let owner = token(&fixture.clock, OWNER, Role::Restaurant).sign();
    for name in ["notifications", "reads", "settings"] {
        fixture.exhaust_limit(name, OWNER).await;
    }
    let app = &fixture.app;
    let order = event("tiffin.order.placed.v1", 1).subject;
    let endpoint = "https://push.example.com/abc";
    // The keys are valid, because they are checked before the limit.
    let keys = json!({
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    });
    for call in [
        app.post("/api/v1/notification")
            .json(&json!({ "orderId": order })),
        app.put(&format!("/api/v1/notification/{one}/read")),
        app.put("/api/v1/notification/read"),
        app.put("/api/v1/notification/preferences")
            .json(&json!({ "mail": false })),
        app.post("/api/v1/notification/push")
            .json(&json!({ "endpoint": endpoint, "keys": keys })),
        app.delete("/api/v1/notification/push")
            .json(&json!({ "endpoint": endpoint })),
    ] {
        let answer = call.token(&owner).await;
        assert!(answer.header("retry-after").is_some(), "{answer:?}");
        answer.problem(429);
    }
}
