//! Payments that the customer confirms at the bank (3-D Secure).

use serde_json::json;
use tiffin_events::{Role, UserId};
use time::Duration;

use super::{ASKS, ASKS_AND_DECLINES, GOOD, StripeFixture};

#[tokio::test]
async fn a_payment_counts_once_the_customer_has_confirmed_it() {
    let it = StripeFixture::new().await;
    let order = it.fixture.order().await;
    let asked = it.pay(&order, ASKS).await.expect(202);
    assert_eq!(asked["payment"]["status"], "pending");
    let secret = asked["clientSecret"].as_str().unwrap();
    assert_eq!(it.fixture.event_names().await, [""; 0]);
    // The page is opened again: it can go on where it stopped.
    let again = it.check(&asked["payment"], false).await.expect(202);
    assert_eq!(again, asked);
    it.stripe.confirm(secret, true).await;
    let paid = it.check(&asked["payment"], false).await.expect(201);
    assert_eq!(paid["payment"]["status"], "captured");
    assert_eq!(it.check(&asked["payment"], true).await.expect(201), paid);
    assert_eq!(it.fixture.event_names().await, ["captured"]);
    assert_eq!(it.taken().await, 125_050);
}

#[tokio::test]
async fn a_payment_that_fails_at_the_bank_makes_room_for_another() {
    let it = StripeFixture::new().await;
    let order = it.fixture.order().await;
    for (card, success) in [(ASKS, false), (ASKS_AND_DECLINES, true)] {
        let asked = it.pay(&order, card).await.expect(202);
        let secret = asked["clientSecret"].as_str().unwrap();
        it.stripe.confirm(secret, success).await;
        let refused = it.check(&asked["payment"], false).await;
        assert_eq!(refused.problem(402), "Payment failed.");
    }
    let intents = it.intents().await;
    assert!(
        intents.iter().all(|one| one.status == "canceled"),
        "{intents:?}"
    );
    it.pay(&order, GOOD).await.expect(201);
    assert_eq!(it.taken().await, 125_050);
}

#[tokio::test]
async fn who_gives_up_pays_in_another_way() {
    let it = StripeFixture::new().await;
    let order = it.fixture.order().await;
    let asked = it.pay(&order, ASKS).await.expect(202);
    it.pay(&order, GOOD).await.problem(409);
    it.check(&asked["payment"], true).await.problem(402);
    it.pay(&order, GOOD).await.expect(201);
    // The first one can't be confirmed any more.
    it.stripe
        .confirm(asked["clientSecret"].as_str().unwrap(), true)
        .await;
    assert_eq!(it.taken().await, 125_050);
    assert_eq!(it.statuses().await, ["captured", "declined"]);
}

#[tokio::test]
async fn a_payment_that_is_never_confirmed_ends_after_twenty_minutes() {
    let it = StripeFixture::new().await;
    let order = it.fixture.order().await;
    it.pay(&order, ASKS).await.expect(202);
    assert_eq!(it.later(Duration::minutes(19)).await, 0);
    assert_eq!(it.later(Duration::minutes(2)).await, 1);
    assert_eq!(it.fixture.event_names().await, ["declined"]);
    assert_eq!(it.intents().await[0].status, "canceled");
    it.pay(&order, GOOD).await.expect(201);
}

#[tokio::test]
async fn one_that_was_confirmed_with_the_page_closed_is_captured_in_the_end() {
    let it = StripeFixture::new().await;
    let order = it.fixture.order().await;
    let asked = it.pay(&order, ASKS).await.expect(202);
    it.stripe
        .confirm(asked["clientSecret"].as_str().unwrap(), true)
        .await;
    assert_eq!(it.later(Duration::minutes(21)).await, 1);
    assert_eq!(it.fixture.event_names().await, ["captured"]);
}

#[tokio::test]
async fn a_repeated_press_gets_the_secret_again() {
    let it = StripeFixture::new().await;
    let order = it.fixture.order().await;
    let press = async || {
        it.call(&order, ASKS)
            .await
            .header("Idempotency-Key", "k")
            .await
    };
    let first = press().await.expect(202);
    assert!(first["clientSecret"].is_string());
    assert_eq!(press().await.expect(202), first);
    assert_eq!(it.intents().await.len(), 1);
}

#[tokio::test]
async fn only_its_customer_asks_about_a_payment() {
    let it = StripeFixture::new().await;
    let order = it.fixture.order().await;
    let asked = it.pay(&order, ASKS).await.expect(202);
    let id = asked["payment"]["_id"].as_str().unwrap();
    let ask = |id: &str| {
        let call = it.fixture.app.post(&format!("/api/v1/payment/check/{id}"));
        call.json(&json!({ "giveUp": true }))
    };
    let stranger = UserId(it.fixture.clock.new_id());
    for (user, role, status) in [
        (stranger, Role::Customer, 404),
        (it.fixture.owner, Role::Restaurant, 403),
        (stranger, Role::Admin, 403),
    ] {
        ask(id)
            .token(&it.fixture.token(user, role))
            .await
            .problem(status);
    }
    ask(id).await.problem(401);
    ask(&stranger.to_string())
        .token(&it.fixture.customer())
        .await
        .problem(404);
    ask("x").token(&it.fixture.customer()).await.problem(404);
    assert_eq!(it.statuses().await, ["pending"]);
    it.fixture
        .exhaust_limit("payment checks", it.fixture.customer)
        .await;
    it.check(&asked["payment"], true).await.problem(429);
}

#[tokio::test]
async fn the_sandbox_has_nothing_to_confirm() {
    let fixture = crate::fixture::Fixture::new().await;
    let order = fixture.order().await;
    let lost = fixture.call(&order, 1250.5, crate::fixture::ANSWER_LOST);
    let lost = lost.await.expect(202);
    assert!(lost.get("clientSecret").is_none());
    let id = lost["payment"]["_id"].as_str().unwrap();
    let ask = async |body| {
        let call = fixture.app.post(&format!("/api/v1/payment/check/{id}"));
        call.token(&fixture.customer()).json(&body).await
    };
    assert_eq!(
        ask(json!({})).await.expect(202)["payment"]["status"],
        "pending"
    );
    assert_eq!(
        ask(json!({ "giveUp": true })).await.expect(201)["payment"]["status"],
        "captured"
    );
}
