//! The notifications of an account in its copy.

use serde_json::json;
use tiffin_events::Role;
use tiffin_notification::PERSONAL;
use tiffin_testkit::{assert_every_table_is_listed, copy_of, token};

use crate::{
    fixture::{CUSTOMER, Fixture, OWNER, journey},
    push_server::{Browser, PushServer},
};

#[tokio::test]
async fn a_reader_gets_notifications_and_that_browsers_are_subscribed_without_keys() {
    let fixture = Fixture::start_with(&[("TIFFIN_PUSH_LOOPBACK", "true")]).await;
    fixture.register(CUSTOMER, "Kamala", Role::Customer).await;
    fixture.register(OWNER, "Sunil", Role::Restaurant).await;
    let server = PushServer::start().await;
    let subscription = Browser::at(&server, "phone").subscription();
    let token = token(&fixture.clock, CUSTOMER, Role::Customer).sign();
    let call = fixture.app.post("/api/v1/notification/push").token(&token);
    call.json(&subscription).await.expect(201);
    for event in journey() {
        fixture.deliver(&event).await;
    }
    let copy = copy_of(&fixture.db.pool, &PERSONAL, CUSTOMER).await;
    let listed = fixture.list(CUSTOMER).await;
    assert_eq!(
        copy["notifications"].as_array().unwrap().len(),
        listed.len()
    );
    assert_eq!(
        copy["pushSubscriptions"].as_array().unwrap().len(),
        1,
        "{copy}"
    );
    let text = copy.to_string();
    let (endpoint, keys) = (&subscription["endpoint"], &subscription["keys"]);
    for secret in [endpoint, &keys["p256dh"], &keys["auth"]] {
        let secret = secret.as_str().unwrap();
        assert!(!text.contains(secret), "{secret} in {text}");
    }
    let owners = copy_of(&fixture.db.pool, &PERSONAL, OWNER).await;
    assert_eq!(owners["pushSubscriptions"], json!([]));
    assert!(!owners.to_string().contains("Kamala"), "{owners}");
}

#[tokio::test]
async fn every_table_is_in_a_section_or_left_out_with_a_reason() {
    let fixture = Fixture::start().await;
    assert_every_table_is_listed(&fixture.db.pool, &PERSONAL).await;
}
