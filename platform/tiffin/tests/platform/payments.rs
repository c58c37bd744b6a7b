//! The amounts that a customer has to pay before an order is paid, through every service and a real broker.

use serde_json::{Value, json};

use crate::{
    accounts::{self, Account},
    restaurant_fixture::{self, RestaurantFixture},
    settle::settle,
    stack::{Stack, eventually},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_payment_of_a_share_pays_no_dear_order_once_the_cheap_one_is_cancelled() {
    let stack = Stack::start("payments::the_payment_of_a_share").await;
    let admin = accounts::admin(&stack, "admin").await;
    let fixture = RestaurantFixture::new(&stack, &admin, "").await;
    let [dear, cheap] = order(&stack, &admin, &fixture).await;
    // Rs. 970,200 and Rs. 1,250.50 in two.
    let share = pay(&dear, 485_725.25);
    eventually("the share is paid", async || {
        let answer = stack
            .post("/api/payment", Some(&fixture.customer), &share)
            .await;
        answer.status == 201
    })
    .await;
    let cancel = format!("/api/v1/orders/cancel/{cheap}");
    let cancelled = stack
        .post(&cancel, Some(&fixture.customer), &Value::Null)
        .await;
    cancelled.expect(200);
    fixture.wait_for_driver(&stack).await;
    fixture.confirm(&stack, &dear).await;
    settle(&stack).await;
    for account in [&fixture.customer, &fixture.owner] {
        assert!(!is_paid(&stack, account, &dear).await);
        let page = invoice(&stack, account, &dear).await;
        assert!(
            page.contains("Not paid.") && !page.contains("Paid"),
            "{page}"
        );
    }
    let payments = stack.get("/api/payment", Some(&fixture.customer)).await;
    let payments = payments.expect(200);
    assert_eq!(payments.as_array().unwrap().len(), 1, "{payments}");
    assert_eq!(payments[0]["refunded"], 0, "it is needed");

    let rest = pay(&dear, 484_474.75);
    let paid = stack
        .post("/api/payment", Some(&fixture.customer), &rest)
        .await;
    paid.expect(201);
    for account in [&fixture.customer, &fixture.owner] {
        eventually("the order is paid", async || {
            is_paid(&stack, account, &dear).await
        })
        .await;
        let page = invoice(&stack, account, &dear).await;
        assert!(page.contains("Paid: Rs. 970200.00"), "{page}");
    }
}

/// A dear order and a cheap one of one checkout: their `orderId`s.
async fn order(stack: &Stack, admin: &Account, fixture: &RestaurantFixture) -> [String; 2] {
    let form = json!({
        "restaurantId": fixture.restaurant, "name": "Wedding buriyani", "price": 9800, "category": "familyMeals",
        "description": "For a hundred.", "available": true, "images": ["/demo/kottu.svg"],
    });
    let made = stack
        .post("/api/v1/collection", Some(&fixture.owner), &form)
        .await;
    let item = restaurant_fixture::id(&made.expect(201)["item"]);
    restaurant_fixture::approve(stack, admin, &item).await;
    let cart = json!({
        "orderItem": [{ "key": item, "qty": 99 }, { "key": fixture.item, "qty": 1 }],
        "address": "12 Galle Road, Colombo 03",
    });
    let mut placed = Value::Null;
    eventually("both are ordered", async || {
        let answer = stack
            .post("/api/v1/orders", Some(&fixture.customer), &cart)
            .await;
        placed = answer.body;
        answer.status == 201
    })
    .await;
    let code = |nth: usize| {
        placed["orders"][nth]["orderId"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_eq!(placed["orders"][0]["totalAmount"], 970_200);
    [code(0), code(1)]
}

fn pay(order: &str, amount: f64) -> Value {
    json!({ "bookingId": order, "amount": amount, "paymentType": "PayPal" })
}

async fn is_paid(stack: &Stack, account: &Account, order: &str) -> bool {
    let orders = stack.get("/api/v1/orders", Some(account)).await.expect(200);
    let mut orders = orders.as_array().unwrap().iter();
    orders.find(|one| one["orderId"] == *order).unwrap()["isPaid"] == true
}

/// The invoice's words on the payment.
async fn invoice(stack: &Stack, account: &Account, order: &str) -> String {
    let path = format!("/api/v1/payment/invoice/{order}");
    let page = stack.get(&path, Some(account)).await;
    assert_eq!(page.status, 200);
    let (_, words) = page.text.split_once("<h2>Payment</h2>").unwrap();
    words.to_owned()
}
