use serde_json::json;
use tiffin_events::{
    DeliveryId, PaymentId, Role, UserId, delivery::DeliveryEvent, payment::PaymentEvent,
};

use crate::harness::{Shop, created, refunded};

#[tokio::test]
async fn a_deleted_order_is_on_no_list() {
    let shop = Shop::open().await;
    let order = shop.order().await;
    let path = format!("/api/v1/orders/delete/{}", order["_id"].as_str().unwrap());
    shop.app
        .delete(&path)
        .token(&shop.customer())
        .await
        .problem(403);
    shop.app
        .delete(&path)
        .token(&shop.token(UserId(shop.clock.new_id()), Role::Restaurant))
        .await
        .problem(404);
    let body = shop
        .app
        .delete(&path)
        .token(&shop.owner())
        .await
        .expect(200);
    assert_eq!(body["message"], "Order has been deleted.");
    shop.app
        .delete(&path)
        .token(&shop.owner())
        .await
        .problem(404);
    assert_eq!(shop.events().await, ["tiffin.order.deleted.v1"]);
    for token in [shop.customer(), shop.owner(), shop.admin()] {
        assert_eq!(
            shop.app
                .get("/api/v1/orders")
                .token(&token)
                .await
                .expect(200),
            json!([])
        );
    }
    shop.set_status(&order, &json!({ "status": "preparing" }))
        .await
        .problem(404);
}

#[tokio::test]
async fn what_has_set_out_stays() {
    let shop = Shop::open().await;
    let order = shop.order().await;
    shop.confirm(&order).await.expect(200);
    let delivery = DeliveryId(shop.clock.new_id());
    shop.delivery(delivery, &order, created).await;
    shop.delivery(delivery, &order, DeliveryEvent::OnTheWay)
        .await;
    let path = format!(
        "/api/v1/orders/delete/{}",
        order["orderId"].as_str().unwrap()
    );
    shop.app
        .delete(&path)
        .token(&shop.owner())
        .await
        .problem(409);
    shop.only_order().await;
}

#[tokio::test]
async fn a_paid_order_must_be_cancelled_first() {
    let shop = Shop::open().await;
    let order = shop.order().await;
    let code = order["orderId"].as_str().unwrap();
    let (delete, cancel) = (
        format!("/api/v1/orders/delete/{code}"),
        format!("/api/v1/orders/cancel/{code}"),
    );
    assert_eq!(order["isPaid"], false);
    let payment = PaymentId(shop.clock.new_id());
    shop.payment(payment, &order, PaymentEvent::Captured).await;
    assert_eq!(shop.only_order().await["isPaid"], true);
    let refused = shop.app.delete(&delete).token(&shop.owner()).await;
    assert_eq!(
        refused.problem(409),
        "The order is paid; please cancel it first."
    );
    shop.app
        .post(&cancel)
        .token(&shop.owner())
        .await
        .expect(200);
    shop.payment(payment, &order, refunded).await;
    assert_eq!(shop.only_order().await["isPaid"], false);
    shop.app
        .delete(&delete)
        .token(&shop.owner())
        .await
        .expect(200);
}
