use serde_json::{Value, json};
use tiffin_events::{Role, UserId};
use tiffin_testkit::token;

use crate::fixture::{CUSTOMER, DRIVER, Fixture, OWNER, event};

const PATH: &str = "/api/v1/notification";

/// The request of the specification's client.
fn body(order: &str) -> Value {
    json!({
        "orderId": order, "driverName": "Ruwan", "status": "picked up", "customerEmail": "kamala@tiffin.local",
        "address": "12 Galle Road", "phone": "0771234567", "lat": 0, "lng": 0, "itemName": "Chicken kottu", "qty": 2,
        "totalPrice": 2501, "timestamp": "2026-11-21T09:05:00Z",
    })
}

fn owner(fixture: &Fixture) -> String {
    token(&fixture.clock, OWNER, Role::Restaurant).sign()
}

#[tokio::test]
async fn the_notification_of_an_event_is_found() {
    let fixture = Fixture::with_accounts().await;
    fixture.deliver(&event("tiffin.order.placed.v1", 1)).await;
    fixture
        .deliver(&event("tiffin.order.confirmed.v1", 2))
        .await;
    fixture.events().await;
    for order in ["ORD-7K3M9QX2", "01930000-0000-7000-8000-000000000030"] {
        let answer = fixture
            .app
            .post(PATH)
            .token(&owner(&fixture))
            .json(&body(order))
            .await
            .expect(200);
        assert_eq!(answer["notification"]["topic"], "order_confirmed");
    }
    assert!(fixture.events().await.is_empty());
    assert_eq!(fixture.list(CUSTOMER).await.len(), 1);
}

#[tokio::test]
async fn what_comes_before_its_event_is_made_and_then_found_by_it() {
    let fixture = Fixture::with_accounts().await;
    fixture.deliver(&event("tiffin.order.placed.v1", 1)).await;
    let call = || {
        fixture
            .app
            .post(PATH)
            .token(&owner(&fixture))
            .json(&body("ORD-7K3M9QX2"))
    };
    let (one, two) = tokio::join!(async { call().await }, async { call().await });
    let mut statuses = [one.status.as_u16(), two.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 201]);
    assert_eq!(fixture.event_names().await, ["created", "created"]);
    fixture
        .deliver(&event("tiffin.order.confirmed.v1", 2))
        .await;
    assert!(fixture.events().await.is_empty());
    assert_eq!(fixture.topics(CUSTOMER).await, ["order_confirmed"]);
    assert_eq!(fixture.mails().await.len(), 2);
}

#[tokio::test]
async fn the_same_key_gives_the_same_answer() {
    let fixture = Fixture::with_accounts().await;
    fixture.deliver(&event("tiffin.order.placed.v1", 1)).await;
    let call = |body: Value| {
        let call = fixture.app.post(PATH).token(&owner(&fixture));
        call.header("Idempotency-Key", "one").json(&body)
    };
    let first = call(body("ORD-7K3M9QX2")).await.expect(201);
    assert_eq!(call(body("ORD-7K3M9QX2")).await.expect(201), first);
    let mut other = body("ORD-7K3M9QX2");
    other["status"] = json!("delivered");
    call(other).await.problem(422);
}

#[tokio::test]
async fn the_kept_answers_go_with_the_account() {
    let fixture = Fixture::with_accounts().await;
    fixture.deliver(&event("tiffin.order.placed.v1", 1)).await;
    let call = fixture.app.post(PATH).token(&owner(&fixture));
    let call = call.header("Idempotency-Key", "one");
    call.json(&body("ORD-7K3M9QX2")).await.expect(201);
    let kept = async || -> i64 {
        sqlx::query_scalar("select count(*) from http.idempotency")
            .fetch_one(&fixture.db.pool)
            .await
            .unwrap()
    };
    assert_eq!(kept().await, 1);
    fixture.user_event("deleted", OWNER, 2).await;
    assert_eq!(kept().await, 0);
}

#[tokio::test]
async fn only_the_orders_owner_and_administrators() {
    let fixture = Fixture::with_accounts().await;
    fixture.deliver(&event("tiffin.order.placed.v1", 1)).await;
    let other = token(
        &fixture.clock,
        UserId(fixture.clock.new_id()),
        Role::Restaurant,
    )
    .sign();
    let customer = token(&fixture.clock, CUSTOMER, Role::Customer).sign();
    let driver = token(&fixture.clock, DRIVER, Role::Delivery).sign();
    let admin = token(&fixture.clock, UserId(fixture.clock.new_id()), Role::Admin).sign();
    let call = |token: &str, body: Value| fixture.app.post(PATH).token(token).json(&body);
    call(&other, body("ORD-7K3M9QX2")).await.problem(404);
    call(&customer, body("ORD-7K3M9QX2")).await.problem(403);
    call(&driver, body("ORD-7K3M9QX2")).await.problem(403);
    call(&admin, body("ORD-UNKNOWN1")).await.problem(404);
    call(
        &admin,
        json!({ "orderId": "ORD-7K3M9QX2", "status": "eaten" }),
    )
    .await
    .problem(422);
    call(&admin, json!({})).await.problem(422);
    fixture
        .app
        .post(PATH)
        .json(&body("ORD-7K3M9QX2"))
        .await
        .problem(401);
    call(&admin, body("ORD-7K3M9QX2")).await.expect(201);
}
