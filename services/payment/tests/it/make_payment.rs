use std::collections::BTreeMap;

use serde_json::{Value, json};
use tiffin_events::{CheckoutId, Role, UserId};
use tiffin_testkit::drain_rows;
use tokio::task::JoinSet;

use crate::fixture::{DECLINED, Fixture, VISA, by_card};

#[tokio::test]
async fn an_order_is_paid_once() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    let answer = fixture.pay(&order, 1250.5).await.expect(201);
    assert_eq!(answer["message"], "Payment successful");
    let payment = &answer["payment"];
    assert_eq!(
        (
            &payment["bookingId"],
            &payment["amount"],
            &payment["status"]
        ),
        (&json!(order.order_code), &json!(1250.5), &json!("captured"))
    );
    assert_eq!(
        (
            &payment["paymentType"],
            &payment["cardBrand"],
            &payment["cardLast4"]
        ),
        (&json!("Card"), &json!("Visa"), &json!("4242"))
    );
    assert_eq!(payment["paymentDate"], "2026-11-21T09:00:01Z");
    let again = fixture.pay(&order, 1250.5).await.problem(409);
    assert_eq!(again, "This order is already paid.");
    assert_eq!(fixture.money_moves().await, (1, 0));
}

#[tokio::test]
async fn the_event_tells_customer_and_owner_and_belongs_to_the_order() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    fixture.pay(&order, 1250.5).await.expect(201);
    let rows = drain_rows(&fixture.db.pool).await;
    let [row] = rows.as_slice() else {
        panic!("{rows:?}")
    };
    assert_eq!(row.body["type"], "tiffin.payment.captured.v1");
    assert_eq!(row.audience, [fixture.customer, fixture.owner]);
    assert_eq!(row.body["correlationid"], json!(order.order_id));
    assert_eq!(row.body["actor"], json!(fixture.customer));
    assert_eq!(row.body["sequence"], 1);
    assert_eq!(row.body["data"]["amount"], 1250.5);
}

#[tokio::test]
async fn an_order_is_named_by_its_id_too_and_under_both_paths() {
    let fixture = Fixture::new().await;
    for path in ["/api/payment", "/api/v1/payment"] {
        for by_id in [true, false] {
            let order = fixture.order().await;
            let key = if by_id {
                order.order_id.to_string()
            } else {
                order.order_code.to_lowercase()
            };
            let body = json!({ "bookingId": key, "amount": 1250.5, "paymentType": "PayPal" });
            let call = fixture.app.post(path).token(&fixture.customer());
            call.json(&body).await.expect(201);
        }
    }
    let payments = fixture.payments().await;
    assert_eq!(payments.len(), 4);
    assert!(
        payments
            .iter()
            .all(|payment| payment["cardLast4"] == Value::Null)
    );
}

#[tokio::test]
async fn paypal_and_bank_transfer_need_no_card() {
    let fixture = Fixture::new().await;
    for kind in ["PayPal", "Bank Transfer"] {
        let order = fixture.order().await;
        let body = json!({ "bookingId": order.order_code, "amount": 1250.5, "paymentType": kind, "cardNumber": "", "cvv": "" });
        let call = fixture.app.post("/api/payment").token(&fixture.customer());
        let answer = call.json(&body).await.expect(201);
        assert_eq!(answer["payment"]["paymentType"], kind);
        assert_eq!(answer["payment"]["cardBrand"], Value::Null);
    }
}

#[tokio::test]
async fn a_card_is_checked_field_by_field() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    for (field, value, message) in [
        ("cardNumber", "4242 4242 4242 424", "Invalid card number"),
        ("cardNumber", "", "Invalid card number"),
        ("expiry", "10/26", "Invalid expiry (MM/YY)"),
        ("expiry", "13/30", "Invalid expiry (MM/YY)"),
        ("cvv", "12", "Invalid CVV"),
        ("cvv", "1234", "Invalid CVV"),
    ] {
        let mut body = by_card(&order, 1250.5, VISA);
        body[field] = json!(value);
        let call = fixture.app.post("/api/payment").token(&fixture.customer());
        let answer = call.json(&body).await;
        assert_eq!(answer.body["fields"], json!({ field: message }), "{value}");
        assert_eq!(answer.problem(422), message);
    }
    let bare = json!({ "bookingId": order.order_code, "amount": 1250.5, "paymentType": "Card" });
    let answer = fixture
        .app
        .post("/api/payment")
        .token(&fixture.customer())
        .json(&bare)
        .await;
    assert_eq!(answer.body["fields"].as_object().unwrap().len(), 3);
    for (field, value) in [
        ("paymentType", json!("Cash")),
        ("amount", json!("1250.5")),
        ("bookingId", json!(null)),
    ] {
        let mut body = by_card(&order, 1250.5, VISA);
        body[field] = value;
        let call = fixture.app.post("/api/payment").token(&fixture.customer());
        call.json(&body).await.problem(422);
    }
    assert!(fixture.payments().await.is_empty());
    fixture.pay(&order, 1250.5).await.expect(201);
}

#[tokio::test]
async fn a_declined_card_may_be_followed_by_another() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    let declined = fixture.call(&order, 1250.5, DECLINED).await.problem(402);
    assert_eq!(declined, "Payment failed.");
    let rows = drain_rows(&fixture.db.pool).await;
    assert_eq!(rows[0].body["type"], "tiffin.payment.declined.v1");
    assert_eq!(rows[0].body["data"]["reason"], "card_declined");
    assert_eq!(
        rows[0].audience,
        [fixture.customer],
        "no other account's business"
    );
    // The sandbox refuses numbers of real cards.
    fixture
        .call(&order, 1250.5, "4111 1111 1111 1111")
        .await
        .problem(402);
    fixture.pay(&order, 1250.5).await.expect(201);
    let statuses: Vec<_> = fixture
        .payments()
        .await
        .iter()
        .map(|payment| payment["status"].clone())
        .collect();
    assert_eq!(statuses, ["captured", "declined", "declined"]);
    assert_eq!(fixture.money_moves().await, (1, 0));
}

#[tokio::test]
async fn the_shares_of_a_checkout_add_up_and_the_clients_amount_is_only_checked() {
    let fixture = Fixture::new().await;
    // A total of Rs. 100 is divided among three orders.
    let orders = fixture.checkout(&[5000, 3000, 2000]).await;
    let refused = fixture.pay(&orders[0], 50.0).await;
    assert_eq!(
        refused.body["fields"]["amount"],
        "The amount to pay is Rs. 33.33."
    );
    refused.problem(422);
    let mut paid = 0.0;
    for (order, amount) in orders.iter().zip([33.33, 33.34, 33.33]) {
        let answer = fixture.pay(order, amount).await.expect(201);
        paid += answer["payment"]["amount"].as_f64().unwrap() * 100.0;
    }
    assert_eq!(paid.round().to_string(), "10000");
    let amounts: Vec<_> = fixture
        .payments()
        .await
        .iter()
        .map(|payment| payment["amount"].clone())
        .collect();
    assert_eq!(
        amounts,
        [33.34, 33.33, 33.33],
        "the last takes the remainder"
    );
}

#[tokio::test]
async fn what_is_cancelled_before_the_first_payment_is_not_shared_out() {
    let fixture = Fixture::new().await;
    let orders = fixture.checkout(&[190_000, 12_050]).await;
    // The shares of a failed payment bind no one.
    fixture
        .call(&orders[1], 1010.25, DECLINED)
        .await
        .problem(402);
    fixture.cancel(&orders[0]).await;
    let refused = fixture.pay(&orders[0], 1010.25).await.problem(409);
    assert_eq!(
        refused,
        "The order was cancelled and can't be paid any more."
    );
    fixture.pay(&orders[1], 1010.25).await.problem(422);
    fixture.pay(&orders[1], 120.5).await.expect(201);
}

#[tokio::test]
async fn an_order_whose_event_comes_late_keeps_the_sum_exact() {
    let fixture = Fixture::new().await;
    let checkout = CheckoutId(fixture.clock.new_id());
    let first = fixture.place(checkout, 10_000).await;
    fixture.pay(&first, 100.0).await.expect(201);
    let late = fixture.place(checkout, 10_001).await;
    let answer = fixture.pay(&late, 100.01).await.expect(201);
    assert_eq!(answer["payment"]["amount"], 100.01);
}

#[tokio::test]
async fn an_order_that_is_about_to_be_known_is_waited_for() {
    let fixture = Fixture::new().await;
    let known = fixture.checkout(&[5000]).await.remove(0);
    // The second order of the checkout becomes known while the client waits, and makes the share right.
    let (answer, late) = tokio::join!(fixture.pay(&known, 40.0), async {
        tokio::time::sleep(std::time::Duration::from_millis(150)).await;
        fixture.place(known.checkout_id, 3000).await
    });
    assert_eq!(answer.expect(201)["payment"]["amount"], 40);
    fixture.pay(&late, 40.0).await.expect(201);
}

#[tokio::test]
async fn only_its_customer_pays_an_order() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    let body = by_card(&order, 1250.5, VISA);
    let post = || fixture.app.post("/api/payment").json(&body);
    let stranger = UserId(fixture.clock.new_id());
    for (user, role, status) in [
        (stranger, Role::Customer, 404),
        (fixture.owner, Role::Restaurant, 403),
        (stranger, Role::Delivery, 403),
        (stranger, Role::Admin, 403),
    ] {
        post()
            .token(&fixture.token(user, role))
            .await
            .problem(status);
    }
    post().await.problem(401);
    assert_eq!(fixture.money_moves().await, (0, 0));
}

#[tokio::test]
async fn a_hundred_payments_at_once_give_one_capture() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    let mut calls = JoinSet::new();
    for _ in 0..100 {
        let call = fixture.call(&order, 1250.5, VISA);
        calls.spawn(async { call.await.status.as_u16() });
    }
    let mut statuses = BTreeMap::<u16, u32>::new();
    for status in calls.join_all().await {
        *statuses.entry(status).or_default() += 1;
    }
    assert_eq!(statuses, BTreeMap::from([(201, 1), (409, 99)]));
    assert_eq!(fixture.money_moves().await, (1, 0));
    assert_eq!(fixture.event_names().await, ["captured"]);
}

#[tokio::test]
async fn fifty_presses_with_one_key_have_one_answer() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    let mut calls = JoinSet::new();
    for _ in 0..50 {
        let call = fixture
            .call(&order, 1250.5, VISA)
            .header("Idempotency-Key", "pay-1");
        calls.spawn(async { call.await.expect(201) });
    }
    let answers = calls.join_all().await;
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    assert_eq!(fixture.money_moves().await, (1, 0));
    // Another card, another amount or another order with that key is another request.
    let mastercard = "5555 5555 5555 4444";
    let other = fixture.order().await;
    for call in [
        fixture.call(&order, 1250.5, mastercard),
        fixture.call(&order, 99.0, VISA),
        fixture.call(&other, 1250.5, VISA),
    ] {
        call.header("Idempotency-Key", "pay-1").await.problem(422);
    }
    // A refusal releases its key.
    let call = fixture.call(&other, 1250.5, DECLINED);
    call.header("Idempotency-Key", "pay-2").await.problem(402);
    let call = fixture.call(&other, 1250.5, VISA);
    call.header("Idempotency-Key", "pay-2").await.expect(201);
}
