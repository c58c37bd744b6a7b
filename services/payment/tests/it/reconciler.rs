use std::sync::{Arc, atomic::Ordering};

use sqlx::PgPool;
use tiffin_events::order::OrderRefV1;
use time::Duration;

use crate::{
    fake_provider::FakeProvider,
    fixture::{ANSWER_LOST, Fixture, VISA},
};

/// Inserts the intent of a process that ended before it asked the provider.
async fn intent(pool: &PgPool, fixture: &Fixture, order: &OrderRefV1, provider: &str) {
    sqlx::query(
        "insert into payments (id, order_id, customer_id, amount, kind, status, provider, created_at, due_at)
         values ($1, $2, $3, 125050, 'PayPal', 'pending', $4, $5, $5 + interval '60 s')",
    )
    .bind(fixture.clock.new_id())
    .bind(order.order_id.0)
    .bind(fixture.customer.0)
    .bind(provider)
    .bind(fixture.clock.now())
    .execute(pool)
    .await
    .unwrap();
}

#[tokio::test]
async fn a_lost_answer_leaves_it_pending_until_the_provider_is_asked() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    let answer = fixture.call(&order, 1250.5, ANSWER_LOST).await.expect(202);
    assert_eq!(answer["payment"]["status"], "pending");
    let again = fixture.pay(&order, 1250.5).await.problem(409);
    assert_eq!(again, "A payment of this order is under way.");
    assert_eq!(fixture.settle().await, 0, "not due yet");
    fixture.clock.advance(Duration::seconds(3));
    assert_eq!(fixture.settle().await, 1);
    assert_eq!(fixture.settle().await, 0);
    assert_eq!(fixture.event_names().await, ["captured"]);
    assert_eq!(fixture.payments().await[0]["status"], "captured");
    assert_eq!(fixture.money_moves().await, (1, 0), "taken once");
    fixture.pay(&order, 1250.5).await.problem(409);
}

#[tokio::test]
async fn an_intent_that_never_reached_the_provider_is_closed_for_good() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    intent(&fixture.db.pool, &fixture, &order, "sandbox").await;
    fixture.pay(&order, 1250.5).await.problem(409);
    fixture.clock.advance(Duration::seconds(61));
    assert_eq!(fixture.settle().await, 1);
    assert_eq!(fixture.event_names().await, ["declined"]);
    fixture.pay(&order, 1250.5).await.expect(201);
    assert_eq!(fixture.money_moves().await, (1, 0));
}

#[tokio::test]
async fn a_charge_that_comes_after_its_key_was_closed_takes_nothing() {
    let provider = Arc::new(FakeProvider::new(0));
    let fixture = Fixture::with(|state| state.with_provider(provider.clone())).await;
    let order = fixture.order().await;
    // The request hangs before it reaches the provider, and the reconciler takes its process for gone.
    let (answer, ()) = tokio::join!(fixture.pay(&order, 1250.5), async {
        while fixture.payments().await.is_empty() {}
        fixture.clock.advance(Duration::seconds(61));
        assert_eq!(fixture.settle().await, 1);
        provider.charge_permits.add_permits(1);
    });
    assert_eq!(answer.problem(402), "Payment failed.");
    assert_eq!(provider.captured(), 0);
    assert_eq!(fixture.event_names().await, ["declined"], "said once");
}

#[tokio::test]
async fn what_the_reconciler_and_the_request_both_hear_counts_once() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    fixture.call(&order, 1250.5, ANSWER_LOST).await.expect(202);
    fixture.clock.advance(Duration::seconds(61));
    let (one, other) = tokio::join!(fixture.settle(), fixture.settle());
    assert_eq!(one + other, 1);
    assert_eq!(fixture.event_names().await, ["captured"]);
}

#[tokio::test]
async fn a_provider_that_is_away_is_asked_until_it_answers() {
    let provider = Arc::new(FakeProvider::new(10));
    provider.is_away.store(true, Ordering::SeqCst);
    let fixture = Fixture::with(|state| state.with_provider(provider.clone())).await;
    let order = fixture.order().await;
    fixture.call(&order, 1250.5, VISA).await.expect(202);
    for _ in 0..5 {
        fixture.clock.advance(Duration::minutes(11));
        assert_eq!(fixture.settle().await, 0);
        assert_eq!(fixture.payments().await[0]["status"], "pending");
    }
    provider.is_away.store(false, Ordering::SeqCst);
    assert_eq!(fixture.settle().await, 0, "tries are spaced out");
    fixture.clock.advance(Duration::minutes(11));
    assert_eq!(fixture.settle().await, 1);
    // The provider never got the charge, so nothing was taken and the customer may try again.
    assert_eq!(fixture.event_names().await, ["declined"]);
    fixture.pay(&order, 1250.5).await.expect(201);
    assert_eq!(provider.captured(), 1);
}

#[tokio::test]
async fn a_twin_of_a_request_under_way_gets_its_answer() {
    let provider = Arc::new(FakeProvider::new(0));
    let fixture = Fixture::with(|state| state.with_provider(provider.clone())).await;
    let order = fixture.order().await;
    let press = || {
        fixture
            .call(&order, 1250.5, VISA)
            .header("Idempotency-Key", "k")
    };
    let (one, other, ()) = tokio::join!(press().into_future(), press().into_future(), async {
        while fixture.payments().await.is_empty() {}
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        provider.charge_permits.add_permits(1);
    });
    assert_eq!(one.expect(201), other.expect(201));
    assert_eq!(provider.captured(), 1);
}

#[tokio::test]
async fn a_client_that_hangs_up_is_charged_once_and_sees_it_later() {
    let provider = Arc::new(FakeProvider::new(0));
    let fixture = Fixture::with(|state| state.with_provider(provider.clone())).await;
    let order = fixture.order().await;
    let call = tokio::spawn(fixture.call(&order, 1250.5, VISA).into_future());
    while fixture.payments().await.is_empty() {}
    call.abort();
    let _ = call.await;
    provider.charge_permits.add_permits(1);
    while fixture.payments().await[0]["status"] == "pending" {}
    assert_eq!(fixture.payments().await[0]["status"], "captured");
    assert_eq!(fixture.event_names().await, ["captured"]);
}
