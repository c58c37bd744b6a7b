use serde_json::json;
use tiffin_events::{
    DeliveryId, PaymentId, Role, UserId, delivery::DeliveryEvent, payment::PaymentEvent,
};

use crate::fixture::{Fixture, created, refunded};

#[tokio::test]
async fn a_deleted_order_is_on_no_list() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    let path = format!("/api/v1/orders/delete/{}", order["_id"].as_str().unwrap());
    fixture
        .app
        .delete(&path)
        .token(&fixture.customer())
        .await
        .problem(403);
    fixture
        .app
        .delete(&path)
        .token(&fixture.token(UserId(fixture.clock.new_id()), Role::Restaurant))
        .await
        .problem(404);
    let body = fixture
        .app
        .delete(&path)
        .token(&fixture.owner())
        .await
        .expect(200);
    assert_eq!(body["message"], "Order has been deleted.");
    fixture
        .app
        .delete(&path)
        .token(&fixture.owner())
        .await
        .problem(404);
    assert_eq!(fixture.events().await, ["tiffin.order.deleted.v1"]);
    for token in [fixture.customer(), fixture.owner(), fixture.admin()] {
        assert_eq!(
            fixture
                .app
                .get("/api/v1/orders")
                .token(&token)
                .await
                .expect(200),
            json!([])
        );
    }
    fixture
        .set_status(&order, &json!({ "status": "preparing" }))
        .await
        .problem(404);
}

#[tokio::test]
async fn what_has_set_out_stays() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    fixture.confirm(&order).await.expect(200);
    let delivery = DeliveryId(fixture.clock.new_id());
    fixture.delivery(delivery, &order, created).await;
    fixture
        .delivery(delivery, &order, DeliveryEvent::OnTheWay)
        .await;
    let path = format!(
        "/api/v1/orders/delete/{}",
        order["orderId"].as_str().unwrap()
    );
    fixture
        .app
        .delete(&path)
        .token(&fixture.owner())
        .await
        .problem(409);
    fixture.only_order().await;
}

#[tokio::test]
async fn a_paid_order_must_be_cancelled_first() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    let code = order["orderId"].as_str().unwrap();
    let (delete, cancel) = (
        format!("/api/v1/orders/delete/{code}"),
        format!("/api/v1/orders/cancel/{code}"),
    );
    assert_eq!(order["isPaid"], false);
    let payment = PaymentId(fixture.clock.new_id());
    fixture
        .payment(payment, &order, PaymentEvent::Captured)
        .await;
    assert_eq!(fixture.only_order().await["isPaid"], true);
    let refused = fixture.app.delete(&delete).token(&fixture.owner()).await;
    assert_eq!(
        refused.problem(409),
        "The order is paid; please cancel it first."
    );
    fixture
        .app
        .post(&cancel)
        .token(&fixture.owner())
        .await
        .expect(200);
    fixture.payment(payment, &order, refunded).await;
    assert_eq!(fixture.only_order().await["isPaid"], false);
    fixture
        .app
        .delete(&delete)
        .token(&fixture.owner())
        .await
        .expect(200);
}
