use serde_json::json;
use tiffin_events::{DeliveryId, Role, UserId, delivery::DeliveryEvent};

use crate::harness::{Shop, created};

#[tokio::test]
async fn a_deleted_order_is_on_nobodys_list() {
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
