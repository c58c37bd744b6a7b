use serde_json::{Value, json};
use tiffin_events::{DeliveryId, Role, UserId, delivery::DeliveryEvent};
use tiffin_testkit::{Answer, drain_entries};

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
