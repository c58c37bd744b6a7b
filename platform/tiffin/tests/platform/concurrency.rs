//! A hundred at once, over HTTP, through every service and a real broker: one effect.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use tiffin_testkit::Answer;

use crate::{
    accounts::{self, Account},
    restaurant_fixture::RestaurantFixture,
    settle::settle,
    stack::{Stack, eventually, send},
    streams,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_confirmations_give_one_delivery_and_one_mail() {
    let (stack, fixture) = start("concurrency::a_hundred_confirmations").await;
    let order = fixture.order(&stack).await;
    let path = format!("/api/v1/orders/status/{order}");
    let body = json!({ "status": "confirmed", "driverId": fixture.driver.id });
    fixture.wait_for_driver(&stack).await;
    let answers = join_all((0..100).map(|_| stack.put(&path, Some(&fixture.owner), &body))).await;
    assert_eq!(count(&answers), BTreeMap::from([(200, 100)]));
    for account in [&fixture.customer, &fixture.driver] {
        eventually("they are mailed", async || {
            !about(&stack, account, &order).is_empty()
        })
        .await;
    }
    settle(&stack).await;
    let deliveries = list(&stack, "/api/v1/delivery", &fixture.driver).await;
    let deliveries = deliveries.iter().filter(|one| one["orderId"] == *order);
    assert_eq!(deliveries.count(), 1);
    for account in [&fixture.customer, &fixture.driver] {
        let mails = about(&stack, account, &order);
        assert_eq!(mails.len(), 1, "{mails:#?}");
        let notifications = list(&stack, "/api/v1/notification", account).await;
        let notifications = notifications
            .iter()
            .filter(|one| one.to_string().contains(&order));
        assert_eq!(notifications.count(), 1);
    }
    let events = streams::count(&stack, &order).await;
    assert_eq!(events["tiffin.order.confirmed.v1"], 1);
    assert_eq!(events["tiffin.delivery.created.v1"], 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_identical_orders_with_one_key_give_one_checkout() {
    let (stack, fixture) = start("concurrency::fifty_identical_orders").await;
    let cart = fixture.cart();
    let answers = join_all((0..50).map(|_| {
        let request = stack.request(Method::POST, "/api/v1/orders", Some(&fixture.customer));
        send(request.header("idempotency-key", "one-press").json(&cart))
    }))
    .await;
    assert_eq!(count(&answers), BTreeMap::from([(201, 50)]));
    assert!(answers.iter().all(|answer| answer.body == answers[0].body));
    let code = answers[0].body["orders"][0]["orderId"].as_str().unwrap();
    eventually("the owner hears of it", async || {
        !about(&stack, &fixture.owner, code).is_empty()
    })
    .await;
    settle(&stack).await;
    for account in [&fixture.customer, &fixture.owner] {
        assert_eq!(list(&stack, "/api/v1/orders", account).await.len(), 1);
    }
    assert_eq!(about(&stack, &fixture.owner, code).len(), 1);
    assert_eq!(
        streams::count(&stack, code).await["tiffin.order.placed.v1"],
        1
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_payments_of_one_order_give_one_capture() {
    let (stack, fixture) = start("concurrency::a_hundred_payments").await;
    let order = fixture.order(&stack).await;
    let payment = json!({
        "bookingId": order, "amount": 2501, "paymentType": "Card",
        "cardNumber": "4242 4242 4242 4242", "expiry": "12/34", "cvv": "123",
    });
    let unpaid = json!({ "bookingId": order, "amount": 1, "paymentType": "PayPal" });
    eventually("the payment service knows the order", async || {
        let answer = stack
            .post("/api/payment", Some(&fixture.customer), &unpaid)
            .await;
        answer.status == 422
    })
    .await;
    let answers =
        join_all((0..100).map(|_| stack.post("/api/payment", Some(&fixture.customer), &payment)))
            .await;
    assert_eq!(count(&answers), BTreeMap::from([(201, 1), (409, 99)]));
    eventually("the order is paid", async || {
        let orders = list(&stack, "/api/v1/orders", &fixture.customer).await;
        orders[0]["isPaid"] == true
    })
    .await;
    settle(&stack).await;
    let payments = list(&stack, "/api/payment", &fixture.customer).await;
    assert_eq!(payments.len(), 1, "{payments:#?}");
    assert_eq!(payments[0]["amount"], 2501);
    let events = streams::count(&stack, &order).await;
    assert_eq!(events["tiffin.payment.captured.v1"], 1);
    assert_eq!(events.get("tiffin.payment.declined.v1"), None);
}

async fn start(test: &'static str) -> (Stack, RestaurantFixture) {
    let stack = Stack::start(test).await;
    let admin = accounts::admin(&stack, "admin").await;
    let fixture = RestaurantFixture::new(&stack, &admin, "").await;
    (stack, fixture)
}

/// The number of answers by status.
fn count(answers: &[Answer]) -> BTreeMap<u16, usize> {
    let mut counted = BTreeMap::new();
    for answer in answers {
        *counted.entry(answer.status.as_u16()).or_default() += 1;
    }
    counted
}

async fn list(stack: &Stack, path: &str, account: &Account) -> Vec<Value> {
    let list = stack.get(path, Some(account)).await.expect(200);
    list.as_array().unwrap().clone()
}

/// The mails to an account about an order.
fn about(stack: &Stack, account: &Account, code: &str) -> Vec<String> {
    let mails = stack.mails_to(&account.email).into_iter();
    mails.filter(|mail| mail.contains(code)).collect()
}
