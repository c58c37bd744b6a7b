//! Tests of the provider `stripe` against localstripe.

mod canary;
mod confirming;
mod faults;
mod paying;
mod refunds;
mod webhooks;

use std::fmt::Write;

use aws_lc_rs::hmac;
use serde_json::{Value, json};
use tiffin_chassis::Env;
use tiffin_events::{Clock, order::OrderRefV1};
use tiffin_testkit::{Answer, Call, StripeIntent, TestStripe};
use time::Duration;

use crate::fixture::Fixture;

pub const GOOD: &str = "4242424242424242";
/// A card whose charge is declined.
pub const DECLINED: &str = "4000000000000341";
/// A card whose bank asks the customer.
pub const ASKS: &str = "4000002500003155";
/// The same, and the charge is declined afterwards.
pub const ASKS_AND_DECLINES: &str = "4000008260003178";

/// The payment service with Stripe as its provider. Its clock shows the time of the machine until a test advances it,
/// because Stripe signs with that.
pub struct StripeFixture {
    pub fixture: Fixture,
    pub stripe: TestStripe,
}

impl StripeFixture {
    pub async fn new() -> Self {
        let stripe = TestStripe::start().await;
        let env = Env::from_pairs(stripe.settings()).with("TIFFIN_STRIPE_TIMEOUT", "1");
        let clock = Clock::manual(Clock::system().now());
        Self {
            fixture: Fixture::of(clock, &env, |state| state).await,
            stripe,
        }
    }

    /// A call that pays an order of Rs. 1250.50 with a new token of a card.
    pub async fn call(&self, order: &OrderRefV1, card: &str) -> Call {
        let token = self.stripe.token(card).await;
        self.call_with(order, &token)
    }

    pub fn call_with(&self, order: &OrderRefV1, token: &str) -> Call {
        self.fixture.clock.advance(Duration::milliseconds(10));
        let body = json!({
            "bookingId": order.order_code, "amount": 1250.5, "paymentType": "Card", "cardToken": token,
        });
        let call = self.fixture.app.post("/api/v1/payment");
        call.token(&self.fixture.customer()).json(&body)
    }

    pub async fn pay(&self, order: &OrderRefV1, card: &str) -> Answer {
        self.call(order, card).await.await
    }

    pub async fn check(&self, payment: &Value, give_up: bool) -> Answer {
        let id = payment["_id"].as_str().unwrap();
        let call = self
            .fixture
            .app
            .post(&format!("/api/v1/payment/check/{id}"));
        let call = call.token(&self.fixture.customer());
        call.json(&json!({ "giveUp": give_up })).await
    }

    /// Sets the faults of calls that pay.
    pub async fn set_faults(&self, mut faults: Value) {
        faults["only"] = json!("payment_intents");
        self.stripe.set_faults(&faults).await;
    }

    pub async fn end_faults(&self) {
        self.stripe.set_faults(&json!({})).await;
    }

    pub async fn later(&self, time: Duration) -> usize {
        self.fixture.clock.advance(time);
        self.fixture.settle().await
    }

    pub async fn statuses(&self) -> Vec<String> {
        let payments = self.fixture.payments().await;
        let statuses = payments
            .iter()
            .map(|it| it["status"].as_str().unwrap().to_owned());
        statuses.collect()
    }

    /// All `PaymentIntent`s of payments.
    pub async fn intents(&self) -> Vec<StripeIntent> {
        self.stripe.book().await.into_values().flatten().collect()
    }

    /// The cents that Stripe has taken and not given back.
    pub async fn taken(&self) -> i64 {
        let intents = self.intents().await.into_iter();
        intents.map(|intent| intent.taken - intent.refunded).sum()
    }

    /// Sends an event about an intent with a right signature.
    pub async fn hook(&self, id: &str, kind: &str, object: &Value) -> Answer {
        let body = event(id, kind, object);
        let signature = sign(&body, self.now(), TestStripe::WEBHOOK_SECRET);
        self.hook_with(&body, &signature).await
    }

    pub async fn hook_with(&self, body: &str, signature: &str) -> Answer {
        let call = self.fixture.app.post("/api/v1/payment/stripe/webhook");
        call.header("stripe-signature", signature).raw(body).await
    }

    pub fn now(&self) -> i64 {
        self.fixture.clock.now().unix_timestamp()
    }
}

pub fn event(id: &str, kind: &str, object: &Value) -> String {
    json!({ "id": id, "object": "event", "type": kind, "data": { "object": object } }).to_string()
}

pub fn intent(id: &str) -> Value {
    json!({ "object": "payment_intent", "id": id })
}

/// The signature of a body, by Stripe's published scheme.
pub fn sign(body: &str, time: i64, secret: &str) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    let tag = hmac::sign(&key, format!("{time}.{body}").as_bytes());
    let mut signature = format!("t={time},v1=");
    for byte in tag.as_ref() {
        write!(signature, "{byte:02x}").unwrap();
    }
    signature
}
