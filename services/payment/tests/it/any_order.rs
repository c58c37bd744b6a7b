//! Tests of the running service with parallel placing, paying, declining, cancelling, deleting, refunding and
//! retrying.

use std::{sync::Arc, time::Duration as Pause};

use proptest::{
    collection::vec,
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, TestRunner},
};
use serde_json::Value;
use tiffin_events::{
    CheckoutId, Money,
    order::{OrderEvent, OrderRefV1},
    payment::PaymentEvent,
};
use time::Duration;
use tokio::task::JoinSet;

use crate::harness::{ANSWER_LOST, DECLINED, Till, VISA};

/// The number of random cases.
const CASES: usize = 8;
const CARDS: [&str; 4] = [VISA, VISA, DECLINED, ANSWER_LOST];

/// The end of an order, apart from its payments.
#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    Stays,
    Cancelled,
    Deleted,
    CancelledAndDeleted,
}

#[derive(Clone, Debug)]
struct Case {
    /// The price in cents, the end of the order, and the milliseconds until then.
    orders: Vec<(i64, End, u64)>,
    /// The number of orders that become known while others are paid.
    late: usize,
    /// The order to pay, the card, and the milliseconds until the request.
    payments: Vec<(usize, usize, u64)>,
}

fn cases() -> impl Strategy<Value = Case> {
    let end = prop_oneof![
        3 => Just(End::Stays),
        2 => Just(End::Cancelled),
        1 => Just(End::Deleted),
        1 => Just(End::CancelledAndDeleted),
    ];
    let orders = vec((1_i64..=50_000, end, 0_u64..1500), 2..7);
    let payments = vec((any::<usize>(), 0..CARDS.len(), 0_u64..600), 4..12);
    (orders, 0_usize..2, payments).prop_map(|(orders, late, payments)| Case {
        orders,
        late,
        payments,
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn orders_are_paid_by_their_price_and_no_cent_is_lost() {
    let mut runner = TestRunner::new(Config::default());
    let cases = vec(cases(), CASES).new_tree(&mut runner).unwrap().current();
    eprintln!("{cases:#?}");
    let mut all = JoinSet::new();
    for case in cases {
        all.spawn(async move { play(&case).await });
    }
    while let Some(done) = all.join_next().await {
        done.unwrap();
    }
}

async fn play(case: &Case) {
    let till = Arc::new(Till::open().await);
    let checkout = CheckoutId(till.clock.new_id());
    let known = case.orders.len() - case.late;
    let mut orders = Vec::new();
    for (cents, ..) in &case.orders[..known] {
        orders.push(till.place(checkout, *cents).await);
    }
    let mut all = JoinSet::new();
    for (order, (_, end, pause)) in orders.clone().into_iter().zip(case.orders.clone()) {
        let till = Arc::clone(&till);
        all.spawn(async move {
            tokio::time::sleep(Pause::from_millis(pause)).await;
            come_to_an_end(&till, &order, end).await;
        });
    }
    let equal =
        case.orders[..known].iter().map(|it| it.0).sum::<i64>() / i64::try_from(known).unwrap();
    for (of, card, pause) in case.payments.clone() {
        let (till, order) = (Arc::clone(&till), orders[of % known].clone());
        all.spawn(async move {
            tokio::time::sleep(Pause::from_millis(pause)).await;
            pay_what_is_asked(&till, &order, equal, CARDS[card]).await;
        });
    }
    {
        let till = Arc::clone(&till);
        all.spawn(async move {
            for _ in 0..8 {
                tokio::time::sleep(Pause::from_millis(200)).await;
                till.clock.advance(Duration::seconds(61));
                till.settle().await;
                check_books(&till).await;
            }
        });
    }
    for (cents, end, _) in &case.orders[known..] {
        let order = till.place(checkout, *cents).await;
        come_to_an_end(&till, &order, *end).await;
        orders.push(order);
    }
    while let Some(done) = all.join_next().await {
        done.unwrap();
    }
    come_to_rest(&till).await;

    let live: Vec<_> = (orders.iter().zip(&case.orders))
        .filter(|(_, (_, end, _))| *end == End::Stays)
        .collect();
    let cost: i64 = live.iter().map(|(_, (cents, ..))| cents).sum();
    let held = held(&till).await;
    assert!(held <= cost, "what is above {cost} went back: {held}");
    check_paid(&till, &orders, &live, held >= cost && cost > 0).await;

    // The checkout is paid once every live order has paid its share.
    for (order, _) in &live {
        pay_what_is_asked(&till, order, equal, VISA).await;
    }
    come_to_rest(&till).await;
    assert_eq!(self::held(&till).await, cost);
    check_paid(&till, &orders, &live, cost > 0).await;
    assert_eq!(captured_by_events(&till).await, cost, "the events agree");
}

async fn come_to_an_end(till: &Till, order: &OrderRefV1, end: End) {
    let id = order.order_id.0;
    if matches!(end, End::Cancelled | End::CancelledAndDeleted) {
        till.cancel(order).await;
    }
    if matches!(end, End::Deleted | End::CancelledAndDeleted) {
        till.learn(id, &OrderEvent::Deleted(order.clone())).await;
    }
}

/// Pays an order's current share: first with the initial amount, and after a refusal with the right one.
async fn pay_what_is_asked(till: &Till, order: &OrderRefV1, cents: i64, card: &str) {
    let mut amount = serde_json::json!(Money::from_cents(cents))
        .as_f64()
        .unwrap();
    for _ in 0..6 {
        let answer = till.call(order, amount, card).await;
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

/// Checks that the provider holds at least the money that the service believes to have.
async fn check_books(till: &Till) {
    let (believed, held): (i64, i64) = sqlx::query_as(
        "select coalesce((select sum(amount - to_refund) from payments
                          where status in ('captured', 'refunding', 'refunded')), 0)::bigint,
                coalesce((select sum(amount - given_back) from sandbox_charges where result = 'captured'), 0)::bigint",
    )
    .fetch_one(&till.db.pool)
    .await
    .unwrap();
    assert!(believed <= held, "{believed} of {held}");
}

async fn come_to_rest(till: &Till) {
    for _ in 0..4 {
        till.clock.advance(Duration::minutes(11));
        till.settle().await;
    }
    let open: i64 = sqlx::query_scalar("select count(*) from payments where due_at is not null")
        .fetch_one(&till.db.pool)
        .await
        .unwrap();
    assert_eq!(open, 0, "nothing is under way");
    check_books(till).await;
}

/// The captures less refunds of the provider, in cents. Its table can't refund more than was captured.
async fn held(till: &Till) -> i64 {
    sqlx::query_scalar(
        "select coalesce(sum(amount - given_back), 0)::bigint from sandbox_charges where result = 'captured'",
    )
    .fetch_one(&till.db.pool)
    .await
    .unwrap()
}

async fn check_paid(
    till: &Till,
    orders: &[OrderRefV1],
    live: &[(&OrderRefV1, &(i64, End, u64))],
    is_covered: bool,
) {
    for order in orders {
        let path = format!("/api/v1/payment/invoice/{}", order.order_code);
        let page = till.app.get(&path).token(&till.customer()).await;
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
async fn captured_by_events(till: &Till) -> i64 {
    let mut sum = std::collections::HashMap::new();
    for event in till.events().await {
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
            Some(PaymentEvent::Declined(_)) | None => {}
        }
    }
    Money::from_cents(sum.values().sum()).cents()
}
