use std::sync::{Arc, atomic::Ordering};

use serde_json::json;
use tiffin_events::order::OrderEvent;
use time::Duration;

use crate::{
    harness::{ANSWER_LOST, Till},
    stand_in::StandIn,
};

#[tokio::test]
async fn a_cancelled_order_is_refunded_once() {
    let till = Till::open().await;
    let order = till.order().await;
    till.pay(&order, 1250.5).await.expect(201);
    till.events().await;
    till.cancel(&order).await;
    assert_eq!(till.payments().await[0]["status"], "refunding");
    assert!(
        till.events().await.is_empty(),
        "not before the money is back"
    );
    assert_eq!(till.settle().await, 1);
    assert_eq!(till.settle().await, 0);
    let events = till.events().await;
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
        till.owner.to_string(),
        "who cancelled the order"
    );
    assert!(
        refunded.causationid.is_some(),
        "it follows from the order's"
    );
    assert_eq!(refunded.correlationid, Some(order.order_id.0));
    assert_eq!(till.money_moves().await, (1, 1));
    till.pay(&order, 1250.5).await.problem(409);
    // A second event of the order's end changes nothing.
    let deleted = OrderEvent::Deleted(order.clone());
    till.learn(order.order_id.0, &deleted).await;
    assert_eq!(till.settle().await, 0);
    assert!(till.events().await.is_empty());
}

#[tokio::test]
async fn an_order_that_was_not_paid_needs_no_refund() {
    let till = Till::open().await;
    let order = till.order().await;
    till.cancel(&order).await;
    assert_eq!(till.settle().await, 0);
    assert!(till.events().await.is_empty());
}

#[tokio::test]
async fn money_that_turns_up_after_the_cancellation_goes_back() {
    let till = Till::open().await;
    let order = till.order().await;
    till.call(&order, 1250.5, ANSWER_LOST).await.expect(202);
    till.cancel(&order).await;
    assert_eq!(till.payments().await[0]["status"], "pending");
    till.clock.advance(Duration::seconds(61));
    assert_eq!(till.settle().await, 2, "found to be taken, then given back");
    assert_eq!(till.event_names().await, ["captured", "refunded"]);
    assert_eq!(till.money_moves().await, (1, 1));
}

#[tokio::test]
async fn an_order_that_is_cancelled_while_it_is_paid_is_refunded() {
    let provider = Arc::new(StandIn::new(0));
    let till = Till::with(|state| state.with_provider(provider.clone())).await;
    let order = till.order().await;
    let (answer, ()) = tokio::join!(till.pay(&order, 1250.5), async {
        while till.payments().await.is_empty() {}
        till.cancel(&order).await;
        provider.gate.add_permits(1);
    });
    assert_eq!(answer.expect(201)["payment"]["status"], "refunding");
    till.settle().await;
    assert_eq!(provider.refunds.load(Ordering::SeqCst), 1);
    assert_eq!(till.payments().await[0]["status"], "refunded");
}

#[tokio::test]
async fn a_refund_is_tried_until_the_provider_answers() {
    let provider = Arc::new(StandIn::new(1));
    let till = Till::with(|state| state.with_provider(provider.clone())).await;
    let order = till.order().await;
    till.pay(&order, 1250.5).await.expect(201);
    provider.is_away.store(true, Ordering::SeqCst);
    till.cancel(&order).await;
    assert_eq!(till.settle().await, 0);
    provider.is_away.store(false, Ordering::SeqCst);
    till.clock.advance(Duration::minutes(1));
    assert_eq!(till.settle().await, 1);
    assert_eq!(till.event_names().await, ["captured", "refunded"]);
}
