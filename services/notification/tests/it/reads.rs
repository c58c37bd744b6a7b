use tiffin_events::Role;
use tiffin_testkit::token;

use crate::fixture::{CUSTOMER, Fixture, OWNER, journey};

#[tokio::test]
async fn a_list_is_newest_first_and_says_what_each_is_about() {
    let fixture = Fixture::with_accounts().await;
    for event in journey() {
        fixture.deliver(&event).await;
    }
    let list = fixture.list(CUSTOMER).await;
    let newest = &list[0];
    assert_eq!(newest["topic"], "delivery_delivered");
    assert_eq!(
        newest["text"],
        "Your order ORD-7K3M9QX2 has been delivered. Enjoy your meal!"
    );
    assert_eq!(newest["orderId"], "01930000-0000-7000-8000-000000000030");
    assert_eq!(newest["orderCode"], "ORD-7K3M9QX2");
    assert_eq!(newest["deliveryId"], "01930000-0000-7000-8000-000000000050");
    assert_eq!(newest["read"], false);
    let token = token(&fixture.clock, CUSTOMER, Role::Customer).sign();
    let page = fixture
        .app
        .get("/api/v1/notification?limit=2")
        .token(&token)
        .await;
    assert!(page.header("link").unwrap().contains("rel=\"next\""));
    assert_eq!(page.expect(200).as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn reading_is_ones_own_affair() {
    let fixture = Fixture::with_accounts().await;
    for event in &journey()[..2] {
        fixture.deliver(event).await;
    }
    fixture.events().await;
    let id = fixture.list(CUSTOMER).await[0]["_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let path = format!("/api/v1/notification/{id}/read");
    let customer = token(&fixture.clock, CUSTOMER, Role::Customer).sign();
    let owner = token(&fixture.clock, OWNER, Role::Restaurant).sign();
    fixture.app.put(&path).token(&owner).await.problem(404);
    fixture.app.put(&path).await.problem(401);
    for _ in 0..2 {
        let body = fixture.app.put(&path).token(&customer).await.expect(200);
        assert_eq!(body["notification"]["read"], true);
    }
    assert_eq!(fixture.list(CUSTOMER).await[0]["read"], true);
    assert!(fixture.events().await.is_empty());
    // A mail that still waits is sent although the notification is read.
    assert_eq!(fixture.mails().await.len(), 2);
}

#[tokio::test]
async fn only_the_signed_in_have_a_list() {
    let fixture = Fixture::start().await;
    fixture.app.get("/api/v1/notification").await.problem(401);
    let unproven = token(&fixture.clock, CUSTOMER, Role::Customer)
        .unverified()
        .sign();
    fixture
        .app
        .get("/api/v1/notification")
        .token(&unproven)
        .await
        .problem(403);
    fixture
        .app
        .put("/api/v1/notification/rubbish/read")
        .token(&unproven)
        .await
        .problem(403);
}
