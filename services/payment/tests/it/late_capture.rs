//! A provider that refuses first and takes the money afterwards, because it can't close a key.

use std::sync::{Arc, OnceLock};

use futures_util::future::{BoxFuture, FutureExt};
use serde_json::json;
use sqlx::PgPool;
use tiffin_events::{Money, order::OrderRefV1};
use tiffin_payment::provider::{Charge, Outcome, Provider, Sandbox, Unanswered};
use time::Duration;
use tokio::sync::Semaphore;
use uuid::Uuid;

use crate::fixture::{Fixture, VISA};

/// The sandbox behind a slow line. Each charge waits for a permit. A key without a charge is refused and not
/// closed.
#[derive(Debug)]
struct Slow {
    /// The service's database, once it is started.
    pool: OnceLock<PgPool>,
    line: Semaphore,
}

impl Slow {
    fn sandbox(&self) -> Sandbox {
        Sandbox::new(self.pool.get().unwrap().clone())
    }
}

impl Provider for Slow {
    fn name(&self) -> &'static str {
        Sandbox::NAME
    }

    fn charge(&self, charge: Charge) -> BoxFuture<'_, Result<Outcome, Unanswered>> {
        async move {
            self.line.acquire().await.unwrap().forget();
            self.sandbox().charge(charge).await
        }
        .boxed()
    }

    fn settle(&self, key: Uuid) -> BoxFuture<'_, Result<Outcome, Unanswered>> {
        async move {
            let came = sqlx::query("select from sandbox_charges where key = $1")
                .bind(key)
                .fetch_optional(self.pool.get().unwrap())
                .await
                .unwrap();
            if came.is_some() {
                self.sandbox().settle(key).await
            } else {
                Ok(Outcome::Declined("not_charged".to_owned()))
            }
        }
        .boxed()
    }

    fn refund(&self, key: Uuid, in_all: Money) -> BoxFuture<'_, Result<(), Unanswered>> {
        async move { self.sandbox().refund(key, in_all).await }.boxed()
    }
}

async fn slow_fixture() -> (Fixture, Arc<Slow>) {
    let slow = Arc::new(Slow {
        pool: OnceLock::new(),
        line: Semaphore::new(0),
    });
    let fixture = Fixture::with(|state| state.with_provider(slow.clone())).await;
    slow.pool.set(fixture.db.pool.clone()).unwrap();
    (fixture, slow)
}

/// The cents that the sandbox has captured and not refunded.
async fn captured_cents(fixture: &Fixture) -> i64 {
    sqlx::query_scalar(
        "select coalesce(sum(amount - given_back), 0)::bigint from sandbox_charges where result = 'captured'",
    )
    .fetch_one(&fixture.db.pool)
    .await
    .unwrap()
}

/// Lets the reconciler record a refusal while the charge is still on its way. `meanwhile` runs before the
/// charge arrives.
async fn refused_then_taken(
    fixture: &Fixture,
    provider: &Slow,
    order: &OrderRefV1,
    meanwhile: impl AsyncFnOnce(),
) {
    let call = fixture
        .call(order, 1250.5, VISA)
        .header("Idempotency-Key", "k");
    let (answer, ()) = tokio::join!(call, async {
        while fixture.payments().await.is_empty() {}
        fixture.clock.advance(Duration::seconds(61));
        assert_eq!(fixture.settle().await, 1);
        assert_eq!(fixture.event_names().await, ["declined"]);
        meanwhile().await;
        provider.line.add_permits(1);
    });
    assert_eq!(answer.problem(402), "Payment failed.");
}

#[tokio::test]
async fn money_that_is_taken_after_the_refusal_goes_back() {
    let (fixture, slow) = slow_fixture().await;
    let order = fixture.order().await;
    refused_then_taken(&fixture, &slow, &order, async || {}).await;
    assert_eq!(captured_cents(&fixture).await, 125_050);
    assert_eq!(fixture.payments().await[0]["status"], "refunding");
    assert_eq!(fixture.settle().await, 1);
    assert_eq!(captured_cents(&fixture).await, 0, "all of it is back");
    let events = fixture.events().await;
    let [refunded] = events.as_slice() else {
        panic!("{events:?}")
    };
    assert_eq!(refunded.kind, "tiffin.payment.refunded.v1");
    assert_eq!(
        (refunded.sequence, &refunded.data["refunded"]),
        (2, &json!(1250.5))
    );
    assert_eq!(fixture.settle().await, 0);

    // The order is still unpaid and can be paid with the same key.
    slow.line.add_permits(1);
    let again = fixture
        .call(&order, 1250.5, VISA)
        .header("Idempotency-Key", "k");
    again.await.expect(201);
    assert_eq!(fixture.event_names().await, ["captured"]);
    assert_eq!(captured_cents(&fixture).await, 125_050);
}

#[tokio::test]
async fn money_that_is_taken_after_the_next_try_was_paid_goes_back_alone() {
    let (fixture, slow) = slow_fixture().await;
    let order = fixture.order().await;
    // The next attempt overtakes the one that hangs.
    let retry = async || {
        let sandbox = Arc::new(Sandbox::new(fixture.db.pool.clone()));
        let state = fixture.state.clone().with_provider(sandbox);
        let (routes, _) = tiffin_payment::router(state).split_for_parts();
        let app = tiffin_testkit::TestApp::start(routes).await;
        let body = crate::fixture::by_card(&order, 1250.5, VISA);
        let call = app.post("/api/payment").token(&fixture.customer());
        let call = call.header("Idempotency-Key", "k");
        call.json(&body).await.expect(201);
        assert_eq!(fixture.event_names().await, ["captured"]);
    };
    refused_then_taken(&fixture, &slow, &order, retry).await;
    assert_eq!(captured_cents(&fixture).await, 250_100, "taken twice");
    assert_eq!(fixture.settle().await, 1);
    assert_eq!(
        captured_cents(&fixture).await,
        125_050,
        "one payment is kept"
    );
    assert_eq!(fixture.event_names().await, ["refunded"]);
    let mut words: Vec<_> = fixture
        .payments()
        .await
        .iter()
        .map(|payment| payment["status"].as_str().unwrap().to_owned())
        .collect();
    words.sort();
    assert_eq!(words, ["captured", "refunded"]);
    fixture.pay(&order, 1250.5).await.problem(409);
}
