use std::sync::{Arc, atomic::Ordering};

use sqlx::PgPool;
use tiffin_events::order::OrderRefV1;
use time::Duration;

use crate::{
    harness::{ANSWER_LOST, Till, VISA},
    stand_in::StandIn,
};

/// Inserts the intent of a process that ended before it asked the provider.
async fn intent(pool: &PgPool, till: &Till, order: &OrderRefV1, provider: &str) {
    sqlx::query(
        "insert into payments (id, order_id, customer_id, amount, kind, status, provider, created_at, due_at)
         values ($1, $2, $3, 125050, 'PayPal', 'pending', $4, $5, $5 + interval '60 s')",
    )
    .bind(till.clock.new_id())
    .bind(order.order_id.0)
    .bind(till.customer.0)
    .bind(provider)
    .bind(till.clock.now())
    .execute(pool)
    .await
    .unwrap();
}

#[tokio::test]
async fn a_lost_answer_leaves_it_pending_until_the_provider_is_asked() {
    let till = Till::open().await;
    let order = till.order().await;
    let answer = till.call(&order, 1250.5, ANSWER_LOST).await.expect(202);
    assert_eq!(answer["payment"]["status"], "pending");
    let again = till.pay(&order, 1250.5).await.problem(409);
    assert_eq!(again, "A payment of this order is under way.");
    assert_eq!(till.settle().await, 0, "not due yet");
    till.clock.advance(Duration::seconds(3));
    assert_eq!(till.settle().await, 1);
    assert_eq!(till.settle().await, 0);
    assert_eq!(till.event_names().await, ["captured"]);
    assert_eq!(till.payments().await[0]["status"], "captured");
    assert_eq!(till.money_moves().await, (1, 0), "taken once");
    till.pay(&order, 1250.5).await.problem(409);
}

#[tokio::test]
async fn an_intent_that_never_reached_the_provider_is_closed_for_good() {
    let till = Till::open().await;
    let order = till.order().await;
    intent(&till.db.pool, &till, &order, "sandbox").await;
    till.pay(&order, 1250.5).await.problem(409);
    till.clock.advance(Duration::seconds(61));
    assert_eq!(till.settle().await, 1);
    assert_eq!(till.event_names().await, ["declined"]);
    till.pay(&order, 1250.5).await.expect(201);
    assert_eq!(till.money_moves().await, (1, 0));
}

#[tokio::test]
async fn a_charge_that_comes_after_its_key_was_closed_takes_nothing() {
    let provider = Arc::new(StandIn::new(0));
    let till = Till::with(|state| state.with_provider(provider.clone())).await;
    let order = till.order().await;
    // The request hangs before it reaches the provider, and the reconciler takes its process for gone.
    let (answer, ()) = tokio::join!(till.pay(&order, 1250.5), async {
        while till.payments().await.is_empty() {}
        till.clock.advance(Duration::seconds(61));
        assert_eq!(till.settle().await, 1);
        provider.gate.add_permits(1);
    });
    assert_eq!(answer.problem(402), "Payment failed.");
    assert_eq!(provider.captured(), 0);
    assert_eq!(till.event_names().await, ["declined"], "said once");
}

#[tokio::test]
async fn what_the_reconciler_and_the_request_both_hear_counts_once() {
    let till = Till::open().await;
    let order = till.order().await;
    till.call(&order, 1250.5, ANSWER_LOST).await.expect(202);
    till.clock.advance(Duration::seconds(61));
    let (one, other) = tokio::join!(till.settle(), till.settle());
    assert_eq!(one + other, 1);
    assert_eq!(till.event_names().await, ["captured"]);
}

#[tokio::test]
async fn a_provider_that_is_away_is_asked_until_it_answers() {
    let provider = Arc::new(StandIn::new(10));
    provider.is_away.store(true, Ordering::SeqCst);
    let till = Till::with(|state| state.with_provider(provider.clone())).await;
    let order = till.order().await;
    till.call(&order, 1250.5, VISA).await.expect(202);
    for _ in 0..5 {
        till.clock.advance(Duration::minutes(11));
        assert_eq!(till.settle().await, 0);
        assert_eq!(till.payments().await[0]["status"], "pending");
    }
    provider.is_away.store(false, Ordering::SeqCst);
    assert_eq!(till.settle().await, 0, "tries are spaced out");
    till.clock.advance(Duration::minutes(11));
    assert_eq!(till.settle().await, 1);
    // The provider never got the charge, so nothing was taken and the customer may try again.
    assert_eq!(till.event_names().await, ["declined"]);
    till.pay(&order, 1250.5).await.expect(201);
    assert_eq!(provider.captured(), 1);
}

#[tokio::test]
async fn a_twin_of_a_request_under_way_gets_its_answer() {
    let provider = Arc::new(StandIn::new(0));
    let till = Till::with(|state| state.with_provider(provider.clone())).await;
    let order = till.order().await;
    let press = || {
        till.call(&order, 1250.5, VISA)
            .header("Idempotency-Key", "k")
    };
    let (one, other, ()) = tokio::join!(press().into_future(), press().into_future(), async {
        while till.payments().await.is_empty() {}
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        provider.gate.add_permits(1);
    });
    assert_eq!(one.expect(201), other.expect(201));
    assert_eq!(provider.captured(), 1);
}

#[tokio::test]
async fn a_client_that_hangs_up_is_charged_once_and_sees_it_later() {
    let provider = Arc::new(StandIn::new(0));
    let till = Till::with(|state| state.with_provider(provider.clone())).await;
    let order = till.order().await;
    let call = tokio::spawn(till.call(&order, 1250.5, VISA).into_future());
    while till.payments().await.is_empty() {}
    call.abort();
    let _ = call.await;
    provider.gate.add_permits(1);
    while till.payments().await[0]["status"] == "pending" {}
    assert_eq!(till.payments().await[0]["status"], "captured");
    assert_eq!(till.event_names().await, ["captured"]);
}
