//! The limits of an account's orders, and of its unpaid ones.

use futures_util::future::try_join_all;
use serde_json::{Value, json};
use tiffin_events::{ItemId, PaymentId, Role, UserId, item::ItemEvent, payment::PaymentEvent};
use tokio::task::JoinSet;

use crate::fixture::Fixture;

/// A cart of 50 dishes, which become as many orders.
async fn largest_cart(fixture: &Fixture) -> Value {
    let mut lines = Vec::new();
    for nth in 0..50 {
        let id = ItemId(fixture.clock.new_id());
        let dish = fixture.dish(id, &format!("Dish {nth}"), 10_000);
        fixture.deliver_event(id.0, &ItemEvent::Added(dish)).await;
        lines.push(json!({ "key": id, "qty": 1 }));
    }
    json!({ "orderItem": lines, "address": "x".repeat(500) })
}

#[tokio::test]
async fn a_flood_of_whole_carts_ends_at_a_hundred_unpaid_orders() {
    let fixture = Fixture::new().await;
    let cart = largest_cart(&fixture).await;
    let mut accepted = Vec::new();
    for _ in 0..20 {
        let answer = fixture.checkout(&cart).await;
        if answer.status == 201 {
            accepted.push(answer.expect(201)["orders"].clone());
            continue;
        }
        assert_eq!(
            answer.problem(409),
            "Too many of your orders are not paid yet. Please pay or cancel some of them first."
        );
    }
    assert_eq!(accepted.len(), 2);
    // Another customer is as free as before, and so is this one who pays or cancels.
    let other = fixture.token(UserId(fixture.clock.new_id()), Role::Customer);
    let call = fixture.app.post("/api/v1/orders").token(&other).json(&cart);
    call.await.expect(201);
    let order = &accepted[0][0];
    let payment = PaymentId(fixture.clock.new_id());
    fixture
        .payment(payment, order, PaymentEvent::Captured)
        .await;
    let path = format!(
        "/api/v1/orders/cancel/{}",
        accepted[0][1]["orderId"].as_str().unwrap()
    );
    let call = fixture.app.post(&path).token(&fixture.customer());
    call.await.expect(200);
    fixture.checkout(&fixture.cart()).await.expect(201);
    fixture.checkout(&fixture.cart()).await.problem(409);
}

#[tokio::test]
async fn carts_sent_at_once_pass_the_bound_of_unpaid_orders_no_better() {
    let fixture = Fixture::new().await;
    let cart = largest_cart(&fixture).await;
    // Opened before, so that no request waits for a connection while another one is answered.
    let connections = try_join_all((0..6).map(|_| fixture.db.pool.acquire())).await;
    drop(connections.unwrap());
    let mut tries = JoinSet::new();
    for _ in 0..6 {
        let call = fixture
            .app
            .post("/api/v1/orders")
            .token(&fixture.customer());
        let call = call.json(&cart);
        tries.spawn(async move { call.await.status.as_u16() });
    }
    let mut answers = tries.join_all().await;
    answers.sort_unstable();
    assert_eq!(answers, [201, 201, 409, 409, 409, 409]);
}

#[tokio::test]
async fn an_account_orders_sixty_times_an_hour_and_what_was_answered_is_answered_again() {
    let fixture = Fixture::new().await;
    let cart = json!({ "orderItem": [{ "key": fixture.kottu, "qty": 1 }] });
    let order = |key: String| {
        let call = fixture
            .app
            .post("/api/v1/orders")
            .token(&fixture.customer());
        call.header("idempotency-key", &key).json(&cart)
    };
    for nth in 0..60 {
        order(nth.to_string()).await.expect(201);
    }
    let refused = order("60".to_owned()).await;
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=3600).contains(&wait), "{wait}");
    refused.problem(429);
    for nth in 0..60 {
        let again = order(nth.to_string()).await;
        assert_eq!(again.header("idempotent-replayed").as_deref(), Some("true"));
        again.expect(201);
    }
    order("60".to_owned()).await.problem(429);
}

#[tokio::test]
async fn every_step_of_an_order_is_counted() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    fixture.confirm(&order).await.expect(200);
    let code = order["orderId"].as_str().unwrap();
    let owner = fixture.owner();
    fixture.exhaust_limit("changes", fixture.owner).await;
    fixture.exhaust_limit("changes", fixture.admin).await;
    fixture.confirm(&order).await.problem(429);
    let path = |what: &str| format!("/api/v1/orders/{what}/{code}");
    let ticket = fixture.app.put(&path("ticket")).token(&owner);
    let ticket = ticket.json(&json!({ "status": "preparing" }));
    ticket.await.problem(429);
    let cancel = fixture.app.post(&path("cancel")).token(&owner);
    let refused = cancel.await;
    assert!(refused.header("retry-after").is_some());
    refused.problem(429);
    let delete = fixture.app.delete(&path("delete")).token(&owner);
    delete.await.problem(429);
    let approve = fixture.app.put(&path("isApprove")).token(&fixture.admin());
    approve.await.problem(429);
    // Reading goes on.
    fixture
        .app
        .get("/api/v1/orders")
        .token(&owner)
        .await
        .expect(200);
}
