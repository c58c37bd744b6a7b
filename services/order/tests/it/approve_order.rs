use crate::harness::Shop;

#[tokio::test]
async fn an_administrator_approves_once_and_the_status_stays() {
    let shop = Shop::open().await;
    let order = shop.order().await;
    let path = format!(
        "/api/v1/orders/isApprove/{}",
        order["orderId"].as_str().unwrap()
    );
    for _ in 0..2 {
        let body = shop.app.put(&path).token(&shop.admin()).await.expect(200);
        assert_eq!(body["order"]["isApprove"], true);
        assert_eq!(body["order"]["status"], "pending");
    }
    assert_eq!(shop.events().await, ["tiffin.order.approved.v1"]);
}

#[tokio::test]
async fn only_an_administrator_approves() {
    let shop = Shop::open().await;
    let order = shop.order().await;
    let path = format!(
        "/api/v1/orders/isApprove/{}",
        order["_id"].as_str().unwrap()
    );
    for token in [shop.owner(), shop.customer()] {
        shop.app.put(&path).token(&token).await.problem(403);
    }
    shop.app
        .put("/api/v1/orders/isApprove/ORD-00000000")
        .token(&shop.admin())
        .await
        .problem(404);
    assert!(shop.events().await.is_empty());
}
