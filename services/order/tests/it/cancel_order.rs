use serde_json::{Value, json};
use tiffin_events::{DeliveryId, Role, UserId, delivery::DeliveryEvent};
use tiffin_testkit::{Answer, drain_entries};

use crate::harness::{Shop, created};

async fn cancel(shop: &Shop, order: &Value, token: &str) -> Answer {
    let path = format!(
        "/api/v1/orders/cancel/{}",
        order["orderId"].as_str().unwrap()
    );
    shop.app.post(&path).token(token).await
}

#[tokio::test]
async fn a_customer_cancels_while_pending_and_it_never_comes_back() {
    let shop = Shop::open().await;
    let order = shop.order().await;
    let body = cancel(&shop, &order, &shop.customer()).await.expect(200);
    assert_eq!(body["order"]["status"], "cancelled");
    cancel(&shop, &order, &shop.customer()).await.expect(200);
    assert_eq!(shop.events().await, ["tiffin.order.cancelled.v1"]);
    let again = shop
        .set_status(&order, &json!({ "status": "preparing" }))
        .await;
    assert_eq!(
        again.problem(409),
        "The order was cancelled and can't change any more."
    );
    shop.confirm(&order).await.problem(409);
    assert!(shop.events().await.is_empty());
}

#[tokio::test]
async fn once_taken_only_the_owner_or_an_administrator_cancels() {
    let shop = Shop::open().await;
    let order = shop.order().await;
    shop.confirm(&order).await.expect(200);
    shop.events().await;
    cancel(&shop, &order, &shop.customer()).await.problem(409);
    cancel(&shop, &order, &shop.token(shop.driver, Role::Delivery))
        .await
        .problem(403);
    cancel(
        &shop,
        &order,
        &shop.token(UserId(shop.clock.new_id()), Role::Customer),
    )
    .await
    .problem(404);
    cancel(&shop, &order, &shop.owner()).await.expect(200);
    let entries = drain_entries(&shop.db.pool).await;
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0].value["active"], false);
}

#[tokio::test]
async fn nothing_that_is_on_its_way_is_cancelled_whatever_its_status_says() {
    let shop = Shop::open().await;
    let order = shop.order().await;
    shop.confirm(&order).await.expect(200);
    let delivery = DeliveryId(shop.clock.new_id());
    shop.delivery(delivery, &order, created).await;
    shop.delivery(delivery, &order, DeliveryEvent::OnTheWay)
        .await;
    cancel(&shop, &order, &shop.owner()).await.problem(409);
    shop.set_status(&order, &json!({ "status": "pending" }))
        .await
        .expect(200);
    cancel(&shop, &order, &shop.customer()).await.problem(409);
    cancel(&shop, &order, &shop.admin()).await.problem(409);
}
