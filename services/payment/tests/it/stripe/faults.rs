//! Stripe that is away, slow, answers twice or after the service gave up.

use std::time::Duration as Pause;

use serde_json::json;
use time::Duration;

use super::{ASKS, DECLINED, GOOD, StripeFixture};

#[tokio::test]
async fn a_lost_answer_is_found_by_the_payments_id() {
    let it = StripeFixture::new().await;
    for (card, status) in [
        (GOOD, "captured"),
        (DECLINED, "declined"),
        (ASKS, "declined"),
    ] {
        let order = it.fixture.order().await;
        it.set_faults(json!({ "lost": 1 })).await;
        it.pay(&order, card).await.expect(202);
        it.end_faults().await;
        assert_eq!(it.later(Duration::seconds(3)).await, 1);
        assert_eq!(it.statuses().await[0], status, "{card}");
    }
    assert_eq!(it.taken().await, 125_050);
}

#[tokio::test]
async fn a_charge_that_never_came_is_closed_and_paid_again() {
    let it = StripeFixture::new().await;
    let order = it.fixture.order().await;
    it.set_faults(json!({ "away": 1 })).await;
    it.pay(&order, GOOD).await.expect(202);
    for _ in 0..4 {
        assert_eq!(it.later(Duration::minutes(11)).await, 0);
    }
    assert_eq!(it.statuses().await, ["pending"]);
    it.end_faults().await;
    assert_eq!(it.later(Duration::minutes(11)).await, 1);
    assert_eq!(it.fixture.event_names().await, ["declined"]);
    it.pay(&order, GOOD).await.expect(201);
    assert_eq!(it.taken().await, 125_050);
}

#[tokio::test]
async fn a_charge_that_comes_after_its_key_was_closed_takes_nothing() {
    let it = StripeFixture::new().await;
    let order = it.fixture.order().await;
    it.set_faults(json!({ "slow": 1, "seconds": 3 })).await;
    it.pay(&order, GOOD).await.expect(202);
    it.end_faults().await;
    assert_eq!(it.later(Duration::seconds(3)).await, 1);
    assert_eq!(it.fixture.event_names().await, ["declined"]);
    let closed = it.intents().await;
    tokio::time::sleep(Pause::from_secs(3)).await;
    assert_eq!(it.intents().await, closed, "the late one was refused");
    assert_eq!(it.taken().await, 0);
}

#[tokio::test]
async fn an_answer_after_the_service_gave_up_counts_once() {
    let it = StripeFixture::new().await;
    let order = it.fixture.order().await;
    it.set_faults(json!({ "late": 1, "seconds": 2 })).await;
    it.pay(&order, GOOD).await.expect(202);
    it.end_faults().await;
    assert_eq!(it.later(Duration::seconds(3)).await, 1);
    assert_eq!(it.fixture.event_names().await, ["captured"]);
    assert_eq!(it.taken().await, 125_050);
}

#[tokio::test]
async fn a_charge_that_stripe_has_and_does_not_find_yet_stays_open() {
    let it = StripeFixture::new().await;
    let order = it.fixture.order().await;
    it.set_faults(json!({ "lost": 1 })).await;
    it.pay(&order, GOOD).await.expect(202);
    it.set_faults(json!({ "search_lag": 3600 })).await;
    assert_eq!(it.later(Duration::seconds(3)).await, 0, "its key is in use");
    assert_eq!(it.statuses().await, ["pending"]);
    it.end_faults().await;
    assert_eq!(it.later(Duration::minutes(1)).await, 1);
    assert_eq!(it.statuses().await, ["captured"]);
    assert_eq!(it.intents().await.len(), 1);
}

#[tokio::test]
async fn a_call_that_comes_twice_takes_the_money_once() {
    let it = StripeFixture::new().await;
    let order = it.fixture.order().await;
    it.stripe.set_faults(&json!({ "twice": 1 })).await;
    it.pay(&order, GOOD).await.expect(201);
    assert_eq!(it.taken().await, 125_050);
    it.fixture.cancel(&order).await;
    assert_eq!(it.fixture.settle().await, 1);
    assert_eq!(it.taken().await, 0);
}

#[tokio::test]
async fn a_token_that_cannot_be_checked_begins_nothing() {
    let it = StripeFixture::new().await;
    let order = it.fixture.order().await;
    let call = it.call(&order, GOOD).await;
    it.stripe.set_faults(&json!({ "away": 1 })).await;
    let refused = call.await;
    assert_eq!(refused.body["code"], "payment.provider-away");
    refused.problem(503);
    assert_eq!(it.fixture.payments().await.len(), 0);
}

#[tokio::test]
async fn a_question_that_stripe_does_not_answer_changes_nothing() {
    let it = StripeFixture::new().await;
    let order = it.fixture.order().await;
    let asked = it.pay(&order, ASKS).await.expect(202);
    it.set_faults(json!({ "away": 1 })).await;
    it.check(&asked["payment"], false).await.problem(503);
    it.check(&asked["payment"], true).await.problem(503);
    assert_eq!(it.statuses().await, ["pending"]);
}
