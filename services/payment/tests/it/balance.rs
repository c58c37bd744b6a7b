//! The balance of a checkout: its money against the price of its live orders.

use std::sync::{Arc, atomic::Ordering};

use tiffin_events::{CheckoutId, Role, UserId, order::OrderRefV1};
use time::Duration;

use crate::{
    fake_provider::FakeProvider,
    fixture::{ANSWER_LOST, DECLINED, Fixture},
};

/// The invoice of an order as its customer sees it.
async fn invoice(fixture: &Fixture, order: &OrderRefV1) -> String {
    invoice_for(fixture, order, fixture.customer, Role::Customer).await
}

async fn invoice_for(fixture: &Fixture, order: &OrderRefV1, user: UserId, role: Role) -> String {
    let path = format!("/api/v1/payment/invoice/{}", order.order_code);
    let page = fixture
        .app
        .get(&path)
        .token(&fixture.token(user, role))
        .await;
    assert_eq!(page.status, 200);
    page.text
        .split_once("<h2>Payment</h2>")
        .unwrap()
        .1
        .to_owned()
}

async fn is_paid(fixture: &Fixture, order: &OrderRefV1) -> bool {
    invoice(fixture, order).await.contains("Paid: ")
}

/// The provider's captures and refunds, in cents.
async fn captured_and_refunded(fixture: &Fixture) -> (i64, i64) {
    sqlx::query_as(
        "select coalesce(sum(amount) filter (where result = 'captured'), 0)::bigint,
                coalesce(sum(given_back), 0)::bigint
         from sandbox_charges",
    )
    .fetch_one(&fixture.db.pool)
    .await
    .unwrap()
}

#[tokio::test]
async fn the_share_of_a_dear_dish_does_not_pay_it_once_the_cheap_ones_are_cancelled() {
    let fixture = Fixture::new().await;
    // One order costs Rs. 970,200, the other 49 cost Rs. 38,170 together.
    let mut totals = vec![97_020_000, 77_800];
    totals.extend([77_900; 48]);
    let orders = fixture.checkout(&totals).await;
    let (dear, cheap) = orders.split_first().unwrap();
    let answer = fixture.pay(dear, 20_167.4).await.expect(201);
    assert_eq!(answer["payment"]["amount"], 20_167.4);
    assert!(!is_paid(&fixture, dear).await, "49 are to be paid still");
    let again = fixture.pay(dear, 20_167.4).await;
    assert_eq!(again.problem(409), "This order's share is already paid.");

    for order in cheap {
        fixture.cancel(order).await;
    }
    assert_eq!(fixture.settle().await, 0, "the money is needed");
    for (user, role) in [
        (fixture.customer, Role::Customer),
        (fixture.owner, Role::Restaurant),
        (UserId(fixture.clock.new_id()), Role::Admin),
    ] {
        let page = invoice_for(&fixture, dear, user, role).await;
        assert!(
            page.contains("Not paid.") && !page.contains("Paid"),
            "{page}"
        );
        assert!(page.contains("Received: Rs. 20167.40"), "{page}");
        // A restaurant must not learn about orders at other restaurants.
        let due = page.contains("Rs. 950032.60 of its checkout is left to pay.");
        assert_eq!(due, role != Role::Restaurant, "{page}");
    }

    let short = fixture.pay(dear, 20_167.4).await;
    assert_eq!(
        short.body["fields"]["amount"],
        "The amount to pay is Rs. 950032.60."
    );
    short.problem(422);
    fixture.pay(dear, 950_032.6).await.expect(201);
    assert!(is_paid(&fixture, dear).await);
    assert_eq!(captured_and_refunded(&fixture).await, (97_020_000, 0));
    let paid = fixture.pay(dear, 950_032.6).await;
    assert_eq!(paid.problem(409), "This order is already paid.");
}

#[tokio::test]
async fn every_order_is_paid_with_the_last_share() {
    let fixture = Fixture::new().await;
    let orders = fixture.checkout(&[5000, 3000, 2000]).await;
    for order in &orders {
        assert!(!is_paid(&fixture, &orders[0]).await);
        fixture.pay(order, 33.33).await.expect(201);
    }
    for order in &orders {
        assert!(is_paid(&fixture, order).await);
    }
}

#[tokio::test]
async fn a_cancel_gives_back_what_the_others_do_not_cost_of_several_payments() {
    let fixture = Fixture::new().await;
    let orders = fixture.checkout(&[3000, 3000, 6000]).await;
    for order in &orders {
        fixture.pay(order, 40.0).await.expect(201);
    }
    fixture.events().await;
    fixture.cancel(&orders[2]).await;
    assert_eq!(
        fixture.settle().await,
        2,
        "its own, and of another the rest"
    );
    assert_eq!(captured_and_refunded(&fixture).await, (12_000, 6000));
    let events = fixture.events().await;
    let seen = |event: &tiffin_events::Envelope| {
        assert_eq!(event.kind, "tiffin.payment.refunded.v1");
        (
            event.data["orderId"].clone(),
            event.data["amount"].clone(),
            event.data["refunded"].clone(),
        )
    };
    let mut seen: Vec<_> = events
        .iter()
        .map(seen)
        .map(|it| format!("{it:?}"))
        .collect();
    seen.sort();
    let mut expected = [(&orders[2], 40), (&orders[1], 20)]
        .map(|(order, back)| {
            let id = serde_json::json!(order.order_id);
            format!("{:?}", (id, serde_json::json!(40), serde_json::json!(back)))
        })
        .to_vec();
    expected.sort();
    assert_eq!(seen, expected);
    let payments = fixture.payments().await;
    let seen: Vec<_> = payments
        .iter()
        .map(|it| (it["status"].as_str().unwrap(), it["refunded"].as_i64()))
        .collect();
    assert_eq!(
        seen,
        [
            ("refunded", Some(40)),
            ("captured", Some(20)),
            ("captured", Some(0))
        ]
    );
    assert!(
        payments
            .iter()
            .all(|it| it["checkoutId"] == serde_json::json!(orders[0].checkout_id))
    );
    // The rest of that order's payment is refunded, and no cent of the money that the last order needs.
    fixture.cancel(&orders[1]).await;
    fixture.settle().await;
    assert_eq!(captured_and_refunded(&fixture).await, (12_000, 9000));
    assert!(is_paid(&fixture, &orders[0]).await);
    fixture.cancel(&orders[0]).await;
    fixture.settle().await;
    assert_eq!(captured_and_refunded(&fixture).await, (12_000, 12_000));
    assert!(!is_paid(&fixture, &orders[0]).await);
}

#[tokio::test]
async fn an_order_whose_event_comes_late_is_due_and_nothing_is_paid_until_then() {
    let fixture = Fixture::new().await;
    let checkout = CheckoutId(fixture.clock.new_id());
    let first = fixture.place(checkout, 10_000).await;
    fixture.pay(&first, 100.0).await.expect(201);
    assert!(is_paid(&fixture, &first).await);
    let late = fixture.place(checkout, 5000).await;
    assert!(!is_paid(&fixture, &first).await);
    fixture.pay(&late, 50.0).await.expect(201);
    assert!(is_paid(&fixture, &first).await && is_paid(&fixture, &late).await);
    // The other order is still live, and its money stays.
    fixture.cancel(&first).await;
    fixture.settle().await;
    assert_eq!(captured_and_refunded(&fixture).await, (15_000, 10_000));
    assert!(is_paid(&fixture, &late).await);
}

#[tokio::test]
async fn money_that_turns_up_after_a_cancel_is_kept_as_far_as_it_is_needed() {
    let fixture = Fixture::new().await;
    let orders = fixture.checkout(&[10_000, 1000]).await;
    fixture
        .call(&orders[0], 55.0, ANSWER_LOST)
        .await
        .expect(202);
    fixture.cancel(&orders[0]).await;
    // The payment under way may cover the order, so nothing more is taken meanwhile.
    let waits = fixture.pay(&orders[1], 10.0).await;
    assert_eq!(waits.problem(409), "A payment of this order is under way.");
    fixture.clock.advance(Duration::seconds(61));
    assert_eq!(
        fixture.settle().await,
        2,
        "found to be taken, then the rest given back"
    );
    assert_eq!(captured_and_refunded(&fixture).await, (5500, 4500));
    assert!(is_paid(&fixture, &orders[1]).await);
    let refunded = fixture.events().await.pop().unwrap();
    assert_eq!(
        refunded.actor,
        fixture.owner.to_string(),
        "who cancelled the order"
    );
}

#[tokio::test]
async fn a_refusal_leaves_the_balance_and_the_share_as_they_were() {
    let fixture = Fixture::new().await;
    let orders = fixture.checkout(&[9000, 1000, 2000]).await;
    fixture.pay(&orders[0], 40.0).await.expect(201);
    fixture.cancel(&orders[1]).await;
    for _ in 0..2 {
        fixture.call(&orders[2], 70.0, DECLINED).await.problem(402);
    }
    assert!(!is_paid(&fixture, &orders[0]).await);
    fixture.pay(&orders[2], 70.0).await.expect(201);
    assert!(is_paid(&fixture, &orders[0]).await && is_paid(&fixture, &orders[2]).await);
    assert_eq!(captured_and_refunded(&fixture).await, (11_000, 0));
}

#[tokio::test]
async fn what_is_called_back_while_the_provider_gives_back_is_not_lost() {
    let provider = Arc::new(FakeProvider::new(10));
    let fixture = Fixture::with(|state| state.with_provider(provider.clone())).await;
    let orders = fixture.checkout(&[10_000, 10_000, 10_000]).await;
    for order in &orders {
        fixture.pay(order, 100.0).await.expect(201);
    }
    provider.is_away.store(true, Ordering::SeqCst);
    fixture.cancel(&orders[0]).await;
    assert_eq!(fixture.settle().await, 0);
    fixture.cancel(&orders[1]).await;
    provider.is_away.store(false, Ordering::SeqCst);
    fixture.clock.advance(Duration::minutes(1));
    assert_eq!(fixture.settle().await, 2);
    assert_eq!(provider.refunded_cents(), 20_000);
    assert!(is_paid(&fixture, &orders[2]).await);
}

#[tokio::test]
async fn ten_who_settle_the_rest_at_once_pay_it_once() {
    let fixture = Fixture::new().await;
    let orders = fixture.checkout(&[100_000, 1000]).await;
    fixture.pay(&orders[0], 505.0).await.expect(201);
    fixture.cancel(&orders[1]).await;
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..10 {
        let call = fixture.call(&orders[0], 495.0, crate::fixture::VISA);
        calls.spawn(async { call.await.status.as_u16() });
    }
    let mut statuses = calls.join_all().await;
    statuses.sort_unstable();
    assert_eq!(statuses[..2], [201, 409]);
    assert_eq!(captured_and_refunded(&fixture).await, (100_000, 0));
}
