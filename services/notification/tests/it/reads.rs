use tiffin_events::Role;
use tiffin_testkit::token;

use crate::harness::{CUSTOMER, OWNER, Service, journey};

#[tokio::test]
async fn a_list_is_newest_first_and_says_what_each_is_about() {
    let service = Service::with_people().await;
    for event in journey() {
        service.deliver(&event).await;
    }
    let list = service.list(CUSTOMER).await;
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
    let token = token(&service.clock, CUSTOMER, Role::Customer).sign();
    let page = service
        .app
        .get("/api/v1/notification?limit=2")
        .token(&token)
        .await;
    assert!(page.header("link").unwrap().contains("rel=\"next\""));
    assert_eq!(page.expect(200).as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn reading_is_ones_own_affair() {
    let service = Service::with_people().await;
    for event in &journey()[..2] {
        service.deliver(event).await;
    }
    service.events().await;
    let id = service.list(CUSTOMER).await[0]["_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let path = format!("/api/v1/notification/{id}/read");
    let customer = token(&service.clock, CUSTOMER, Role::Customer).sign();
    let owner = token(&service.clock, OWNER, Role::Restaurant).sign();
    service.app.put(&path).token(&owner).await.problem(404);
    service.app.put(&path).await.problem(401);
    for _ in 0..2 {
        let body = service.app.put(&path).token(&customer).await.expect(200);
        assert_eq!(body["notification"]["read"], true);
    }
    assert_eq!(service.list(CUSTOMER).await[0]["read"], true);
    assert!(service.events().await.is_empty());
    // A mail that still waits is sent although the notification is read.
    assert_eq!(service.mails().await.len(), 2);
}

#[tokio::test]
async fn only_the_signed_in_have_a_list() {
    let service = Service::start().await;
    service.app.get("/api/v1/notification").await.problem(401);
    let unproven = token(&service.clock, CUSTOMER, Role::Customer)
        .unverified()
        .sign();
    service
        .app
        .get("/api/v1/notification")
        .token(&unproven)
        .await
        .problem(403);
    service
        .app
        .put("/api/v1/notification/rubbish/read")
        .token(&unproven)
        .await
        .problem(403);
}
