use serde_json::json;
use time::Duration;

use super::{ASKS, GOOD, StripeFixture, intent};

fn of_charge(id: &str) -> serde_json::Value {
    json!({ "object": "charge", "id": "ch_1", "payment_intent": id })
}

#[tokio::test]
async fn a_cancelled_order_is_refunded_once_whatever_answers_are_lost() {
    let it = StripeFixture::new().await;
    let order = it.fixture.order().await;
    it.pay(&order, GOOD).await.expect(201);
    it.fixture.cancel(&order).await;
    it.stripe
        .set_faults(&json!({ "lost": 1, "only": "refunds" }))
        .await;
    for _ in 0..3 {
        assert_eq!(it.later(Duration::minutes(11)).await, 0);
    }
    it.end_faults().await;
    assert_eq!(it.later(Duration::minutes(11)).await, 1);
    assert_eq!(it.intents().await[0].refunded, 125_050);
    assert_eq!(it.statuses().await, ["refunded"]);
    assert_eq!(it.fixture.event_names().await, ["captured", "refunded"]);
}

#[tokio::test]
async fn money_that_is_taken_after_the_refusal_goes_back() {
    let it = StripeFixture::new().await;
    let order = it.fixture.order().await;
    let asked = it.pay(&order, ASKS).await.expect(202);
    let id = it.intents().await[0].id.clone();
    // The refusal of a process that could not cancel the intent.
    sqlx::query("update payments set status = 'declined', decline_reason = 'x', due_at = null")
        .execute(&it.fixture.db.pool)
        .await
        .unwrap();
    it.pay(&order, GOOD).await.expect(201);
    it.stripe
        .confirm(asked["clientSecret"].as_str().unwrap(), true)
        .await;
    assert_eq!(it.taken().await, 250_100, "taken twice");
    let succeeded = "payment_intent.succeeded";
    it.hook("evt_1", succeeded, &intent(&id)).await.expect(200);
    assert_eq!(it.fixture.settle().await, 1);
    assert_eq!(it.taken().await, 125_050);
    assert_eq!(it.statuses().await, ["captured", "refunded"]);
    assert_eq!(it.fixture.event_names().await, ["captured", "refunded"]);
}

#[tokio::test]
async fn a_refund_made_at_stripe_shows_up() {
    let it = StripeFixture::new().await;
    let order = it.fixture.order().await;
    it.pay(&order, GOOD).await.expect(201);
    let id = it.intents().await[0].id.clone();
    it.fixture.events().await;
    it.stripe.refund(&id, 50_050).await;
    for event in ["evt_1", "evt_2"] {
        it.hook(event, "charge.refunded", &of_charge(&id))
            .await
            .expect(200);
    }
    let payments = it.fixture.payments().await;
    assert_eq!(
        (&payments[0]["refunded"], &payments[0]["status"]),
        (&json!(500.5), &json!("captured"))
    );
    let events = it.fixture.events().await;
    let [refunded] = events.as_slice() else {
        panic!("{events:?}")
    };
    assert_eq!(refunded.data["refunded"], 500.5);
    // The order is cancelled later: only the rest goes back.
    it.fixture.cancel(&order).await;
    assert_eq!(it.fixture.settle().await, 1);
    let [ref one] = it.intents().await[..] else {
        panic!()
    };
    assert_eq!((one.taken, one.refunded), (125_050, 125_050));
    assert_eq!(it.statuses().await, ["refunded"]);
}

#[tokio::test]
async fn a_dispute_shows_up_and_one_that_is_lost_is_money_that_went_back() {
    let it = StripeFixture::new().await;
    let order = it.fixture.order().await;
    it.pay(&order, GOOD).await.expect(201);
    let id = it.intents().await[0].id.clone();
    it.fixture.events().await;
    let dispute = json!({ "object": "dispute", "id": "dp_0", "payment_intent": id });
    it.stripe.dispute(&id, 125_050, "needs_response").await;
    it.hook("evt_1", "charge.dispute.created", &dispute)
        .await
        .expect(200);
    let payment = it.fixture.payments().await.remove(0);
    assert_eq!(
        payment["dispute"],
        json!({ "state": "open", "amount": 1250.5, "reason": "product_not_received" })
    );
    assert_eq!(payment["status"], "captured");
    it.stripe.dispute(&id, 125_050, "lost").await;
    it.hook("evt_2", "charge.dispute.closed", &dispute)
        .await
        .expect(200);
    // The first event comes again, late.
    it.hook("evt_3", "charge.dispute.created", &dispute)
        .await
        .expect(200);
    let payment = it.fixture.payments().await.remove(0);
    assert_eq!(
        (&payment["dispute"]["state"], &payment["status"]),
        (&json!("lost"), &json!("refunded"))
    );
    assert_eq!(
        it.fixture.event_names().await,
        ["disputed", "disputed", "refunded"]
    );
    // Nothing goes back a second time.
    it.fixture.cancel(&order).await;
    assert_eq!(it.fixture.settle().await, 0);
    assert_eq!(it.intents().await[0].refunded, 0);
}

#[tokio::test]
async fn a_dispute_that_is_won_changes_no_balance() {
    let it = StripeFixture::new().await;
    let order = it.fixture.order().await;
    it.pay(&order, GOOD).await.expect(201);
    let id = it.intents().await[0].id.clone();
    let dispute = json!({ "object": "dispute", "id": "dp_0", "payment_intent": id });
    it.stripe.dispute(&id, 125_050, "won").await;
    it.hook("evt_1", "charge.dispute.closed", &dispute)
        .await
        .expect(200);
    it.fixture.cancel(&order).await;
    assert_eq!(it.fixture.settle().await, 1);
    assert_eq!(it.intents().await[0].refunded, 125_050);
}
