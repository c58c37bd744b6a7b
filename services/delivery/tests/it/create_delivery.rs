use serde_json::{Value, json};
use tiffin_events::{
    Role, UserId,
    order::OrderEvent,
    user::{UserEvent, UserRefV1},
};
use tiffin_testkit::Answer;

use crate::fixture::Fixture;

async fn create(fixture: &Fixture, token: &str, body: &Value) -> Answer {
    fixture
        .app
        .post("/api/v1/delivery")
        .token(token)
        .json(body)
        .await
}

#[tokio::test]
async fn what_the_confirmation_made_is_found() {
    let fixture = Fixture::new().await;
    let order = fixture.placed().await;
    fixture
        .confirmed(&order, fixture.driver, fixture.half_an_hour_from_now())
        .await;
    fixture.events().await;
    for key in [order.order_code.clone(), order.order_id.to_string()] {
        let body = create(&fixture, &fixture.owner(), &json!({ "orderId": key }))
            .await
            .expect(200);
        assert_eq!(body["delivery"]["orderId"], json!(order.order_code));
    }
    assert!(fixture.events().await.is_empty());
}

#[tokio::test]
async fn what_the_confirmation_has_not_made_yet_is_made_and_then_found_by_it() {
    let fixture = Fixture::new().await;
    let order = fixture.placed().await;
    let body = json!({ "orderId": order.order_code, "driverId": fixture.driver });
    let made = create(&fixture, &fixture.owner(), &body).await.expect(201);
    assert_eq!(made["delivery"]["status"], "picked up");
    assert_eq!(
        create(&fixture, &fixture.owner(), &body).await.expect(200)["delivery"],
        made["delivery"]
    );
    fixture
        .confirmed(&order, fixture.driver, fixture.half_an_hour_from_now())
        .await;
    assert_eq!(
        fixture
            .list(&fixture.driver())
            .await
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let events = fixture.events().await;
    assert_eq!(
        events,
        [
            "tiffin.delivery.created.v1",
            "tiffin.delivery.reassigned.v1"
        ],
        "the promise changed"
    );
}

#[tokio::test]
async fn the_same_key_gives_the_same_answer() {
    let fixture = Fixture::new().await;
    let order = fixture.placed().await;
    let body = json!({ "orderId": order.order_code, "driverId": fixture.driver });
    for _ in 0..2 {
        let call = fixture
            .app
            .post("/api/v1/delivery")
            .token(&fixture.owner())
            .header("Idempotency-Key", "one");
        call.json(&body).await.expect(201);
    }
    assert_eq!(fixture.events().await.len(), 1);
    let gone = UserRefV1 {
        user_id: fixture.owner,
        role: Role::Restaurant,
    };
    fixture
        .deliver_event(fixture.owner.0, &UserEvent::Deleted(gone))
        .await;
    let kept = sqlx::query_scalar::<_, i64>("select count(*) from http.idempotency");
    assert_eq!(kept.fetch_one(&fixture.db.pool).await.unwrap(), 0);
}

#[tokio::test]
async fn a_delivery_needs_a_driver_who_may_drive() {
    let fixture = Fixture::new().await;
    let order = fixture.placed().await;
    let blocked = UserRefV1 {
        user_id: fixture.other_driver,
        role: Role::Delivery,
    };
    fixture
        .deliver_event(fixture.other_driver.0, &UserEvent::Blocked(blocked.into()))
        .await;
    for body in [
        json!({ "orderId": order.order_code }),
        json!({ "orderId": order.order_code, "driverId": fixture.customer }),
        json!({ "orderId": order.order_code, "driverId": fixture.other_driver }),
        json!({ "orderId": order.order_code, "driverId": "sunil" }),
    ] {
        let answer = create(&fixture, &fixture.owner(), &body).await;
        assert!(
            answer.body["fields"].get("driverId").is_some(),
            "{body}: {}",
            answer.text
        );
        answer.problem(422);
    }
    assert!(fixture.events().await.is_empty());
}

#[tokio::test]
async fn no_delivery_is_made_of_a_cancelled_order_or_another_owners() {
    let fixture = Fixture::new().await;
    let order = fixture.placed().await;
    let body = json!({ "orderId": order.order_code, "driverId": fixture.driver });
    let other_owner = fixture.token(UserId(fixture.clock.new_id()), Role::Restaurant);
    create(&fixture, &other_owner, &body).await.problem(404);
    for token in [fixture.customer(), fixture.driver()] {
        create(&fixture, &token, &body).await.problem(403);
    }
    create(
        &fixture,
        &fixture.owner(),
        &json!({ "orderId": "ORD-00000000" }),
    )
    .await
    .problem(404);
    fixture
        .deliver_event(
            order.order_id.0,
            &OrderEvent::Cancelled(order.clone().into()),
        )
        .await;
    create(&fixture, &fixture.owner(), &body).await.problem(409);
    assert!(fixture.events().await.is_empty());
}
