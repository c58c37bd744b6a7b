//! A ticket takes a step as a whole, or not at all.

use std::time::Duration;

use serde_json::{Value, json};
use tiffin_events::{Role, UserId};
use tiffin_testkit::Answer;
use tokio::task::JoinSet;

use crate::fixture::{Fixture, registered};

/// A ticket of two dishes.
async fn ticket(fixture: &Fixture) -> Vec<Value> {
    let placed = fixture.checkout(&fixture.cart()).await.expect(201);
    fixture.events().await;
    placed["orders"].as_array().unwrap().clone()
}

async fn step(fixture: &Fixture, order: &Value, body: &Value) -> Answer {
    let path = format!("/api/v1/orders/ticket/{}", order["_id"].as_str().unwrap());
    fixture
        .app
        .put(&path)
        .token(&fixture.owner())
        .json(body)
        .await
}

/// A column of the orders, the one that was placed first in front.
async fn column(fixture: &Fixture, name: &str) -> Vec<Value> {
    let path = "/api/v1/orders?sort=oldest";
    let mut rows = fixture
        .app
        .get(path)
        .token(&fixture.admin())
        .await
        .expect(200);
    let rows = rows.as_array_mut().unwrap();
    rows.sort_by_key(|row| row["_id"].as_str().unwrap().to_owned());
    rows.iter().map(|row| row[name].clone()).collect()
}

async fn other_driver(fixture: &Fixture) -> UserId {
    let driver = UserId(fixture.clock.new_id());
    fixture.deliver_event(driver.0, &registered(driver)).await;
    driver
}

#[tokio::test]
async fn one_call_confirms_all_orders_with_one_driver() {
    let fixture = Fixture::new().await;
    let orders = ticket(&fixture).await;
    let elsewhere = fixture.order().await;
    let body = json!({ "status": "confirmed", "from": "pending", "driverId": fixture.driver });
    let answer = step(&fixture, &orders[1], &body).await.expect(200);
    assert_eq!(answer["message"], "Order status updated to confirmed");
    let moved: Vec<_> = answer["orders"].as_array().unwrap().iter().collect();
    assert_eq!(moved.len(), 2);
    for order in &moved {
        assert_eq!(order["status"], "confirmed");
        assert_eq!(order["assignedDriver"], json!(fixture.driver));
        assert_ne!(order["_id"], elsewhere["_id"]);
    }
    let confirmed = "tiffin.order.confirmed.v1";
    assert_eq!(fixture.events().await, [confirmed, confirmed]);
    assert_eq!(column(&fixture, "status").await[2], "pending");
}

#[tokio::test]
async fn no_order_moves_where_one_of_them_may_not() {
    let fixture = Fixture::new().await;
    let orders = ticket(&fixture).await;
    // The first order has a driver from before, the second has none.
    fixture.confirm(&orders[0]).await.expect(200);
    fixture
        .set_status(&orders[0], &json!({ "status": "pending" }))
        .await
        .expect(200);
    fixture.events().await;
    let refused = step(&fixture, &orders[0], &json!({ "status": "confirmed" })).await;
    assert_eq!(
        refused.problem(422),
        "Please select a driver before confirming."
    );
    assert_eq!(column(&fixture, "status").await, ["pending", "pending"]);
    assert!(fixture.events().await.is_empty());
}

#[tokio::test]
async fn a_repeated_call_has_one_effect() {
    let fixture = Fixture::new().await;
    let orders = ticket(&fixture).await;
    let call = async |status: &str| {
        let path = format!(
            "/api/v1/orders/ticket/{}",
            orders[0]["orderId"].as_str().unwrap()
        );
        let body = json!({ "status": status, "driverId": fixture.driver });
        let call = fixture.app.put(&path).token(&fixture.owner());
        call.header("idempotency-key", "one").json(&body).await
    };
    let first = call("confirmed").await.expect(200);
    step(&fixture, &orders[0], &json!({ "status": "preparing" }))
        .await
        .expect(200);
    let again = call("confirmed").await;
    assert_eq!(again.header("idempotent-replayed").as_deref(), Some("true"));
    assert_eq!(again.expect(200), first);
    assert_eq!(column(&fixture, "status").await, ["preparing", "preparing"]);
    call("pending").await.problem(422);
    assert_eq!(fixture.events().await.len(), 4);
}

#[tokio::test]
async fn a_call_that_is_cut_off_moves_all_or_none() {
    let fixture = Fixture::unlimited().await;
    for wait in [0, 1, 2, 4, 8, 16, 32, 64] {
        let orders = ticket(&fixture).await;
        let path = format!(
            "/api/v1/orders/ticket/{}",
            orders[0]["_id"].as_str().unwrap()
        );
        let body = json!({ "status": "confirmed", "driverId": fixture.driver });
        let call = fixture.app.put(&path).token(&fixture.owner()).json(&body);
        let cut_off = tokio::time::timeout(Duration::from_millis(wait), async { call.await }).await;
        // The next call waits for what is left of the first.
        let same = step(&fixture, &orders[1], &body).await;
        if cut_off.is_ok() {
            same.expect(200);
        }
        let path = format!(
            "/api/v1/orders?checkout={}",
            orders[0]["checkoutId"].as_str().unwrap()
        );
        let seen = fixture.column(&path, &fixture.customer(), "status").await;
        assert!(seen.iter().all(|status| *status == seen[0]), "{seen:?}");
    }
}

#[tokio::test]
async fn an_order_that_is_ahead_stays_there() {
    let fixture = Fixture::new().await;
    let orders = ticket(&fixture).await;
    let confirm = json!({ "status": "confirmed", "driverId": fixture.driver });
    step(&fixture, &orders[0], &confirm).await.expect(200);
    fixture
        .set_status(&orders[0], &json!({ "status": "delivered" }))
        .await
        .expect(200);
    // The page that calls has not seen that yet.
    let body = json!({ "status": "preparing", "from": "confirmed" });
    let answer = step(&fixture, &orders[0], &body).await.expect(200);
    assert_eq!(answer["orders"][0]["_id"], orders[1]["_id"]);
    assert_eq!(column(&fixture, "status").await, ["delivered", "preparing"]);
    let late = step(
        &fixture,
        &orders[0],
        &json!({ "status": "confirmed", "from": "pending" }),
    )
    .await;
    assert_eq!(
        late.problem(409),
        "The orders have another status now. Please look at them again."
    );
}

#[tokio::test]
async fn a_single_order_moves_alone_and_takes_the_ticket_to_its_driver() {
    let fixture = Fixture::new().await;
    let orders = ticket(&fixture).await;
    let confirm = json!({ "status": "confirmed", "driverId": fixture.driver });
    step(&fixture, &orders[0], &confirm).await.expect(200);
    fixture
        .set_status(&orders[1], &json!({ "status": "preparing" }))
        .await
        .expect(200);
    assert_eq!(column(&fixture, "status").await, ["confirmed", "preparing"]);
    fixture.events().await;

    let other = other_driver(&fixture).await;
    let body = json!({ "status": "confirmed", "driverId": other });
    fixture.set_status(&orders[0], &body).await.expect(200);
    assert_eq!(column(&fixture, "status").await, ["confirmed", "preparing"]);
    assert_eq!(
        column(&fixture, "assignedDriver").await,
        [json!(other), json!(other)]
    );
    let confirmed = "tiffin.order.confirmed.v1";
    assert_eq!(
        fixture.events().await,
        [confirmed, confirmed, "tiffin.order.preparing.v1"]
    );
}

#[tokio::test]
async fn an_order_that_has_left_keeps_its_driver() {
    let fixture = Fixture::new().await;
    let orders = ticket(&fixture).await;
    let confirm = json!({ "status": "confirmed", "driverId": fixture.driver });
    step(&fixture, &orders[0], &confirm).await.expect(200);
    fixture
        .set_status(&orders[1], &json!({ "status": "dispatched" }))
        .await
        .expect(200);
    let other = other_driver(&fixture).await;
    let body = json!({ "status": "confirmed", "driverId": other });
    fixture.set_status(&orders[0], &body).await.expect(200);
    assert_eq!(
        column(&fixture, "assignedDriver").await,
        [json!(other), json!(fixture.driver)]
    );
}

#[tokio::test]
async fn of_two_drivers_at_once_one_gets_all() {
    let fixture = Fixture::new().await;
    let orders = ticket(&fixture).await;
    let other = other_driver(&fixture).await;
    let mut calls = JoinSet::new();
    for n in 0..40 {
        let driver = [fixture.driver, other][n % 2];
        let order = orders[n / 2 % 2]["_id"].as_str().unwrap();
        // Half of the calls are for the single order.
        let call = if n % 4 < 2 { "ticket" } else { "status" };
        let body = json!({ "status": "confirmed", "driverId": driver });
        let path = format!("/api/v1/orders/{call}/{order}");
        let call = fixture.app.put(&path).token(&fixture.owner()).json(&body);
        calls.spawn(async { call.await.expect(200) });
    }
    calls.join_all().await;
    assert_eq!(column(&fixture, "status").await, ["confirmed", "confirmed"]);
    let drivers = column(&fixture, "assignedDriver").await;
    assert_eq!(drivers[0], drivers[1]);
}

#[tokio::test]
async fn only_the_owner_and_administrators_move_it() {
    let fixture = Fixture::new().await;
    let orders = ticket(&fixture).await;
    let path = format!(
        "/api/v1/orders/ticket/{}",
        orders[0]["_id"].as_str().unwrap()
    );
    let body = json!({ "status": "preparing" });
    let stranger = fixture.token(UserId(fixture.clock.new_id()), Role::Restaurant);
    for (token, status) in [
        (stranger, 404),
        (fixture.customer(), 403),
        (fixture.token(fixture.driver, Role::Delivery), 403),
    ] {
        fixture
            .app
            .put(&path)
            .token(&token)
            .json(&body)
            .await
            .problem(status);
    }
    fixture
        .app
        .put(&path)
        .token(&fixture.admin())
        .json(&body)
        .await
        .expect(200);
    let cancel = json!({ "status": "cancelled" });
    step(&fixture, &orders[0], &cancel).await.problem(422);
}
