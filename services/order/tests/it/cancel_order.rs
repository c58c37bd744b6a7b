use serde_json::{Value, json};
use tiffin_events::{
    DeliveryId, Role, UserId,
    delivery::{DeliveryCancelRefusedV1, DeliveryEvent, DeliveryStatus},
    user::{UserEvent, UserRefV1},
};
use tiffin_testkit::{Answer, drain_entries, drain_outbox};

use crate::fixture::{Fixture, created};

async fn cancel(fixture: &Fixture, order: &Value, token: &str) -> Answer {
    let path = format!(
        "/api/v1/orders/cancel/{}",
        order["orderId"].as_str().unwrap()
    );
    fixture.app.post(&path).token(token).await
}

#[tokio::test]
async fn a_customer_cancels_while_pending_and_it_never_comes_back() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    let body = cancel(&fixture, &order, &fixture.customer())
        .await
        .expect(200);
    assert_eq!(body["order"]["status"], "cancelled");
    cancel(&fixture, &order, &fixture.customer())
        .await
        .expect(200);
    assert_eq!(fixture.events().await, ["tiffin.order.cancelled.v1"]);
    let again = fixture
        .set_status(&order, &json!({ "status": "preparing" }))
        .await;
    assert_eq!(
        again.problem(409),
        "The order was cancelled and can't change any more."
    );
    fixture.confirm(&order).await.problem(409);
    assert!(fixture.events().await.is_empty());
}

#[tokio::test]
async fn once_taken_only_the_owner_or_an_administrator_cancels() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    fixture.confirm(&order).await.expect(200);
    fixture.events().await;
    cancel(&fixture, &order, &fixture.customer())
        .await
        .problem(409);
    cancel(
        &fixture,
        &order,
        &fixture.token(fixture.driver, Role::Delivery),
    )
    .await
    .problem(403);
    cancel(
        &fixture,
        &order,
        &fixture.token(UserId(fixture.clock.new_id()), Role::Customer),
    )
    .await
    .problem(404);
    cancel(&fixture, &order, &fixture.owner()).await.expect(200);
    let entries = drain_entries(&fixture.db.pool).await;
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0].value["active"], false);
}

#[tokio::test]
async fn nothing_that_is_on_its_way_is_cancelled_whatever_its_status_says() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    fixture.confirm(&order).await.expect(200);
    let delivery = DeliveryId(fixture.clock.new_id());
    fixture.delivery(delivery, &order, created).await;
    fixture
        .delivery(delivery, &order, DeliveryEvent::OnTheWay)
        .await;
    cancel(&fixture, &order, &fixture.owner())
        .await
        .problem(409);
    fixture
        .set_status(&order, &json!({ "status": "pending" }))
        .await
        .expect(200);
    cancel(&fixture, &order, &fixture.customer())
        .await
        .problem(409);
    cancel(&fixture, &order, &fixture.admin())
        .await
        .problem(409);
}

/// The restaurant or an administrator cancels with a body.
async fn cancel_for(fixture: &Fixture, order: &Value, token: &str, body: &Value) -> Answer {
    let path = format!("/api/v1/orders/cancel/{}", order["_id"].as_str().unwrap());
    fixture.app.post(&path).token(token).json(body).await
}

#[tokio::test]
async fn a_cancellation_says_who_and_why_to_everyone_and_in_its_event() {
    let fixture = Fixture::new().await;
    let why = json!({ "reason": "sold_out", "note": " No rice today. " });
    for (token, by) in [
        (fixture.owner(), "restaurant"),
        (fixture.admin(), "administrator"),
    ] {
        let order = fixture.order().await;
        assert_eq!(order["cancellation"], Value::Null);
        let answer = cancel_for(&fixture, &order, &token, &why).await.expect(200);
        let kept = json!({ "by": by, "reason": "sold_out", "note": "No rice today." });
        assert_eq!(answer["order"]["cancellation"], kept);
        let events = drain_outbox(&fixture.db.pool).await;
        assert_eq!(events.len(), 1);
        for field in ["by", "reason", "note"] {
            assert_eq!(events[0].data[field], kept[field], "{field}");
        }
        for reader in [fixture.customer(), fixture.owner(), fixture.admin()] {
            let seen = fixture
                .column("/api/v1/orders", &reader, "cancellation")
                .await;
            assert_eq!(seen[0], kept);
        }
    }
}

#[tokio::test]
async fn customers_and_older_clients_cancel_without_a_reason() {
    let fixture = Fixture::new().await;
    for (token, by, body) in [
        (fixture.customer(), "customer", None),
        (fixture.customer(), "customer", Some(json!({}))),
        (fixture.owner(), "restaurant", None),
    ] {
        let order = fixture.order().await;
        let answer = match body {
            None => cancel(&fixture, &order, &token).await,
            Some(body) => cancel_for(&fixture, &order, &token, &body).await,
        };
        assert_eq!(
            answer.expect(200)["order"]["cancellation"],
            json!({ "by": by, "reason": null, "note": null })
        );
    }
}

#[tokio::test]
async fn a_reason_that_is_none_cancels_nothing() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    let long = "x".repeat(201);
    for (token, body) in [
        (fixture.owner(), json!({ "reason": "bored" })),
        (fixture.owner(), json!({ "reason": "other", "note": long })),
        (fixture.customer(), json!({ "reason": "sold_out" })),
        (fixture.customer(), json!({ "note": "Changed my mind." })),
    ] {
        cancel_for(&fixture, &order, &token, &body)
            .await
            .problem(422);
    }
    assert!(fixture.events().await.is_empty());
    assert_eq!(fixture.only_order().await["status"], "pending");
}

#[tokio::test]
async fn a_cancellation_that_came_too_late_leaves_no_reason() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    fixture.confirm(&order).await.expect(200);
    let why = json!({ "reason": "too_busy" });
    cancel_for(&fixture, &order, &fixture.owner(), &why)
        .await
        .expect(200);
    let refused = |delivery| {
        DeliveryEvent::CancelRefused(DeliveryCancelRefusedV1 {
            delivery,
            status: DeliveryStatus::OnTheWay,
        })
    };
    let delivery = DeliveryId(fixture.clock.new_id());
    fixture.delivery(delivery, &order, refused).await;
    let seen = fixture.only_order().await;
    assert_eq!(
        (&seen["status"], &seen["cancellation"]),
        (&json!("dispatched"), &Value::Null)
    );
}

#[tokio::test]
async fn a_note_goes_with_its_customers_account() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    let why = json!({ "reason": "other", "note": "Nimal, we are sorry." });
    cancel_for(&fixture, &order, &fixture.owner(), &why)
        .await
        .expect(200);
    let gone = UserEvent::Deleted(UserRefV1 {
        user_id: fixture.customer,
        role: Role::Customer,
    });
    fixture.deliver_event(fixture.customer.0, &gone).await;
    let left = fixture
        .column("/api/v1/orders", &fixture.owner(), "cancellation")
        .await;
    assert_eq!(
        left,
        [json!({ "by": "restaurant", "reason": "other", "note": null })]
    );
}

#[tokio::test]
async fn an_empty_body_is_none() {
    let fixture = Fixture::new().await;
    for body in [json!(null), json!({})] {
        let order = fixture.order().await;
        let answer = cancel_for(&fixture, &order, &fixture.customer(), &body).await;
        let order = &answer.expect(200)["order"];
        assert_eq!(order["status"], "cancelled", "{body}");
    }
}
