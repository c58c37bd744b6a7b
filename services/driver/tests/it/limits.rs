//! The limits of an account's requests and writes.

use serde_json::json;
use tiffin_events::{Role, UserId};
use uuid::Uuid;

use crate::fixture::Fixture;

const OWNER: UserId = UserId(Uuid::from_u128(5));

#[tokio::test]
async fn the_list_is_had_two_times_a_second_and_no_more() {
    let fixture = Fixture::start().await;
    let owner = fixture.token(OWNER, Role::Restaurant);
    let mut accepted = 0;
    for _ in 0..300 {
        let answer = fixture.app.get("/api/v1/driver").token(&owner).await;
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
async fn changes_of_a_driver_are_counted() {
    let fixture = Fixture::start().await;
    let driver = fixture.register("one@example.com").await;
    fixture.update(driver, json!({"isAvailable": true})).await;
    fixture.exhaust_limit("changes", driver).await;
    let call = fixture.app.put(&format!("/api/v1/driver/{driver}"));
    let call = call.token(&fixture.token(driver, Role::Delivery));
    let refused = call.json(&json!({"isAvailable": false})).await;
    assert!(refused.header("retry-after").is_some());
    refused.problem(429);
}
