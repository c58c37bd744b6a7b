//! The limits of an account's writes.

use serde_json::json;

use crate::harness::Town;

#[tokio::test]
async fn a_driver_tells_two_positions_a_second_and_no_more() {
    let town = Town::awake().await;
    let delivery = town.delivery().await;
    let mut accepted = 0;
    for _ in 0..300 {
        let answer = town.set_location(&delivery, 6.9, 79.85).await;
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
    let town = Town::awake().await;
    let delivery = town.delivery().await;
    town.set_status(&delivery, "on the way").await.expect(200);
    town.use_up("changes", town.driver).await;
    town.use_up("changes", town.owner).await;
    let refused = town.set_status(&delivery, "delivered").await;
    assert!(refused.header("retry-after").is_some());
    refused.problem(429);
    let body = json!({ "orderId": delivery["orderId"], "driverId": town.driver });
    let call = town.app.post("/api/v1/delivery").token(&town.owner());
    call.json(&body).await.problem(429);
    town.list(&town.driver()).await;
}

#[tokio::test]
async fn an_owner_has_the_drivers_phone_and_not_their_email_address() {
    let town = Town::awake().await;
    let delivery = town.delivery().await;
    let made = town.list(&town.owner()).await[0].clone();
    assert!(made["driverName"].is_string() && made["driverPhone"].is_string());
    assert!(made["driverEmail"].is_null(), "{made}");
    for reader in [town.driver(), town.admin(), town.customer()] {
        assert!(town.list(&reader).await[0]["driverEmail"].is_string());
    }
    let body = json!({ "orderId": delivery["orderId"], "driverId": town.driver });
    let call = town.app.post("/api/v1/delivery").token(&town.owner());
    let again = call.json(&body).await.expect(200);
    assert!(again["delivery"]["driverEmail"].is_null(), "{again}");
}
