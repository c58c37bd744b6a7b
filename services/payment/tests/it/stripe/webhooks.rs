use std::time::Duration as Pause;

use serde_json::{Value, json};
use tiffin_chassis::Env;
use tiffin_events::Clock;
use tiffin_testkit::TestStripe;
use time::Duration;

use super::{ASKS, GOOD, StripeFixture, event, intent, sign};
use crate::fixture::Fixture;

const SUCCEEDED: &str = "payment_intent.succeeded";

/// A payment that Stripe has taken and the service does not know of.
async fn unknown_capture(it: &StripeFixture) -> String {
    let order = it.fixture.order().await;
    it.set_faults(json!({ "lost": 1 })).await;
    it.pay(&order, GOOD).await.expect(202);
    it.end_faults().await;
    it.intents().await[0].id.clone()
}

#[tokio::test]
async fn stripes_own_webhook_settles_a_payment_whose_answer_was_lost() {
    let it = StripeFixture::new().await;
    let url = format!("{}/api/v1/payment/stripe/webhook", it.fixture.app.url);
    it.stripe.send_webhooks_to(&url).await;
    let order = it.fixture.order().await;
    it.set_faults(json!({ "lost": 1, "copies": 10 })).await;
    it.pay(&order, GOOD).await.expect(202);
    it.stripe.set_faults(&json!({ "copies": 10 })).await;
    while it.statuses().await != ["captured"] {
        tokio::time::sleep(Pause::from_millis(50)).await;
    }
    assert_eq!(it.fixture.event_names().await, ["captured"]);
    assert_eq!(it.taken().await, 125_050);
}

#[tokio::test]
async fn an_event_counts_once_however_often_it_comes() {
    let it = StripeFixture::new().await;
    let id = unknown_capture(&it).await;
    for _ in 0..10 {
        it.hook("evt_1", SUCCEEDED, &intent(&id)).await.expect(200);
    }
    it.hook("evt_2", SUCCEEDED, &intent(&id)).await.expect(200);
    assert_eq!(it.fixture.event_names().await, ["captured"]);
    assert_eq!(it.later(Duration::minutes(2)).await, 0);
}

#[tokio::test]
async fn the_state_at_stripe_counts_and_not_what_an_event_says() {
    let it = StripeFixture::new().await;
    let order = it.fixture.order().await;
    let asked = it.pay(&order, ASKS).await.expect(202);
    let id = it.intents().await[0].id.clone();
    // An old event comes late, and one that is not true of the intent.
    let mut says = intent(&id);
    says["status"] = json!("succeeded");
    says["amount"] = json!(1);
    it.hook("evt_1", SUCCEEDED, &says).await.expect(200);
    it.hook("evt_2", "payment_intent.payment_failed", &says)
        .await
        .expect(200);
    assert_eq!(it.statuses().await, ["pending"]);
    it.stripe
        .confirm(asked["clientSecret"].as_str().unwrap(), true)
        .await;
    it.hook("evt_3", "payment_intent.requires_action", &intent(&id))
        .await
        .expect(200);
    assert_eq!(it.statuses().await, ["captured"]);
    it.fixture.clock.advance(Duration::days(4));
    it.hook("evt_4", "payment_intent.payment_failed", &intent(&id))
        .await
        .expect(200);
    assert_eq!(it.statuses().await, ["captured"]);
    assert_eq!(it.fixture.event_names().await, ["captured"]);
}

#[tokio::test]
async fn a_webhook_may_come_before_the_answer() {
    let it = StripeFixture::new().await;
    let order = it.fixture.order().await;
    it.set_faults(json!({ "late": 1, "seconds": 0.8 })).await;
    let (answer, ()) = tokio::join!(async { it.pay(&order, GOOD).await }, async {
        while it.intents().await.is_empty() {}
        let id = it.intents().await[0].id.clone();
        it.end_faults().await;
        it.hook("evt_1", SUCCEEDED, &intent(&id)).await.expect(200);
        assert_eq!(it.fixture.event_names().await, ["captured"]);
    });
    answer.expect(201);
    assert_eq!(it.fixture.event_names().await, [""; 0]);
}

#[tokio::test]
async fn a_webhook_that_stripe_did_not_sign_for_us_changes_nothing() {
    let it = StripeFixture::new().await;
    let id = unknown_capture(&it).await;
    let body = event("evt_1", SUCCEEDED, &intent(&id));
    let (now, secret) = (it.now(), TestStripe::WEBHOOK_SECRET);
    let right = sign(&body, now, secret);
    let (time, hex) = right.split_once(",v1=").unwrap();
    for (signature, code) in [
        // Forged, and signed with another account's secret.
        (
            format!("t={now},v1={}", "0".repeat(64)),
            "payment.webhook-forged",
        ),
        (
            sign(&body, now, "whsec_of_another_account"),
            "payment.webhook-forged",
        ),
        // Replayed, and with a new time for the old signature.
        (sign(&body, now - 301, secret), "payment.webhook-old"),
        (sign(&body, now + 400, secret), "payment.webhook-old"),
        (format!("t={},v1={hex}", now - 1), "payment.webhook-forged"),
        // Another scheme, and no signature.
        (format!("{time},v0={hex}"), "payment.webhook-unsigned"),
        (format!("v1={hex}"), "payment.webhook-unsigned"),
        (
            format!("{time},v1={}", &hex[..62]),
            "payment.webhook-unsigned",
        ),
        (String::new(), "payment.webhook-unsigned"),
    ] {
        let refused = it.hook_with(&body, &signature).await;
        assert_eq!(refused.body["code"], code, "{signature}");
        refused.problem(400);
    }
    // Truncated.
    let refused = it.hook_with(&body[..body.len() - 1], &right).await;
    assert_eq!(refused.body["code"], "payment.webhook-forged");
    let unsigned = it
        .fixture
        .app
        .post("/api/v1/payment/stripe/webhook")
        .raw(&*body);
    unsigned.await.problem(400);
    assert_eq!(it.statuses().await, ["pending"]);
    let events: i64 = sqlx::query_scalar("select count(*) from stripe_events")
        .fetch_one(&it.fixture.db.pool)
        .await
        .unwrap();
    assert_eq!(events, 0);
    // The right one still counts.
    it.hook_with(&body, &right).await.expect(200);
    assert_eq!(it.statuses().await, ["captured"]);
}

#[tokio::test]
async fn an_event_of_nothing_that_is_here_changes_nothing() {
    let it = StripeFixture::new().await;
    unknown_capture(&it).await;
    let charge = json!({ "object": "charge", "id": "ch_1", "payment_intent": null });
    let objects: [(&str, Value); 4] = [
        (SUCCEEDED, intent("pi_unknown")),
        (SUCCEEDED, intent("pi_/../../v1/charges")),
        ("charge.refunded", charge),
        (
            "customer.created",
            json!({ "object": "customer", "id": "cus_1" }),
        ),
    ];
    for (at, (kind, object)) in objects.iter().enumerate() {
        it.hook(&format!("evt_{at}"), kind, object)
            .await
            .expect(200);
    }
    let signature = sign("no event", it.now(), TestStripe::WEBHOOK_SECRET);
    it.hook_with("no event", &signature).await.expect(200);
    assert_eq!(it.statuses().await, ["pending"]);
}

#[tokio::test]
async fn an_event_waits_while_stripe_does_not_answer() {
    let it = StripeFixture::new().await;
    let id = unknown_capture(&it).await;
    it.set_faults(json!({ "away": 1 })).await;
    it.hook("evt_1", SUCCEEDED, &intent(&id)).await.problem(503);
    it.end_faults().await;
    it.hook("evt_1", SUCCEEDED, &intent(&id)).await.expect(200);
    assert_eq!(it.statuses().await, ["captured"]);
}

#[tokio::test]
async fn both_secrets_are_good_while_one_replaces_the_other() {
    let stripe = TestStripe::start().await;
    let env = Env::from_pairs(stripe.settings())
        .with("TIFFIN_STRIPE_WEBHOOK_SECRET", "whsec_new,whsec_old");
    let clock = Clock::manual(Clock::system().now());
    let fixture = Fixture::of(clock, &env, |state| state).await;
    let it = StripeFixture { fixture, stripe };
    let body = event("evt_1", SUCCEEDED, &intent("pi_1"));
    let of = |secret| sign(&body, it.now(), secret);
    for secret in ["whsec_new", "whsec_old"] {
        it.hook_with(&body, &of(secret)).await.expect(200);
    }
    // Stripe signs with both, too.
    let (_, old) = of("whsec_old")
        .split_once(",v1=")
        .map(|(t, v)| (t.to_owned(), v.to_owned()))
        .unwrap();
    let both = format!("{},v1={old}", of("whsec_unknown"));
    it.hook_with(&body, &both).await.expect(200);
    it.hook_with(&body, &of("whsec_unknown")).await.problem(400);
}

#[tokio::test]
async fn there_is_no_webhook_without_stripe() {
    let fixture = Fixture::new().await;
    let body = event("evt_1", SUCCEEDED, &intent("pi_1"));
    let call = fixture.app.post("/api/v1/payment/stripe/webhook").raw(body);
    let refused = call.await;
    assert_eq!(refused.body["code"], "payment.stripe-not-set-up");
    refused.problem(404);
}
