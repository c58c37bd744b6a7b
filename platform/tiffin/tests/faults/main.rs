//! The main job by HTTP and websocket while processes are killed (SIGKILL) at the worst moments:
//! nothing is lost and nothing is doubled.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it should be"
)]

mod accounts;
#[expect(dead_code, reason = "the tests of printing use the rest")]
#[path = "../print/agent.rs"]
mod agent;
mod chaos;
mod revocation;
mod stack;
mod stripe;
mod unanswered;

use std::{collections::BTreeMap, time::Duration};

use serde_json::{Value, json};
use tiffin_events::live::{ClientFrame, ServerFrame};
use tiffin_testkit::LiveClient;
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

use crate::{
    accounts::{Account, admin, driver, registered},
    stack::{Stack, eventually},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::too_many_lines, reason = "one story from start to end")]
async fn an_order_survives_every_kill_on_its_way_and_is_delivered_once() {
    let mut stack = Stack::start().await;
    let admin = admin(&stack).await;
    let owner = registered(&stack, "owner@example.com", "restaurant").await;
    let customer = registered(&stack, "customer@example.com", "customer").await;
    let driver = driver(&stack, "driver@example.com").await;
    let item = menu(&stack, &owner, &admin).await;
    eventually("the order service knows the dish", async || {
        let quote = stack
            .post("order", "/api/v1/orders/quote", None, &cart(&item))
            .await;
        quote.is_ok_and(|quote| quote["total"] == json!(2501))
    })
    .await;

    // The order service dies after it has committed an order and before the broker knows of it.
    stack
        .restart_with_fault("order", "relay.before_publish")
        .await;
    let placed = stack
        .post("order", "/api/v1/orders", Some(&customer), &cart(&item))
        .await
        .unwrap();
    let order = placed["orders"][0]["_id"].as_str().unwrap().to_owned();
    stack.kill_at_fault("order").await;
    stack.restart("order").await;
    eventually("the owner hears of the order", async || {
        !notifications(&stack, &owner).await.is_empty()
    })
    .await;

    // The delivery service dies between the effect of the confirmation and its acknowledgement.
    stack
        .restart_with_fault("delivery", "delivery_ORDERS.before_ack")
        .await;
    let confirm = json!({ "status": "confirmed", "driverId": driver.id });
    eventually("the order is confirmed", async || {
        stack
            .put(
                "order",
                &format!("/api/v1/orders/status/{order}"),
                &owner,
                &confirm,
            )
            .await
            .is_ok()
    })
    .await;
    stack.kill_at_fault("delivery").await;
    stack.restart("delivery").await;
    eventually("the delivery is there", async || {
        deliveries(&stack, &customer).await.len() == 1
    })
    .await;
    let delivery = deliveries(&stack, &customer).await[0]["_id"]
        .as_str()
        .unwrap()
        .to_owned();

    // Positions flow from the driver's socket to the customer's.
    let status = format!("/api/v1/delivery/update/{delivery}");
    eventually("the driver sets out", async || {
        stack
            .put(
                "delivery",
                &status,
                &driver,
                &json!({ "status": "on the way" }),
            )
            .await
            .is_ok()
    })
    .await;
    let live = stack.live_url();
    let mut sender = LiveClient::connect(&live, &driver.token).await;
    let mut watcher = LiveClient::connect(&live, &customer.token).await;
    watcher
        .watch_once_known(&format!("delivery:{delivery}"))
        .await;
    flows(&mut sender, &mut watcher, &delivery, "at first").await;

    stack.servers.nats.kill();
    stack.servers.nats.start_again().await.unwrap();
    flows(
        &mut sender,
        &mut watcher,
        &delivery,
        "after nats-server was killed",
    )
    .await;

    stack.servers.postgres.kill();
    stack.servers.postgres.start_again().await.unwrap();
    flows(
        &mut sender,
        &mut watcher,
        &delivery,
        "after PostgreSQL was killed",
    )
    .await;

    eventually("the driver hands it over", async || {
        stack
            .put(
                "delivery",
                &status,
                &driver,
                &json!({ "status": "delivered" }),
            )
            .await
            .is_ok()
    })
    .await;
    eventually("the customer's order is delivered", async || {
        let orders = stack
            .get("order", "/api/v1/orders", &customer)
            .await
            .unwrap_or_default();
        orders[0]["status"] == "delivered"
    })
    .await;

    let notified = BTreeMap::from([
        (
            &customer,
            vec![
                "delivery_delivered",
                "delivery_on_the_way",
                "order_confirmed",
            ],
        ),
        (&driver, vec!["delivery_assigned"]),
        (&owner, vec!["delivery_delivered", "order_placed"]),
    ]);
    for (account, expected) in &notified {
        eventually("all are notified", async || {
            notifications(&stack, account).await.len() >= expected.len()
        })
        .await;
    }
    let mails: usize = notified.values().map(Vec::len).sum();
    eventually("every notification is mailed", async || {
        stack.mails_about(&order_code(&placed)).len() >= mails
    })
    .await;

    // Long enough for messages in flight to be delivered a second time.
    tokio::time::sleep(Duration::from_secs(12)).await;
    for (account, expected) in &notified {
        assert_eq!(
            notifications(&stack, account).await,
            *expected,
            "the notifications of {}",
            account.email
        );
    }
    assert_eq!(
        stack.mails_about(&order_code(&placed)).len(),
        mails,
        "one mail a notification"
    );
    assert_eq!(deliveries(&stack, &customer).await.len(), 1, "one delivery");
    assert_eq!(
        stack.events("ORDERS", &order).await,
        ["confirmed", "delivered", "dispatched", "placed"],
        "each event is in the stream once",
    );
    // How often its expected arrival moved depends on how long all this took.
    let mut steps = stack.events("DELIVERIES", &delivery).await;
    steps.retain(|name| name != "eta_changed");
    assert_eq!(steps, ["created", "delivered", "on_the_way"]);
    assert_eq!(stack.dead_letters().await, 0);
    stack.stop().await;
}

/// A restaurant that is open, with one dish that may be ordered. Returns the dish's id.
async fn menu(stack: &Stack, owner: &Account, admin: &Account) -> String {
    let shop = json!({
        "name": "Galle Face Kitchen", "address": "5 Galle Road, Colombo 03", "phone": "0112345678",
        "description": "Rice and curry by the sea.", "images": ["/demo/restaurant.svg"],
    });
    eventually("the owner opens a restaurant", async || {
        stack
            .post("restaurant", "/api/v1/restaurant", Some(owner), &shop)
            .await
            .is_ok()
    })
    .await;
    let shops = stack
        .get("restaurant", "/api/v1/restaurant", owner)
        .await
        .unwrap();
    let shop = shops[0]["_id"].as_str().unwrap();
    stack
        .post(
            "restaurant",
            &format!("/api/v1/restaurant/isOpen/{shop}"),
            Some(owner),
            &json!({}),
        )
        .await
        .unwrap();
    dish(stack, owner, admin, shop, "Chicken kottu").await
}

/// A dish that may be ordered. Returns its id.
async fn dish(stack: &Stack, owner: &Account, admin: &Account, shop: &str, name: &str) -> String {
    let dish = json!({
        "restaurantId": shop, "name": name, "price": 1250.5, "category": "fastfood",
        "description": "Chopped roti.", "available": true, "images": ["/demo/kottu.svg"],
    });
    let made = stack
        .post("restaurant", "/api/v1/collection", Some(owner), &dish)
        .await
        .unwrap();
    let item = made["item"]["_id"].as_str().unwrap().to_owned();
    let approve = format!("/api/v1/collection/isApprove/{item}");
    stack
        .post("restaurant", &approve, Some(admin), &json!({}))
        .await
        .unwrap();
    item
}

fn cart(item: &str) -> Value {
    json!({ "orderItem": [{ "key": item, "qty": 2 }], "address": "12 Galle Road, Colombo 03" })
}

fn order_code(placed: &Value) -> String {
    placed["orders"][0]["orderId"].as_str().unwrap().to_owned()
}

async fn deliveries(stack: &Stack, account: &Account) -> Vec<Value> {
    let list = stack
        .get("delivery", "/api/v1/delivery", account)
        .await
        .unwrap_or_default();
    list.as_array().cloned().unwrap_or_default()
}

/// The topics of a person's notifications, sorted.
async fn notifications(stack: &Stack, account: &Account) -> Vec<String> {
    let list = stack
        .get("notification", "/api/v1/notification", account)
        .await
        .unwrap_or_default();
    let topics = list.as_array().cloned().unwrap_or_default();
    let mut topics: Vec<String> = topics
        .iter()
        .filter_map(|one| one["topic"].as_str().map(ToOwned::to_owned))
        .collect();
    topics.sort();
    topics
}

/// Sends positions until the watcher sees one of them.
#[expect(clippy::disallowed_methods, reason = "a device has its own clock")]
async fn flows(sender: &mut LiveClient, watcher: &mut LiveClient, delivery: &str, when: &str) {
    let began = OffsetDateTime::now_utc();
    for step in 0..600_u32 {
        let at = OffsetDateTime::now_utc();
        let frame = json!({
            "type": "position", "deliveryId": delivery,
            "lat": 6.9 + f64::from(step) * 1e-5, "lng": 79.86, "at": at.format(&Rfc3339).unwrap(),
        });
        sender
            .send(&serde_json::from_value::<ClientFrame>(frame).unwrap())
            .await;
        while let Some(frame) = watcher.next_within(Duration::from_millis(100)).await {
            if matches!(frame, ServerFrame::Position { at, .. } if at >= began) {
                return;
            }
        }
    }
    panic!("no position came {when}");
}
