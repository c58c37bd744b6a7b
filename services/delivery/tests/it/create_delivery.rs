use serde_json::{Value, json};
use tiffin_events::{
    Role, UserId,
    order::OrderEvent,
    user::{UserEvent, UserRefV1},
};
use tiffin_testkit::Answer;

use crate::harness::Town;

async fn create(town: &Town, token: &str, body: &Value) -> Answer {
    town.app
        .post("/api/v1/delivery")
        .token(token)
        .json(body)
        .await
}

#[tokio::test]
async fn what_the_confirmation_made_is_found() {
    let town = Town::awake().await;
    let order = town.placed().await;
    town.confirmed(&order, town.driver, town.in_half_an_hour())
        .await;
    town.events().await;
    for key in [order.order_code.clone(), order.order_id.to_string()] {
        let body = create(&town, &town.owner(), &json!({ "orderId": key }))
            .await
            .expect(200);
        assert_eq!(body["delivery"]["orderId"], json!(order.order_code));
    }
    assert!(town.events().await.is_empty());
}

#[tokio::test]
async fn what_the_confirmation_has_not_made_yet_is_made_and_then_found_by_it() {
    let town = Town::awake().await;
    let order = town.placed().await;
    let body = json!({ "orderId": order.order_code, "driverId": town.driver });
    let made = create(&town, &town.owner(), &body).await.expect(201);
    assert_eq!(made["delivery"]["status"], "picked up");
    assert_eq!(
        create(&town, &town.owner(), &body).await.expect(200)["delivery"],
        made["delivery"]
    );
    town.confirmed(&order, town.driver, town.in_half_an_hour())
        .await;
    assert_eq!(town.list(&town.driver()).await.as_array().unwrap().len(), 1);
    let events = town.events().await;
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
    let town = Town::awake().await;
    let order = town.placed().await;
    let body = json!({ "orderId": order.order_code, "driverId": town.driver });
    for _ in 0..2 {
        let call = town
            .app
            .post("/api/v1/delivery")
            .token(&town.owner())
            .header("Idempotency-Key", "one");
        call.json(&body).await.expect(201);
    }
    assert_eq!(town.events().await.len(), 1);
    let gone = UserRefV1 {
        user_id: town.owner,
        role: Role::Restaurant,
    };
    town.learn(town.owner.0, &UserEvent::Deleted(gone)).await;
    let kept = sqlx::query_scalar::<_, i64>("select count(*) from http.idempotency");
    assert_eq!(kept.fetch_one(&town.db.pool).await.unwrap(), 0);
}

#[tokio::test]
async fn a_delivery_needs_a_driver_who_may_drive() {
    let town = Town::awake().await;
    let order = town.placed().await;
    let blocked = UserRefV1 {
        user_id: town.other_driver,
        role: Role::Delivery,
    };
    town.learn(town.other_driver.0, &UserEvent::Blocked(blocked))
        .await;
    for body in [
        json!({ "orderId": order.order_code }),
        json!({ "orderId": order.order_code, "driverId": town.customer }),
        json!({ "orderId": order.order_code, "driverId": town.other_driver }),
        json!({ "orderId": order.order_code, "driverId": "sunil" }),
    ] {
        let answer = create(&town, &town.owner(), &body).await;
        assert!(
            answer.body["fields"].get("driverId").is_some(),
            "{body}: {}",
            answer.text
        );
        answer.problem(422);
    }
    assert!(town.events().await.is_empty());
}

#[tokio::test]
async fn no_delivery_is_made_of_a_cancelled_order_or_another_owners() {
    let town = Town::awake().await;
    let order = town.placed().await;
    let body = json!({ "orderId": order.order_code, "driverId": town.driver });
    let other_owner = town.token(UserId(town.clock.new_id()), Role::Restaurant);
    create(&town, &other_owner, &body).await.problem(404);
    for token in [town.customer(), town.driver()] {
        create(&town, &token, &body).await.problem(403);
    }
    create(&town, &town.owner(), &json!({ "orderId": "ORD-00000000" }))
        .await
        .problem(404);
    town.learn(order.order_id.0, &OrderEvent::Cancelled(order.clone()))
        .await;
    create(&town, &town.owner(), &body).await.problem(409);
    assert!(town.events().await.is_empty());
}
