//! Tests of the running service with parallel placing, paying, declining, cancelling, deleting, refunding by people,
//! refunding and retrying.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration as Pause,
};

use proptest::{
    collection::vec,
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, TestRunner},
};
use serde_json::Value;
use tiffin_events::{
    CheckoutId, Money, Role, UserId,
    order::{OrderEvent, OrderRefV1},
    payment::PaymentEvent,
};
use time::Duration;
use tokio::task::JoinSet;

use crate::fixture::{ANSWER_LOST, DECLINED, Fixture, VISA};

/// The number of random cases.
const CASES: usize = 8;
const CARDS: [&str; 4] = [VISA, VISA, DECLINED, ANSWER_LOST];

/// The end of an order, apart from its payments.
#[derive(Clone, Copy, Debug, PartialEq)]
enum OrderEnd {
    Stays,
    Cancelled,
    Deleted,
    CancelledAndDeleted,
}

#[derive(Clone, Debug)]
struct Case {
    /// The price in cents, the end of the order, and the milliseconds until then.
    orders: Vec<(i64, OrderEnd, u64)>,
    /// The number of orders that become known while others are paid.
    late: usize,
    /// The order to pay, the card, and the milliseconds until the request.
    payments: Vec<(usize, usize, u64)>,
    /// The order to refund, the cents, and the milliseconds until the request.
    refunds: Vec<(usize, i64, u64)>,
}

fn cases() -> impl Strategy<Value = Case> {
    let end = prop_oneof![
        3 => Just(OrderEnd::Stays),
        2 => Just(OrderEnd::Cancelled),
        1 => Just(OrderEnd::Deleted),
        1 => Just(OrderEnd::CancelledAndDeleted),
    ];
    let orders = vec((1_i64..=50_000, end, 0_u64..1500), 2..7);
    let payments = vec((any::<usize>(), 0..CARDS.len(), 0_u64..600), 4..12);
    let refunds = vec((any::<usize>(), 1_i64..=30_000, 200_u64..1500), 4..12);
    (orders, 0_usize..2, payments, refunds).prop_map(|(orders, late, payments, refunds)| Case {
        orders,
        late,
        payments,
        refunds,
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn orders_are_paid_by_their_price_and_no_cent_is_lost() {
    let mut runner = TestRunner::new(Config::default());
    let cases = vec(cases(), CASES).new_tree(&mut runner).unwrap().current();
    eprintln!("{cases:#?}");
    let mut all = JoinSet::new();
    for case in cases {
        all.spawn(async move { run_case(&case).await });
    }
    while let Some(done) = all.join_next().await {
        done.unwrap();
    }
}

async fn run_case(case: &Case) {
    let fixture = Arc::new(Fixture::new().await);
    let checkout = CheckoutId(fixture.clock.new_id());
    let known = case.orders.len() - case.late;
    let mut orders = Vec::new();
    for (cents, ..) in &case.orders[..known] {
        orders.push(fixture.place(checkout, *cents).await);
    }
    let mut all = JoinSet::new();
    for (order, (_, end, pause)) in orders.clone().into_iter().zip(case.orders.clone()) {
        let fixture = Arc::clone(&fixture);
        all.spawn(async move {
            tokio::time::sleep(Pause::from_millis(pause)).await;
            end_order(&fixture, &order, end).await;
        });
    }
    let equal =
        case.orders[..known].iter().map(|it| it.0).sum::<i64>() / i64::try_from(known).unwrap();
    for (of, card, pause) in case.payments.clone() {
        let (fixture, order) = (Arc::clone(&fixture), orders[of % known].clone());
        all.spawn(async move {
            tokio::time::sleep(Pause::from_millis(pause)).await;
            pay_current_share(&fixture, &order, equal, CARDS[card]).await;
        });
    }
    let refunded = Arc::new(Mutex::new(HashMap::new()));
    for (of, cents, pause) in case.refunds.clone() {
        let (fixture, order) = (Arc::clone(&fixture), orders[of % known].clone());
        let refunded = Arc::clone(&refunded);
        all.spawn(async move {
            tokio::time::sleep(Pause::from_millis(pause)).await;
            if issue_refund(&fixture, &order, cents).await {
                *refunded.lock().unwrap().entry(order.order_id).or_insert(0) += cents;
            }
        });
    }
    {
        let fixture = Arc::clone(&fixture);
        all.spawn(async move {
            for _ in 0..8 {
                tokio::time::sleep(Pause::from_millis(200)).await;
                fixture.clock.advance(Duration::seconds(61));
                fixture.settle().await;
                check_balances(&fixture).await;
            }
        });
    }
    for (cents, end, _) in &case.orders[known..] {
        let order = fixture.place(checkout, *cents).await;
        end_order(&fixture, &order, *end).await;
        orders.push(order);
    }
    while let Some(done) = all.join_next().await {
        done.unwrap();
    }
    settle_all(&fixture).await;

    let live: Vec<_> = (orders.iter().zip(&case.orders))
        .filter(|(_, (_, end, _))| *end == OrderEnd::Stays)
        .collect();
    let refunded = refunded.lock().unwrap().clone();
    let costs = live.iter().map(|(order, (cents, ..))| {
        let refunded = refunded.get(&order.order_id).copied().unwrap_or_default();
        assert!(refunded <= *cents, "no more than the price");
        cents - refunded
    });
    let cost: i64 = costs.sum();
    let captured = captured(&fixture).await;
    assert!(
        captured <= cost,
        "what is above {cost} went back: {captured}"
    );
    check_paid(&fixture, &orders, &live, captured >= cost).await;

    // The checkout is paid once every live order has paid its share.
    for (order, _) in &live {
        pay_current_share(&fixture, order, equal, VISA).await;
    }
    settle_all(&fixture).await;
    assert_eq!(self::captured(&fixture).await, cost);
    check_paid(&fixture, &orders, &live, true).await;
    assert_eq!(captured_by_events(&fixture).await, cost, "the events agree");
}

async fn end_order(fixture: &Fixture, order: &OrderRefV1, end: OrderEnd) {
    let id = order.order_id.0;
    if matches!(end, OrderEnd::Cancelled | OrderEnd::CancelledAndDeleted) {
        fixture.cancel(order).await;
    }
    if matches!(end, OrderEnd::Deleted | OrderEnd::CancelledAndDeleted) {
        fixture
            .deliver_event(id, &OrderEvent::Deleted(order.clone()))
            .await;
    }
}

/// Pays an order's current share: first with the initial amount, and after a refusal with the right one.
async fn pay_current_share(fixture: &Fixture, order: &OrderRefV1, cents: i64, card: &str) {
    let mut amount = serde_json::json!(Money::from_cents(cents))
        .as_f64()
        .unwrap();
    for _ in 0..6 {
        let answer = fixture.call(order, amount, card).await;
        match answer.status.as_u16() {
            201 | 202 | 402 | 409 => return,
            422 => {
                let text = answer.body["fields"]["amount"].as_str().unwrap();
                let rupees = text.trim_start_matches("The amount to pay is Rs. ");
                amount = rupees.trim_end_matches('.').parse().unwrap();
            }
            other => panic!("{other}: {}", answer.text),
        }
    }
}

/// Refunds a part of an order as an administrator. Returns true if it was taken.
async fn issue_refund(fixture: &Fixture, order: &OrderRefV1, cents: i64) -> bool {
    let path = format!("/api/v1/payment/refunds/{}", order.order_code);
    let body = serde_json::json!({ "amount": Money::from_cents(cents), "reason": "late" });
    let admin = fixture.token(UserId(fixture.clock.new_id()), Role::Admin);
    let answer = fixture.app.post(&path).token(&admin).json(&body).await;
    match answer.status.as_u16() {
        201 => true,
        409 | 422 => false,
        other => panic!("{other}: {}", answer.text),
    }
}

/// Checks that the provider holds at least the money that the service believes to have.
async fn check_balances(fixture: &Fixture) {
    let (believed, captured): (i64, i64) = sqlx::query_as(
        "select coalesce((select sum(amount - to_refund) from payments
                          where status in ('captured', 'refunding', 'refunded')), 0)::bigint,
                coalesce((select sum(amount - given_back) from sandbox_charges where result = 'captured'), 0)::bigint",
    )
    .fetch_one(&fixture.db.pool)
    .await
    .unwrap();
    assert!(believed <= captured, "{believed} of {captured}");
}

async fn settle_all(fixture: &Fixture) {
    for _ in 0..4 {
        fixture.clock.advance(Duration::minutes(11));
        fixture.settle().await;
    }
    let open: i64 = sqlx::query_scalar("select count(*) from payments where due_at is not null")
        .fetch_one(&fixture.db.pool)
        .await
        .unwrap();
    assert_eq!(open, 0, "nothing is under way");
    check_balances(fixture).await;
}

/// The captures less refunds of the provider, in cents. Its table can't refund more than was captured.
async fn captured(fixture: &Fixture) -> i64 {
    sqlx::query_scalar(
        "select coalesce(sum(amount - given_back), 0)::bigint from sandbox_charges where result = 'captured'",
    )
    .fetch_one(&fixture.db.pool)
    .await
    .unwrap()
}

async fn check_paid(
    fixture: &Fixture,
    orders: &[OrderRefV1],
    live: &[(&OrderRefV1, &(i64, OrderEnd, u64))],
    is_covered: bool,
) {
    for order in orders {
        let path = format!("/api/v1/payment/invoice/{}", order.order_code);
        let page = fixture.app.get(&path).token(&fixture.customer()).await;
        let is_live = live.iter().any(|(one, _)| *one == order);
        assert_eq!(
            page.text.contains("Paid: "),
            is_live && is_covered,
            "{}",
            page.text
        );
    }
}

/// The captures less refunds, in cents, from the events alone.
async fn captured_by_events(fixture: &Fixture) -> i64 {
    let mut sum = std::collections::HashMap::new();
    for event in fixture.events().await {
        let data: &Value = &event.data;
        match tiffin_events::Event::decode(&event.kind, data).unwrap() {
            Some(PaymentEvent::Captured(payment)) => {
                sum.insert(payment.payment_id, payment.amount.cents());
            }
            Some(PaymentEvent::Refunded(refund)) => {
                let left = refund.payment.amount.cents() - refund.in_all().cents();
                let was = sum.insert(refund.payment.payment_id, left);
                assert!(was.is_some_and(|was| was > left && left >= 0));
            }
            Some(PaymentEvent::RefundIssued(refund)) => {
                let left = refund.payment.amount.cents() - refund.refunded_then.cents();
                assert!(left >= 0, "no more than was taken");
            }
            Some(PaymentEvent::Declined(_) | PaymentEvent::Disputed(_)) | None => {}
        }
    }
    Money::from_cents(sum.values().sum()).cents()
}
