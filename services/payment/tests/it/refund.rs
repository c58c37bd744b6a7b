use std::sync::{Arc, atomic::Ordering};

use serde_json::json;
use tiffin_events::order::OrderEvent;
use time::Duration;

use crate::{
    fake_provider::FakeProvider,
    fixture::{ANSWER_LOST, Fixture},
};

#[tokio::test]
async fn a_cancelled_order_is_refunded_once() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    fixture.pay(&order, 1250.5).await.expect(201);
    fixture.events().await;
    fixture.cancel(&order).await;
    assert_eq!(fixture.payments().await[0]["status"], "refunding");
    assert!(
        fixture.events().await.is_empty(),
        "not before the money is back"
    );
    assert_eq!(fixture.settle().await, 1);
    assert_eq!(fixture.settle().await, 0);
    let events = fixture.events().await;
    let [refunded] = events.as_slice() else {
        panic!("{events:?}")
    };
    assert_eq!(refunded.kind, "tiffin.payment.refunded.v1");
    assert_eq!(
        (refunded.sequence, refunded.data["amount"].clone()),
        (2, json!(1250.5))
    );
    assert_eq!(
        refunded.actor,
        fixture.owner.to_string(),
        "who cancelled the order"
    );
    assert!(
        refunded.causationid.is_some(),
        "it follows from the order's"
    );
    assert_eq!(refunded.correlationid, Some(order.order_id.0));
    assert_eq!(fixture.money_moves().await, (1, 1));
    fixture.pay(&order, 1250.5).await.problem(409);
    // A second event of the order's end changes nothing.
    let deleted = OrderEvent::Deleted(order.clone());
    fixture.deliver_event(order.order_id.0, &deleted).await;
    assert_eq!(fixture.settle().await, 0);
    assert!(fixture.events().await.is_empty());
}

#[tokio::test]
async fn an_order_that_was_not_paid_needs_no_refund() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    fixture.cancel(&order).await;
    assert_eq!(fixture.settle().await, 0);
    assert!(fixture.events().await.is_empty());
}

#[tokio::test]
async fn money_that_turns_up_after_the_cancellation_goes_back() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    fixture.call(&order, 1250.5, ANSWER_LOST).await.expect(202);
    fixture.cancel(&order).await;
    assert_eq!(fixture.payments().await[0]["status"], "pending");
    fixture.clock.advance(Duration::seconds(61));
    assert_eq!(
        fixture.settle().await,
        2,
        "found to be taken, then given back"
    );
    assert_eq!(fixture.event_names().await, ["captured", "refunded"]);
    assert_eq!(fixture.money_moves().await, (1, 1));
}

#[tokio::test]
async fn an_order_that_is_cancelled_while_it_is_paid_is_refunded() {
    let provider = Arc::new(FakeProvider::new(0));
    let fixture = Fixture::with(|state| state.with_provider(provider.clone())).await;
    let order = fixture.order().await;
    let (answer, ()) = tokio::join!(fixture.pay(&order, 1250.5), async {
        while fixture.payments().await.is_empty() {}
        fixture.cancel(&order).await;
        provider.charge_permits.add_permits(1);
    });
    assert_eq!(answer.expect(201)["payment"]["status"], "refunding");
    fixture.settle().await;
    assert_eq!(provider.refunds.load(Ordering::SeqCst), 1);
    assert_eq!(fixture.payments().await[0]["status"], "refunded");
}

#[tokio::test]
async fn a_refund_is_tried_until_the_provider_answers() {
    let provider = Arc::new(FakeProvider::new(1));
    let fixture = Fixture::with(|state| state.with_provider(provider.clone())).await;
    let order = fixture.order().await;
    fixture.pay(&order, 1250.5).await.expect(201);
    provider.is_away.store(true, Ordering::SeqCst);
    fixture.cancel(&order).await;
    assert_eq!(fixture.settle().await, 0);
    provider.is_away.store(false, Ordering::SeqCst);
    fixture.clock.advance(Duration::minutes(1));
    assert_eq!(fixture.settle().await, 1);
    assert_eq!(fixture.event_names().await, ["captured", "refunded"]);
}
