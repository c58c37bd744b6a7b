use serde_json::json;
use tiffin_events::{
    Role, UserId,
    user::{UserEvent, UserRefV1},
};
use tiffin_testkit::{drain_outbox, drain_rows};
use tokio::task::JoinSet;

use crate::fixture::{Fixture, registered};

#[tokio::test]
async fn confirming_without_a_driver_changes_nothing() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    let answer = fixture
        .set_status(&order, &json!({ "status": "confirmed" }))
        .await;
    assert_eq!(
        answer.problem(422),
        "Please select a driver before confirming."
    );
    assert_eq!(fixture.only_order().await, order);
    assert!(fixture.events().await.is_empty());
}

#[tokio::test]
async fn confirming_gives_the_order_to_the_driver() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    let body = fixture.confirm(&order).await.expect(200);
    assert_eq!(body["message"], "Order status updated to confirmed");
    assert_eq!(body["order"]["status"], "confirmed");
    assert_eq!(body["order"]["assignedDriver"], json!(fixture.driver));
    assert_eq!(body["order"]["driverName"], "Sunil Perera");
    assert_eq!(body["order"]["driverPhone"], "+94771234567");
    let rows = drain_rows(&fixture.db.pool).await;
    let [entry, event] = rows.as_slice() else {
        panic!("{rows:?}")
    };
    assert_eq!(
        entry.body["users"],
        json!([fixture.customer, fixture.owner, fixture.driver])
    );
    assert_eq!(
        event.audience,
        [fixture.customer, fixture.owner, fixture.driver]
    );
    assert_eq!(event.body["data"]["assignedDriver"], json!(fixture.driver));
    assert_eq!(event.body["data"]["vehicleType"], "Bike");
    assert_eq!(event.body["sequence"], 2);
    let mine = fixture
        .app
        .get("/api/v1/orders")
        .token(&fixture.token(fixture.driver, Role::Delivery))
        .await
        .expect(200);
    assert_eq!(mine[0]["_id"], order["_id"]);
}

#[tokio::test]
async fn a_hundred_confirmations_at_once_make_one_event() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    let path = format!("/api/v1/orders/status/{}", order["_id"].as_str().unwrap());
    let mut clicks = JoinSet::new();
    for _ in 0..100 {
        let body = json!({ "status": "confirmed", "driverId": fixture.driver });
        let call = fixture.app.put(&path).token(&fixture.owner()).json(&body);
        clicks.spawn(async { call.await.expect(200) });
    }
    for answer in clicks.join_all().await {
        assert_eq!(answer["order"]["status"], "confirmed");
    }
    assert_eq!(fixture.events().await, ["tiffin.order.confirmed.v1"]);
}

#[tokio::test]
async fn statuses_go_forward_and_back_and_versions_count_them() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    fixture.confirm(&order).await.expect(200);
    for status in [
        "preparing",
        "dispatched",
        "delivered",
        "pending",
        "confirmed",
        "confirmed",
    ] {
        let body = fixture
            .set_status(&order, &json!({ "status": status }))
            .await
            .expect(200);
        assert_eq!(body["order"]["status"], status);
    }
    let events = drain_outbox(&fixture.db.pool).await;
    let seen: Vec<_> = events
        .iter()
        .map(|event| (event.sequence, event.kind.as_str()))
        .collect();
    assert_eq!(
        seen,
        [
            (2, "tiffin.order.confirmed.v1"),
            (3, "tiffin.order.preparing.v1"),
            (4, "tiffin.order.dispatched.v1"),
            (5, "tiffin.order.delivered.v1"),
            (6, "tiffin.order.reopened.v1"),
            (7, "tiffin.order.confirmed.v1"),
        ]
    );
}

#[tokio::test]
async fn only_a_driver_who_is_not_shut_out_can_be_picked() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    let unknown = UserId(fixture.clock.new_id());
    for (driver, message) in [
        (unknown, "There is no such driver."),
        (fixture.customer, "There is no such driver."),
    ] {
        let answer = fixture
            .set_status(
                &order,
                &json!({ "status": "confirmed", "driverId": driver }),
            )
            .await;
        assert_eq!(answer.problem(422), message);
    }
    let blocked = UserRefV1 {
        user_id: fixture.driver,
        role: Role::Delivery,
    };
    fixture
        .deliver_event(
            fixture.driver.0,
            &UserEvent::Blocked(blocked.clone().into()),
        )
        .await;
    assert_eq!(
        fixture.confirm(&order).await.problem(422),
        "This driver is blocked."
    );
    fixture
        .deliver_event(fixture.driver.0, &UserEvent::Unblocked(blocked))
        .await;
    fixture.confirm(&order).await.expect(200);
    assert_eq!(fixture.events().await, ["tiffin.order.confirmed.v1"]);
}

#[tokio::test]
async fn another_driver_may_take_over() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    fixture.confirm(&order).await.expect(200);
    let other = UserId(fixture.clock.new_id());
    // The driver's account is not known yet; that they drive is.
    fixture.deliver_event(other.0, &registered(other)).await;
    let body = json!({ "status": "confirmed", "driverId": other });
    assert_eq!(fixture.events().await, ["tiffin.order.confirmed.v1"]);
    let answer = fixture.set_status(&order, &body).await.expect(200);
    assert_eq!(answer["order"]["assignedDriver"], json!(other));
    let rows = drain_rows(&fixture.db.pool).await;
    let [audience, event] = rows.as_slice() else {
        panic!("{rows:?}")
    };
    assert_eq!(
        audience.body["users"],
        json!([fixture.customer, fixture.owner, other])
    );
    assert_eq!(event.body["type"], "tiffin.order.confirmed.v1");
    assert_eq!(
        event.audience,
        [fixture.customer, fixture.owner, other, fixture.driver],
        "it is gone from the other driver's list"
    );
    let before = fixture
        .app
        .get("/api/v1/orders")
        .token(&fixture.token(fixture.driver, Role::Delivery))
        .await;
    assert_eq!(before.expect(200), json!([]));
}

#[tokio::test]
async fn another_owners_order_is_not_found() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    let path = format!(
        "/api/v1/orders/status/{}",
        order["orderId"].as_str().unwrap()
    );
    let body = json!({ "status": "preparing" });
    let other_owner = fixture.token(UserId(fixture.clock.new_id()), Role::Restaurant);
    fixture
        .app
        .put(&path)
        .token(&other_owner)
        .json(&body)
        .await
        .problem(404);
    fixture
        .app
        .put("/api/v1/orders/status/ORD-00000000")
        .token(&fixture.owner())
        .json(&body)
        .await
        .problem(404);
    fixture
        .app
        .put("/api/v1/orders/status/none")
        .token(&fixture.admin())
        .json(&body)
        .await
        .problem(404);
    for (user, role) in [
        (fixture.customer, Role::Customer),
        (fixture.driver, Role::Delivery),
    ] {
        fixture
            .app
            .put(&path)
            .token(&fixture.token(user, role))
            .json(&body)
            .await
            .problem(403);
    }
    fixture.app.put(&path).json(&body).await.problem(401);
    assert!(fixture.events().await.is_empty());
    fixture
        .app
        .put(&path)
        .token(&fixture.admin())
        .json(&body)
        .await
        .expect(200);
}

#[tokio::test]
async fn a_status_that_is_none_is_refused_with_the_field() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    for (body, field) in [
        (json!({ "status": "eaten" }), "status"),
        (json!({ "status": "cancelled" }), "status"),
        (json!({ "status": 3 }), "status"),
        (
            json!({ "status": "confirmed", "driverId": "sunil" }),
            "driverId",
        ),
    ] {
        let answer = fixture.set_status(&order, &body).await;
        assert!(
            answer.body["fields"].get(field).is_some(),
            "{body}: {}",
            answer.text
        );
        answer.problem(422);
    }
    assert!(fixture.events().await.is_empty());
}
