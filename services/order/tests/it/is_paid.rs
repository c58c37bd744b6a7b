//! An order is paid only while the money of its whole checkout covers all that is not cancelled.

use serde_json::{Value, json};
use tiffin_events::{
    ItemId, Money, PaymentId, RefundId,
    item::ItemEvent,
    payment::{PaymentEvent, PaymentRefV1, PaymentRefundedV1},
};

use crate::fixture::{Fixture, issued, refunded};

/// A checkout with an order of each dish: how many of it, and what one costs in cents.
async fn checkout(fixture: &Fixture, dishes: &[(i32, i64)]) -> Vec<Value> {
    let mut lines = Vec::new();
    for (quantity, cents) in dishes {
        let id = ItemId(fixture.clock.new_id());
        let dish = fixture.dish(id, "Lamprais", *cents);
        fixture.deliver_event(id.0, &ItemEvent::Added(dish)).await;
        lines.push(json!({ "key": id, "qty": quantity }));
    }
    let answer = fixture.checkout(&json!({ "orderItem": lines })).await;
    answer.expect(201)["orders"].as_array().unwrap().clone()
}

async fn capture(fixture: &Fixture, order: &Value, cents: i64) -> PaymentId {
    let id = PaymentId(fixture.clock.new_id());
    fixture
        .payment_of(id, order, cents, PaymentEvent::Captured)
        .await;
    id
}

/// The refunded part of a payment so far.
fn back(cents: i64) -> impl FnOnce(PaymentRefV1) -> PaymentEvent {
    move |payment| {
        PaymentEvent::Refunded(PaymentRefundedV1 {
            payment,
            refunded: Some(Money::from_cents(cents)),
        })
    }
}

async fn cancel(fixture: &Fixture, order: &Value) {
    let path = format!("/api/v1/orders/cancel/{}", order["_id"].as_str().unwrap());
    fixture
        .app
        .post(&path)
        .token(&fixture.owner())
        .await
        .expect(200);
}

/// The paid orders, as the customer, the restaurant and an administrator see them.
async fn paid(fixture: &Fixture, orders: &[Value]) -> Vec<bool> {
    let mut seen = Vec::new();
    for token in [fixture.customer(), fixture.owner(), fixture.admin()] {
        let list = fixture.app.get("/api/v1/orders").token(&token).await;
        let list: Vec<Value> = list.expect_as(200);
        let is_paid = orders.iter().map(|order| {
            let mut list = list.iter();
            list.find(|row| row["_id"] == order["_id"])
                .is_some_and(|row| row["isPaid"] == true)
        });
        seen.push(is_paid.collect::<Vec<_>>());
    }
    assert!(seen.windows(2).all(|pair| pair[0] == pair[1]), "{seen:?}");
    seen.remove(0)
}

#[tokio::test]
async fn the_share_of_a_dear_dish_does_not_pay_it_once_the_cheap_ones_are_cancelled() {
    let fixture = Fixture::new().await;
    // Rs. 970,200 among 49 that cost Rs. 38,170: a share is Rs. 20,167.40.
    let mut dishes = vec![(99, 980_000), (1, 77_800)];
    dishes.extend([(1, 77_900); 48]);
    let orders = checkout(&fixture, &dishes).await;
    assert_eq!(orders[0]["totalAmount"], 970_200);
    capture(&fixture, &orders[0], 2_016_740).await;
    assert_eq!(paid(&fixture, &orders[..1]).await, [false]);
    for cheap in &orders[1..] {
        cancel(&fixture, cheap).await;
    }
    assert_eq!(paid(&fixture, &orders[..1]).await, [false]);
    fixture.confirm(&orders[0]).await.expect(200);
    assert_eq!(paid(&fixture, &orders[..1]).await, [false]);
    // The rest, and then it is.
    capture(&fixture, &orders[0], 95_003_260).await;
    assert_eq!(paid(&fixture, &orders[..1]).await, [true]);
}

#[tokio::test]
async fn every_order_of_a_checkout_is_paid_with_its_last_share() {
    let fixture = Fixture::new().await;
    let orders = checkout(&fixture, &[(1, 5000), (1, 3000), (1, 2000)]).await;
    for (order, cents) in orders.iter().zip([3333, 3333, 3334]) {
        assert_eq!(paid(&fixture, &orders).await, [false; 3]);
        capture(&fixture, order, cents).await;
    }
    assert_eq!(paid(&fixture, &orders).await, [true; 3]);
    // What is cancelled is not paid; the others' money is there still.
    cancel(&fixture, &orders[0]).await;
    assert_eq!(paid(&fixture, &orders).await, [false, true, true]);
}

#[tokio::test]
async fn what_went_back_counts_no_more_whether_a_part_or_all_of_it() {
    let fixture = Fixture::new().await;
    let orders = checkout(&fixture, &[(1, 10_000), (1, 1000)]).await;
    let first = capture(&fixture, &orders[0], 5500).await;
    let second = capture(&fixture, &orders[1], 5500).await;
    assert_eq!(paid(&fixture, &orders).await, [true; 2]);
    cancel(&fixture, &orders[0]).await;
    // All of the first went back, and in two steps what the second order does not cost.
    fixture.payment_of(first, &orders[0], 5500, refunded).await;
    fixture
        .payment_of(second, &orders[1], 5500, back(2000))
        .await;
    fixture
        .payment_of(second, &orders[1], 5500, back(4500))
        .await;
    assert_eq!(paid(&fixture, &orders).await, [false, true]);
    fixture
        .payment_of(second, &orders[1], 5500, back(4501))
        .await;
    assert_eq!(paid(&fixture, &orders).await, [false, false]);
}

#[tokio::test]
async fn an_order_that_was_not_paid_itself_is_paid_by_the_others_money() {
    let fixture = Fixture::new().await;
    let orders = checkout(&fixture, &[(1, 10_000), (1, 1000)]).await;
    capture(&fixture, &orders[0], 5500).await;
    cancel(&fixture, &orders[0]).await;
    assert_eq!(paid(&fixture, &orders).await, [false, true]);
    let code = orders[1]["orderId"].as_str().unwrap();
    let delete = fixture
        .app
        .delete(&format!("/api/v1/orders/delete/{code}"))
        .token(&fixture.owner())
        .await;
    assert_eq!(
        delete.problem(409),
        "The order is paid; please cancel it first."
    );
}

#[tokio::test]
async fn an_order_stays_paid_while_people_refund_it_and_shows_the_refund() {
    let fixture = Fixture::new().await;
    let orders = checkout(&fixture, &[(1, 10_000), (1, 1000)]).await;
    let first = capture(&fixture, &orders[0], 5500).await;
    let second = capture(&fixture, &orders[1], 5500).await;
    let refunds = async || {
        fixture
            .column("/api/v1/orders", &fixture.customer(), "refunds")
            .await
    };
    assert_eq!(refunds().await, [json!([]), json!([])]);

    // A part of the first order's price, from the other one's payment.
    let refund = RefundId(fixture.clock.new_id());
    let event = issued(refund, &orders[0], 300, 300);
    fixture.payment_of(second, &orders[1], 5500, event).await;
    assert_eq!(paid(&fixture, &orders).await, [true; 2]);
    let seen = refunds().await;
    let seen = seen.iter().find(|it| !it.as_array().unwrap().is_empty());
    let seen = &seen.unwrap()[0];
    assert_eq!(
        (&seen["amount"], &seen["reason"]),
        (&json!(3), &json!("missing_item"))
    );
    assert_eq!(
        (&seen["by"], &seen["isMade"]),
        (&json!("restaurant"), &json!(false))
    );
    fixture
        .payment_of(second, &orders[1], 5500, back(300))
        .await;
    assert_eq!(paid(&fixture, &orders).await, [true; 2]);
    let seen = refunds().await;
    assert!(seen.iter().any(|it| it[0]["isMade"] == true), "{seen:?}");
    // A cent more than that is missing.
    fixture
        .payment_of(second, &orders[1], 5500, back(301))
        .await;
    assert_eq!(paid(&fixture, &orders).await, [false; 2]);

    // All that is left of both, so that no payment is known any more.
    let rest = [(first, 0, 9700, 5500), (second, 1, 1000, 5500)];
    for (payment, order, cents, then) in rest {
        let refund = RefundId(fixture.clock.new_id());
        let event = issued(refund, &orders[order], cents, then);
        fixture
            .payment_of(payment, &orders[order], 5500, event)
            .await;
        fixture
            .payment_of(payment, &orders[order], 5500, refunded)
            .await;
    }
    assert_eq!(paid(&fixture, &orders).await, [true; 2], "nothing is due");
    let seen = refunds().await;
    let all = seen.iter().flat_map(|it| it.as_array().unwrap());
    assert!(all.into_iter().all(|it| it["isMade"] == true), "{seen:?}");
    // A cancelled one is not paid, as ever.
    cancel(&fixture, &orders[0]).await;
    assert_eq!(paid(&fixture, &orders).await, [false, true]);
}
