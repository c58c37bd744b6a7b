//! The limits of an account's writes.

use serde_json::json;

use crate::fixture::Fixture;

#[tokio::test]
async fn a_driver_tells_two_positions_a_second_and_no_more() {
    let fixture = Fixture::new().await;
    let delivery = fixture.delivery().await;
    let mut accepted = 0;
    for _ in 0..300 {
        let answer = fixture.set_location(&delivery, 6.9, 79.85).await;
        if answer.status == 200 {
            accepted += 1;
            continue;
        }
        let wait: u64 = answer.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=60).contains(&wait), "{wait}");
        answer.problem(429);
    }
    // A second minute may begin meanwhile.
    assert!((120..=240).contains(&accepted), "{accepted}");
}

#[tokio::test]
async fn every_step_of_a_delivery_is_counted() {
    let fixture = Fixture::new().await;
    let delivery = fixture.delivery().await;
    fixture
        .set_status(&delivery, "on the way")
        .await
        .expect(200);
    fixture.exhaust_limit("changes", fixture.driver).await;
    fixture.exhaust_limit("changes", fixture.owner).await;
    let refused = fixture.set_status(&delivery, "delivered").await;
    assert!(refused.header("retry-after").is_some());
    refused.problem(429);
    let path = format!(
        "/api/v1/delivery/ticket/{}",
        delivery["_id"].as_str().unwrap()
    );
    let ticket = fixture.app.put(&path).token(&fixture.driver());
    let ticket = ticket.json(&json!({ "status": "delivered" }));
    ticket.await.problem(429);
    let body = json!({ "orderId": delivery["orderId"], "driverId": fixture.driver });
    let call = fixture.app.post("/api/v1/delivery").token(&fixture.owner());
    call.json(&body).await.problem(429);
    fixture.list(&fixture.driver()).await;
}

#[tokio::test]
async fn an_owner_has_the_drivers_phone_and_not_their_email_address() {
    let fixture = Fixture::new().await;
    let delivery = fixture.delivery().await;
    let made = fixture.list(&fixture.owner()).await[0].clone();
    assert!(made["driverName"].is_string() && made["driverPhone"].is_string());
    assert!(made["driverEmail"].is_null(), "{made}");
    for reader in [fixture.driver(), fixture.admin(), fixture.customer()] {
        assert!(fixture.list(&reader).await[0]["driverEmail"].is_string());
    }
    let body = json!({ "orderId": delivery["orderId"], "driverId": fixture.driver });
    let call = fixture.app.post("/api/v1/delivery").token(&fixture.owner());
    let again = call.json(&body).await.expect(200);
    assert!(again["delivery"]["driverEmail"].is_null(), "{again}");
}
