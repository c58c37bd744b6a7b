use crate::fixture::Fixture;

#[tokio::test]
async fn an_administrator_approves_once_and_the_status_stays() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    let path = format!(
        "/api/v1/orders/isApprove/{}",
        order["orderId"].as_str().unwrap()
    );
    for _ in 0..2 {
        let body = fixture
            .app
            .put(&path)
            .token(&fixture.admin())
            .await
            .expect(200);
        assert_eq!(body["order"]["isApprove"], true);
        assert_eq!(body["order"]["status"], "pending");
    }
    assert_eq!(fixture.events().await, ["tiffin.order.approved.v1"]);
}

#[tokio::test]
async fn only_an_administrator_approves() {
    let fixture = Fixture::new().await;
    let order = fixture.order().await;
    let path = format!(
        "/api/v1/orders/isApprove/{}",
        order["_id"].as_str().unwrap()
    );
    for token in [fixture.owner(), fixture.customer()] {
        fixture.app.put(&path).token(&token).await.problem(403);
    }
    fixture
        .app
        .put("/api/v1/orders/isApprove/ORD-00000000")
        .token(&fixture.admin())
        .await
        .problem(404);
    assert!(fixture.events().await.is_empty());
}
