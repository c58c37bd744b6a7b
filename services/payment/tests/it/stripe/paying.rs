use serde_json::json;

use super::{DECLINED, GOOD, StripeFixture};
use crate::fixture::{VISA, by_card};

#[tokio::test]
async fn an_order_is_paid_by_a_cards_token() {
    let it = StripeFixture::new().await;
    let order = it.fixture.order().await;
    let answer = it.pay(&order, GOOD).await.expect(201);
    let payment = &answer["payment"];
    assert_eq!(
        [
            &payment["status"],
            &payment["cardBrand"],
            &payment["cardLast4"]
        ],
        ["captured", "Visa", "4242"]
    );
    assert!(answer.get("clientSecret").is_none(), "{answer}");
    let book = it.stripe.book().await;
    let intents = &book[payment["_id"].as_str().unwrap()];
    assert_eq!(
        (book.len(), intents.len(), intents[0].taken),
        (1, 1, 125_050)
    );
    assert_eq!(it.fixture.event_names().await, ["captured"]);
    let again = it.pay(&order, GOOD).await.problem(409);
    assert_eq!(again, "This order is already paid.");
}

#[tokio::test]
async fn a_declined_card_takes_nothing_and_another_one_pays() {
    let it = StripeFixture::new().await;
    let order = it.fixture.order().await;
    let press = async |card| {
        it.call(&order, card)
            .await
            .header("Idempotency-Key", "k")
            .await
    };
    assert_eq!(press(DECLINED).await.problem(402), "Payment failed.");
    let reason: Option<String> = sqlx::query_scalar("select decline_reason from payments")
        .fetch_one(&it.fixture.db.pool)
        .await
        .unwrap();
    assert_eq!(reason.as_deref(), Some("card_declined"));
    assert_eq!(it.taken().await, 0);
    press(GOOD).await.expect(201);
    assert_eq!(it.taken().await, 125_050);
    assert_eq!(it.fixture.event_names().await, ["declined", "captured"]);
}

#[tokio::test]
async fn fifty_presses_with_one_key_take_the_money_once() {
    let it = StripeFixture::new().await;
    let order = it.fixture.order().await;
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..50 {
        let call = it.call(&order, GOOD).await.header("Idempotency-Key", "k");
        calls.spawn(async { call.await.expect(201) });
    }
    let answers = calls.join_all().await;
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    assert_eq!(it.taken().await, 125_050);
}

#[tokio::test]
async fn only_a_token_of_stripes_pays() {
    let it = StripeFixture::new().await;
    let order = it.fixture.order().await;
    let post = async |body: serde_json::Value| {
        let call = it.fixture.app.post("/api/v1/payment");
        call.token(&it.fixture.customer()).json(&body).await
    };
    // The card itself is not taken here.
    let refused = post(by_card(&order, 1250.5, VISA)).await;
    assert_eq!(
        refused.body["fields"]["cardToken"],
        "Please enter your card again."
    );
    refused.problem(422);
    for token in [
        "",
        "tok_unknown",
        "pm_card_visa",
        "tok_/../charges",
        "tok_x?expand=y",
    ] {
        it.call_with(&order, token).await.problem(422);
    }
    for kind in ["PayPal", "Bank Transfer"] {
        let body = json!({ "bookingId": order.order_code, "amount": 1250.5, "paymentType": kind });
        let refused = post(body).await;
        assert_eq!(refused.body["code"], "payment.means-not-taken");
        refused.problem(422);
    }
    assert_eq!(it.intents().await, [], "nothing was begun");
    assert_eq!(it.fixture.payments().await.len(), 0);
    // A token pays once.
    let token = it.stripe.token(GOOD).await;
    it.call_with(&order, &token).await.expect(201);
    it.call_with(&it.fixture.order().await, &token)
        .await
        .problem(402);
    assert_eq!(it.taken().await, 125_050);
}

#[tokio::test]
async fn every_share_of_a_checkout_is_a_separate_payment() {
    let it = StripeFixture::new().await;
    let orders = it.fixture.checkout(&[125_049, 125_051]).await;
    for order in &orders {
        it.pay(order, GOOD).await.expect(201);
    }
    assert_eq!((it.intents().await.len(), it.taken().await), (2, 250_100));
}
