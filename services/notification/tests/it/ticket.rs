//! One notification, one mail and one push for what the orders of a ticket have together.

use serde_json::{Value, json};
use tiffin_events::Envelope;
use time::Duration;
use uuid::Uuid;

use crate::fixture::{CUSTOMER, DRIVER, Fixture, OWNER, event};

const DISHES: [&str; 3] = ["Chicken kottu", "Egg hopper", "Watalappan"];

/// One kind of event for each of three orders of a ticket.
fn of_three(kind: &str, sequence: i64) -> Vec<Envelope> {
    let orders = (0..3).zip(DISHES);
    let events = orders.map(|(nth, dish)| {
        let mut event = event(kind, sequence);
        let order = Uuid::from_u128(1_000 + nth);
        event.subject = if kind.starts_with("tiffin.order.") {
            order
        } else {
            Uuid::from_u128(2_000 + nth)
        };
        event.data["orderId"] = json!(order);
        event.data["orderCode"] = json!(format!("ORD-{nth:08}"));
        if kind == "tiffin.order.placed.v1" {
            event.data["ticketOrders"] = json!(3);
        }
        if event.data["itemName"].is_string() {
            event.data["itemName"] = json!(dish);
            event.data["quantity"] = json!(nth + 1);
        }
        event
    });
    events.collect()
}

async fn deliver(fixture: &Fixture, events: &[Envelope]) {
    for event in events {
        assert!(fixture.deliver(event).await);
    }
}

fn texts(list: &[Value]) -> Vec<&str> {
    list.iter()
        .map(|one| one["text"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn a_ticket_is_one_notification_and_one_mail_with_all_dishes() {
    let fixture = Fixture::with_accounts().await;
    let placed = of_three("tiffin.order.placed.v1", 1);
    // The mail waits for the orders whose events are on their way.
    deliver(&fixture, &placed[..2]).await;
    assert!(fixture.mails().await.is_empty());
    deliver(&fixture, &placed[2..]).await;
    let mails = fixture.mails().await;
    assert_eq!(mails.len(), 1);
    assert!(
        mails[0].contains("Subject: New order ORD-00000000 +2"),
        "{}",
        mails[0]
    );
    let list = fixture.list(OWNER).await;
    let said = "New order ORD-00000000 +2: 1 × Chicken kottu, 2 × Egg hopper, 3 × Watalappan.";
    assert_eq!(texts(&list), [said]);
    assert_eq!(list[0]["coded"]["code"], "notification.new-dishes");

    deliver(&fixture, &of_three("tiffin.order.confirmed.v1", 2)).await;
    let list = fixture.list(CUSTOMER).await;
    let said = "Your order ORD-00000000 +2 is confirmed and has a driver. It should be with you within 30 minutes.";
    assert_eq!(texts(&list), [said]);
    assert_eq!(
        list[0]["dishes"],
        json!(["1 × Chicken kottu", "2 × Egg hopper", "3 × Watalappan"])
    );
    let mails = fixture.mails().await;
    assert_eq!(mails.len(), 2);
    for dish in DISHES {
        assert!(mails[1].contains(dish), "{dish}: {}", mails[1]);
    }
    assert!(!mails[1].contains("more orders"), "{}", mails[1]);
}

#[tokio::test]
async fn bell_and_mail_name_the_restaurant_that_an_order_is_from() {
    let fixture = Fixture::with_accounts().await;
    deliver(&fixture, &of_three("tiffin.order.placed.v1", 1)).await;
    let name = async || fixture.list(OWNER).await[0]["restaurantName"].clone();
    assert_eq!(name().await, Value::Null);
    let mut restaurant = event("tiffin.restaurant.created.v1", 1);
    deliver(&fixture, &[restaurant.clone()]).await;
    assert_eq!(name().await, "Galle Face Kitchen");
    restaurant.data["name"] = json!("Fort Kitchen");
    restaurant.kind = "tiffin.restaurant.updated.v1".into();
    let renamed = Envelope {
        sequence: 2,
        id: Uuid::from_u128(7),
        ..restaurant
    };
    deliver(&fixture, &[renamed]).await;
    assert_eq!(name().await, "Fort Kitchen");
    let mails = fixture.mails().await;
    assert!(
        mails[0].contains("Restaurant: Fort Kitchen"),
        "{}",
        mails[0]
    );
}

#[tokio::test]
async fn each_reader_gets_one_notification_of_a_topic() {
    let fixture = Fixture::with_accounts().await;
    deliver(&fixture, &of_three("tiffin.order.placed.v1", 1)).await;
    for (kind, sequence) in [
        ("tiffin.order.confirmed.v1", 2),
        ("tiffin.delivery.created.v1", 1),
        ("tiffin.delivery.on_the_way.v1", 2),
        ("tiffin.delivery.delivered.v1", 3),
    ] {
        deliver(&fixture, &of_three(kind, sequence)).await;
    }
    assert_eq!(fixture.topics(OWNER).await.len(), 2);
    assert_eq!(fixture.topics(CUSTOMER).await.len(), 3);
    assert_eq!(fixture.topics(DRIVER).await, ["delivery_assigned"]);
    assert_eq!(fixture.mails().await.len(), 6);
}

#[tokio::test]
async fn a_replay_tells_nothing_again_and_makes_the_same_list() {
    let fixture = Fixture::with_accounts().await;
    let events = [
        of_three("tiffin.order.placed.v1", 1),
        of_three("tiffin.order.confirmed.v1", 2),
    ]
    .concat();
    deliver(&fixture, &events).await;
    let (owners, customers) = (fixture.list(OWNER).await, fixture.list(CUSTOMER).await);
    assert_eq!(fixture.mails().await.len(), 2);
    // As long after, the time in which orders share a notification is over and forgotten.
    for forgotten in ["truncate bus.reached", "truncate occasions"] {
        sqlx::raw_sql(forgotten)
            .execute(&fixture.db.pool)
            .await
            .unwrap();
        for event in &events {
            fixture.deliver_as(event, Some("again")).await;
        }
        assert_eq!(fixture.list(OWNER).await, owners);
        assert_eq!(fixture.list(CUSTOMER).await, customers);
    }
    assert_eq!(fixture.mails().await.len(), 2);

    // A service that hears all of it in a replay alone has the same list.
    let other = Fixture::with_accounts().await;
    for event in &events {
        assert!(other.deliver_as(event, Some("first")).await);
    }
    assert_eq!(texts(&other.list(OWNER).await), texts(&owners));
    assert_eq!(texts(&other.list(CUSTOMER).await), texts(&customers));
    assert!(other.mails().await.is_empty());
}

#[tokio::test]
async fn an_order_that_is_confirmed_later_is_new_in_the_same_notification() {
    let fixture = Fixture::with_accounts().await;
    deliver(&fixture, &of_three("tiffin.order.placed.v1", 1)).await;
    let mut confirmed = of_three("tiffin.order.confirmed.v1", 2);
    deliver(&fixture, &confirmed[..1]).await;
    fixture.clock.advance(Duration::seconds(3));
    let mails = fixture.mails().await;
    assert!(
        mails
            .last()
            .unwrap()
            .contains("more orders of the same checkout")
    );
    sqlx::raw_sql("update notifications set read = true")
        .execute(&fixture.db.pool)
        .await
        .unwrap();
    confirmed[1].time += Duration::minutes(5);
    deliver(&fixture, &confirmed[1..2]).await;
    let list = fixture.list(CUSTOMER).await;
    assert_eq!(list.len(), 1);
    assert_eq!(list[0]["read"], false);
    assert_eq!(list[0]["dishes"].as_array().unwrap().len(), 2);
    // Another ten minutes later it is another story.
    confirmed[2].time += Duration::minutes(11);
    deliver(&fixture, &confirmed[2..]).await;
    assert_eq!(fixture.list(CUSTOMER).await.len(), 2);
}

#[tokio::test]
async fn other_reasons_are_other_notifications() {
    let fixture = Fixture::with_accounts().await;
    deliver(&fixture, &of_three("tiffin.order.placed.v1", 1)).await;
    let mut cancelled = of_three("tiffin.order.cancelled.v1", 2);
    for (event, reason) in cancelled
        .iter_mut()
        .zip(["sold_out", "sold_out", "too_busy"])
    {
        event.data["by"] = json!("restaurant");
        event.data["reason"] = json!(reason);
    }
    deliver(&fixture, &cancelled).await;
    let list = fixture.list(CUSTOMER).await;
    let dishes = list.iter().map(|one| one["dishes"].as_array().unwrap());
    let mut dishes: Vec<_> = dishes.map(Vec::len).collect();
    dishes.sort_unstable();
    assert_eq!(dishes, [0, 2]);
}
