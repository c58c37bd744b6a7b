//! Refunds by owners and administrators.

use std::sync::{Arc, atomic::Ordering};

use serde_json::{Value, json};
use tiffin_events::{Role, UserId, order::OrderRefV1};
use tiffin_testkit::Call;
use time::Duration;
use tokio::task::JoinSet;

use crate::{fake_provider::FakeProvider, fixture::Fixture};

impl Fixture {
    fn refund(&self, order: &OrderRefV1, token: &str, body: &Value) -> Call {
        let path = format!("/api/v1/payment/refunds/{}", order.order_code);
        self.app.post(&path).token(token).json(body)
    }

    fn owner(&self) -> String {
        self.token(self.owner, Role::Restaurant)
    }

    fn admin(&self) -> String {
        self.token(UserId(self.clock.new_id()), Role::Admin)
    }

    async fn refunds(&self, order: &OrderRefV1, token: &str) -> Value {
        let path = format!("/api/v1/payment/refunds/{}", order.order_id);
        self.app.get(&path).token(token).await.expect(200)
    }

    async fn paid(&self, cents: i64) -> OrderRefV1 {
        let order = self.checkout(&[cents]).await.remove(0);
        let rupees = json!(tiffin_events::Money::from_cents(cents)).as_f64();
        self.pay(&order, rupees.unwrap()).await.expect(201);
        self.events().await;
        order
    }
}

async fn given_back(fixture: &Fixture) -> i64 {
    sqlx::query_scalar("select coalesce(sum(given_back), 0)::bigint from sandbox_charges")
        .fetch_one(&fixture.db.pool)
        .await
        .unwrap()
}

#[tokio::test]
async fn an_owner_refunds_a_part_and_the_order_stays_paid() {
    let fixture = Fixture::new().await;
    let order = fixture.paid(125_050).await;
    let body = json!({ "amount": 300, "reason": "missing_item", "note": " No sambol. Sorry! " });
    let answer = fixture
        .refund(&order, &fixture.owner(), &body)
        .await
        .expect(201);
    assert_eq!(answer["message"], "Rs. 300.00 is refunded");
    let refund = &answer["refunds"]["refunds"][0];
    assert_eq!(refund["amount"], 300);
    assert_eq!(
        (
            &refund["state"],
            &refund["reason"],
            &refund["note"],
            &refund["by"]
        ),
        (
            &json!("under_way"),
            &json!("missing_item"),
            &json!("No sambol. Sorry!"),
            &json!("restaurant")
        )
    );
    assert_eq!(
        answer["refunds"]["refundable"], 325.25,
        "half of the price, less 300"
    );

    let events = fixture.events().await;
    let [issued] = events.as_slice() else {
        panic!("{events:?}")
    };
    assert_eq!(issued.kind, "tiffin.payment.refund_issued.v1");
    assert_eq!(issued.actor, fixture.owner.to_string());
    assert_eq!(
        (&issued.data["refundAmount"], &issued.data["parts"]),
        (&json!(300), &json!(1))
    );
    assert_eq!(fixture.settle().await, 1);
    assert_eq!(fixture.event_names().await, ["refunded"]);
    assert_eq!(given_back(&fixture).await, 30_000);

    // The customer does not pay again, and everyone concerned reads it.
    fixture.pay(&order, 300.0).await.problem(409);
    for token in [fixture.customer(), fixture.owner(), fixture.admin()] {
        let seen = fixture.refunds(&order, &token).await;
        assert_eq!(seen["refunds"][0]["state"], "refunded");
        assert_eq!(
            (&seen["totalAmount"], &seen["refunded"]),
            (&json!(1250.5), &json!(300))
        );
    }
    assert_eq!(
        fixture.refunds(&order, &fixture.customer()).await["refundable"],
        0
    );
    let invoice = format!("/api/v1/payment/invoice/{}", order.order_code);
    let invoice = fixture
        .app
        .get(&invoice)
        .token(&fixture.customer())
        .await
        .text;
    for text in [
        "Paid: Rs. 1250.50",
        "Refund: Rs. 300.00, missing item",
        "Price after refunds: Rs. 950.50",
    ] {
        assert!(invoice.contains(text), "{text}: {invoice}");
    }

    // A cancellation gives back the rest alone.
    fixture.cancel(&order).await;
    assert_eq!(fixture.settle().await, 1);
    assert_eq!(given_back(&fixture).await, 125_050);
    let refused = fixture
        .refund(&order, &fixture.admin(), &json!({ "reason": "late" }))
        .await;
    assert_eq!(refused.body["code"], "payment.refund-cancelled");
}

#[tokio::test]
async fn limits_hold_for_owners_and_the_price_for_administrators() {
    let fixture = Fixture::new().await;
    let order = fixture.paid(100_000).await;
    let code = async |token: String, body: Value| {
        let answer = fixture.refund(&order, &token, &body).await;
        (
            answer.status.as_u16(),
            answer.body["code"].as_str().unwrap_or_default().to_owned(),
        )
    };
    let late = |amount: f64| json!({ "amount": amount, "reason": "late" });
    let refused = |status, code: &str| (status, code.to_owned());
    assert_eq!(
        code(fixture.owner(), late(500.01)).await,
        refused(422, "payment.refund-above-share")
    );
    assert_eq!(
        code(fixture.owner(), json!({ "reason": "late" })).await,
        refused(422, "payment.refund-above-share")
    );
    assert_eq!(
        code(fixture.owner(), late(0.0)).await,
        refused(422, "payment.refund-nothing")
    );
    assert_eq!(
        code(fixture.admin(), late(-1.0)).await,
        refused(422, "payment.refund-nothing")
    );
    assert_eq!(
        code(fixture.admin(), late(1000.01)).await,
        refused(422, "payment.refund-too-much")
    );
    let long = json!({ "reason": "late", "note": "x".repeat(201) });
    assert_eq!(
        code(fixture.admin(), long).await,
        refused(422, "payment.note-too-long")
    );
    fixture.clock.advance(Duration::hours(25));
    assert_eq!(
        code(fixture.owner(), late(1.0)).await,
        refused(409, "payment.refund-too-late")
    );
    // An administrator refunds all that is left, once.
    assert_eq!(
        code(fixture.admin(), json!({ "reason": "late" })).await.0,
        201
    );
    assert_eq!(
        code(fixture.admin(), json!({ "reason": "late" })).await,
        refused(422, "payment.refund-nothing")
    );
    fixture.settle().await;
    assert_eq!(given_back(&fixture).await, 100_000);
    assert_eq!(fixture.payments().await[0]["status"], "refunded");
    fixture.pay(&order, 1000.0).await.problem(409);
}

#[tokio::test]
async fn others_may_not_refund_and_an_unpaid_order_has_nothing_to_refund() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    let body = json!({ "amount": 1, "reason": "other" });
    let refused = fixture.refund(&order, &fixture.admin(), &body).await;
    assert_eq!(refused.body["code"], "payment.refund-not-paid");
    for role in [Role::Customer, Role::Delivery, Role::Operator] {
        let token = fixture.token(fixture.customer, role);
        fixture.refund(&order, &token, &body).await.problem(403);
    }
    let stranger = UserId(fixture.clock.new_id());
    let other = fixture.token(stranger, Role::Restaurant);
    fixture.refund(&order, &other, &body).await.problem(404);
    let path = format!("/api/v1/payment/refunds/{}", order.order_code);
    for role in [Role::Restaurant, Role::Customer] {
        let token = fixture.token(stranger, role);
        fixture.app.get(&path).token(&token).await.problem(404);
    }
    fixture.app.get(&path).await.problem(401);
    let token = fixture.token(stranger, Role::Delivery);
    fixture.app.get(&path).token(&token).await.problem(403);
    let unknown = json!({ "amount": 1, "reason": "because" });
    fixture
        .refund(&order, &fixture.admin(), &unknown)
        .await
        .problem(422);
}

#[tokio::test]
async fn a_repeated_request_refunds_once() {
    let fixture = Fixture::new().await;
    let order = fixture.paid(100_000).await;
    let token = fixture.admin();
    let body = json!({ "amount": 100, "reason": "late" });
    let mut calls = JoinSet::new();
    for _ in 0..8 {
        let call = fixture
            .refund(&order, &token, &body)
            .header("idempotency-key", "one");
        calls.spawn(async { call.await.status.as_u16() });
    }
    assert_eq!(calls.join_all().await, [201; 8]);
    let other = json!({ "amount": 200, "reason": "late" });
    let reused = fixture
        .refund(&order, &token, &other)
        .header("idempotency-key", "one")
        .await;
    assert_eq!(reused.body["code"], "request.key-reused");
    fixture.settle().await;
    assert_eq!(given_back(&fixture).await, 10_000);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixty_refunds_against_cancellations_give_back_what_was_taken_and_no_more() {
    let fixture = Fixture::new().await;
    let orders = fixture.checkout(&[50_000, 30_000, 20_000]).await;
    for (order, share) in orders.iter().zip([333.33, 333.33, 333.34]) {
        fixture.pay(order, share).await.expect(201);
    }
    let (owner, admin) = (fixture.owner(), fixture.admin());
    let mut calls = JoinSet::new();
    for n in 0..60_usize {
        let order = orders[n % 3].clone();
        let by_owner = n % 2 == 0;
        let token = if by_owner { &owner } else { &admin };
        let call = fixture.refund(&order, token, &json!({ "amount": 17, "reason": "late" }));
        calls.spawn(async move {
            let answer = call.await;
            let status = answer.status.as_u16();
            assert!(
                [201, 409, 422].contains(&status),
                "{status}: {}",
                answer.text
            );
            (n % 3, status == 201)
        });
    }
    // Two of the three are cancelled meanwhile.
    for order in &orders[..2] {
        tokio::task::yield_now().await;
        fixture.cancel(order).await;
    }
    let taken = calls.join_all().await;
    let of_third = taken
        .iter()
        .filter(|(order, taken)| *order == 2 && *taken)
        .count();
    for _ in 0..4 {
        fixture.clock.advance(Duration::minutes(11));
        fixture.settle().await;
    }
    // The third keeps its price less its own refunds; the others have gone back to the cent.
    let left = 20_000 - 1700 * i64::try_from(of_third).unwrap();
    assert!(of_third > 0 && left >= 0, "{of_third}");
    assert_eq!(given_back(&fixture).await, 100_000 - left);
    let (amounts, moved): (i64, i64) =
        sqlx::query_as("select sum(amount)::bigint, sum(refunded)::bigint from payments")
            .fetch_one(&fixture.db.pool)
            .await
            .unwrap();
    assert_eq!((amounts, moved), (100_000, 100_000 - left));
    let seen = fixture.refunds(&orders[2], &fixture.customer()).await;
    assert_eq!(seen["refunds"].as_array().unwrap().len(), of_third);
    fixture.pay(&orders[2], 1.0).await.problem(409);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restaurants_limit_of_the_day_holds_for_all_its_orders_at_once() {
    let fixture = Fixture::new().await;
    let mut orders = Vec::new();
    for _ in 0..4 {
        orders.push(fixture.paid(3_000_000).await);
    }
    let mut calls = JoinSet::new();
    for order in &orders {
        for _ in 0..2 {
            let body = json!({ "amount": 7000, "reason": "not_delivered" });
            let call = fixture.refund(order, &fixture.owner(), &body);
            calls.spawn(async { call.await.status.as_u16() });
        }
    }
    let mut statuses = calls.join_all().await;
    statuses.sort_unstable();
    assert_eq!(statuses[..3], [201, 201, 422], "20,000 a day");
    let seen = fixture.refunds(&orders[0], &fixture.owner()).await;
    assert_eq!(seen["refundable"], 6000);
    fixture.clock.advance(Duration::hours(23));
    let body = json!({ "amount": 6000.5, "reason": "not_delivered" });
    let refused = fixture.refund(&orders[0], &fixture.owner(), &body).await;
    assert_eq!(refused.body["code"], "payment.refund-above-day");
}

#[tokio::test]
async fn a_refund_that_the_provider_does_not_make_is_tried_again_and_shown() {
    let provider = Arc::new(FakeProvider::new(1));
    let fixture = Fixture::with(|state| state.with_provider(provider.clone())).await;
    let order = fixture.paid(100_000).await;
    provider.is_away.store(true, Ordering::SeqCst);
    let body = json!({ "amount": 100, "reason": "wrong_item" });
    fixture
        .refund(&order, &fixture.admin(), &body)
        .await
        .expect(201);
    let delayed = async || -> Vec<Value> {
        let list = fixture.app.get("/api/v1/payment?refund=delayed");
        list.token(&fixture.admin()).await.expect_as(200)
    };
    for tries in 1..=6 {
        assert!(delayed().await.is_empty(), "after {tries} tries");
        assert_eq!(fixture.settle().await, 0);
        fixture.clock.advance(Duration::minutes(11));
    }
    let [payment] = delayed().await.try_into().unwrap();
    assert_eq!(
        (&payment["status"], &payment["isRefundDelayed"]),
        (&json!("refunding"), &json!(true))
    );
    let seen = fixture.refunds(&order, &fixture.customer()).await;
    assert_eq!(seen["refunds"][0]["state"], "delayed");
    provider.is_away.store(false, Ordering::SeqCst);
    assert_eq!(fixture.settle().await, 1);
    assert!(delayed().await.is_empty());
    let seen = fixture.refunds(&order, &fixture.customer()).await;
    assert_eq!(seen["refunds"][0]["state"], "refunded");
    assert_eq!(provider.refunded_cents(), 10_000);
}

#[tokio::test]
async fn refunds_are_counted_for_each_account() {
    let fixture = Fixture::new().await;
    let order = fixture.paid(100_000).await;
    fixture.exhaust_limit("refunds", fixture.owner).await;
    let body = json!({ "amount": 1, "reason": "late" });
    fixture
        .refund(&order, &fixture.owner(), &body)
        .await
        .problem(429);
}

#[tokio::test]
async fn a_closed_account_takes_its_notes_with_it() {
    let fixture = Fixture::new().await;
    let order = fixture.paid(100_000).await;
    let body = json!({ "amount": 1, "reason": "other", "note": "You said it was cold." });
    fixture
        .refund(&order, &fixture.owner(), &body)
        .await
        .expect(201);
    let gone = tiffin_events::user::UserEvent::Deleted(tiffin_events::user::UserRefV1 {
        user_id: fixture.customer,
        role: Role::Customer,
    });
    fixture.deliver_event(fixture.customer.0, &gone).await;
    let seen = fixture.refunds(&order, &fixture.owner()).await;
    assert_eq!(seen["refunds"][0]["note"], Value::Null);
    // A later one keeps none.
    fixture
        .refund(&order, &fixture.owner(), &body)
        .await
        .expect(201);
    let seen = fixture.refunds(&order, &fixture.owner()).await;
    assert_eq!(seen["refunds"][1]["note"], Value::Null);
}
