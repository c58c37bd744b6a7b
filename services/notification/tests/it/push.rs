use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use tiffin_events::{Role, UserId};
use tiffin_notification::push_due;
use tiffin_testkit::token;
use time::Duration;

use crate::{
    fixture::{CUSTOMER, DRIVER, Fixture, OWNER, event, journey},
    push_server::{Browser, PushServer},
};

const PATH: &str = "/api/v1/notification/push";

async fn fixture() -> (Fixture, PushServer) {
    let fixture = Fixture::start_with(&[
        ("TIFFIN_PUSH_LOOPBACK", "true"),
        ("TIFFIN_PUSH_CONTACT", "mailto:ops@tiffin.example"),
    ])
    .await;
    for (id, name, role) in [
        (CUSTOMER, "Kamala", Role::Customer),
        (OWNER, "Sunil", Role::Restaurant),
        (DRIVER, "Ruwan", Role::Delivery),
    ] {
        fixture.register(id, name, role).await;
    }
    (fixture, PushServer::start().await)
}

async fn subscribe(fixture: &Fixture, user: UserId, browser: &Browser, status: u16) -> Value {
    let token = token(&fixture.clock, user, Role::Customer).sign();
    let call = fixture.app.post(PATH).token(&token);
    call.json(&browser.subscription()).await.expect(status)
}

async fn unsubscribe(fixture: &Fixture, user: UserId, body: &Value, status: u16) {
    let token = token(&fixture.clock, user, Role::Customer).sign();
    let call = fixture.app.delete(PATH).token(&token);
    call.json(body).await.expect(status);
}

fn names(events: &[(String, Value)], name: &str) -> Vec<Value> {
    let pushes = events
        .iter()
        .filter(|(of, data)| of == name && data["channel"] == "push");
    pushes.map(|(_, data)| data.clone()).collect()
}

#[tokio::test]
async fn a_browser_reads_its_users_notification_and_its_push_service_knows_us() {
    let (fixture, server) = fixture().await;
    let browser = Browser::at(&server, "phone");
    let made = subscribe(&fixture, CUSTOMER, &browser, 201).await;
    assert_eq!(made["message"], "Browser subscribed");
    subscribe(&fixture, CUSTOMER, &browser, 200).await;
    fixture
        .deliver(&event("tiffin.restaurant.created.v1", 1))
        .await;
    for event in journey() {
        fixture.deliver(&event).await;
    }
    fixture.events().await;
    assert_eq!(push_due(&fixture.state).await.unwrap(), 3);
    assert_eq!(push_due(&fixture.state).await.unwrap(), 0);
    let events = fixture.events().await;
    assert_eq!(names(&events, "sent").len(), 3);
    let received = server.received();
    let mut read: Vec<Value> = received
        .iter()
        .map(|push| browser.read(&push.body))
        .collect();
    read.sort_by_key(|message| message["tag"].as_str().unwrap().to_owned());
    let bodies: Vec<_> = read
        .iter()
        .map(|message| message["title"].clone())
        .collect();
    assert_eq!(
        bodies,
        [
            "Confirmed: ORD-7K3M9QX2",
            "On the way: ORD-7K3M9QX2",
            "Delivered: ORD-7K3M9QX2"
        ]
    );
    assert_eq!(read[0]["url"], "/profile");
    let delivery = read[1]["deliveryId"].as_str().unwrap();
    assert_eq!(read[1]["url"], format!("/track/{delivery}"));
    let listed = fixture.list(CUSTOMER).await;
    assert_eq!(read[2]["body"], listed[0]["text"]);
    assert_eq!(read[2]["tag"], listed[0]["_id"]);
    assert_eq!(read[2]["restaurant"], "Galle Face Kitchen");
    let headers = &received[0].headers;
    for (name, value) in [
        ("content-encoding", "aes128gcm"),
        ("ttl", "21600"),
        ("urgency", "high"),
    ] {
        assert_eq!(headers[name], value);
    }
    let authorization = headers["authorization"].to_str().unwrap();
    check_signature(&fixture, &server, authorization).await;
}

/// Checks RFC 8292, section 2: an ES256 token for the push service's origin, and the key that signed it,
/// which is the one that browsers subscribe with.
async fn check_signature(fixture: &Fixture, server: &PushServer, authorization: &str) {
    let public = fixture.app.get(&format!("{PATH}/key")).await.expect(200);
    let public = public["publicKey"].as_str().unwrap();
    let given = authorization.strip_prefix("vapid t=").unwrap();
    let (token, key) = given.split_once(", k=").unwrap();
    assert_eq!(key, public);
    let (signed, signature) = token.rsplit_once('.').unwrap();
    let bytes = |text| URL_SAFE_NO_PAD.decode(text).unwrap();
    UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, bytes(public))
        .verify(signed.as_bytes(), &bytes(signature))
        .unwrap();
    let claims: Value = serde_json::from_slice(&bytes(signed.split_once('.').unwrap().1)).unwrap();
    assert_eq!(claims["aud"], server.origin());
    assert_eq!(claims["sub"], "mailto:ops@tiffin.example");
    let lifetime = claims["exp"].as_i64().unwrap() - fixture.clock.now().unix_timestamp();
    assert!((1..=86_400).contains(&lifetime), "{lifetime}");
}

#[tokio::test]
async fn the_key_is_made_once_and_kept() {
    let (fixture, _server) = fixture().await;
    let path = format!("{PATH}/key");
    let first = fixture.app.get(&path).await.expect(200);
    let again = fixture.started_again();
    let app =
        tiffin_testkit::TestApp::start(tiffin_notification::router(again).split_for_parts().0)
            .await;
    assert_eq!(app.get(&path).await.expect(200), first);
}

#[tokio::test]
async fn every_browser_gets_the_message_and_one_that_ended_is_forgotten() {
    let (fixture, server) = fixture().await;
    let (phone, state) = (Browser::at(&server, "phone"), Browser::at(&server, "desk"));
    subscribe(&fixture, OWNER, &phone, 201).await;
    subscribe(&fixture, OWNER, &state, 201).await;
    server.answer(&[410, 201]);
    fixture.deliver(&event("tiffin.order.placed.v1", 1)).await;
    fixture.events().await;
    assert_eq!(push_due(&fixture.state).await.unwrap(), 1);
    let events = fixture.events().await;
    assert_eq!(
        (names(&events, "sent").len(), names(&events, "failed").len()),
        (1, 0)
    );
    let gone = server.received()[0].at.clone();
    let gone = if gone == "phone" { phone } else { state };
    unsubscribe(&fixture, OWNER, &json!({"endpoint": gone.endpoint}), 404).await;
    fixture
        .deliver(&event("tiffin.order.cancelled.v1", 2))
        .await;
    assert_eq!(push_due(&fixture.state).await.unwrap(), 1);
    assert_eq!(server.received().len(), 3);
}

#[tokio::test]
async fn when_the_last_browser_ended_the_notification_has_failed_by_push() {
    let (fixture, server) = fixture().await;
    subscribe(&fixture, OWNER, &Browser::at(&server, "phone"), 201).await;
    server.answer(&[404]);
    fixture.deliver(&event("tiffin.order.placed.v1", 1)).await;
    assert_eq!(push_due(&fixture.state).await.unwrap(), 0);
    let events = fixture.events().await;
    let failed = names(&events, "failed");
    assert_eq!(failed.len(), 1);
    assert_eq!(failed[0]["reason"], "The browser takes no more.");
    assert!(!failed[0].to_string().contains("127.0.0.1"));
}

#[tokio::test]
async fn a_push_service_that_is_away_is_tried_again_and_given_up_after_a_while() {
    let (fixture, server) = fixture().await;
    subscribe(&fixture, OWNER, &Browser::at(&server, "phone"), 201).await;
    server.answer(&[503]);
    fixture.deliver(&event("tiffin.order.placed.v1", 1)).await;
    for pause in [0, 1, 5, 30, 120, 600, 3600] {
        assert!(names(&fixture.events().await, "failed").is_empty());
        fixture.clock.advance(Duration::seconds(pause));
        push_due(&fixture.state).await.unwrap();
        push_due(&fixture.state).await.unwrap();
    }
    assert_eq!(server.received().len(), 7);
    let failed = names(&fixture.events().await, "failed");
    assert_eq!(failed[0]["reason"], "The push service has a fault.");
}

#[tokio::test]
async fn a_replay_pushes_nothing_and_mails_nothing() {
    let (fixture, server) = fixture().await;
    subscribe(&fixture, CUSTOMER, &Browser::at(&server, "phone"), 201).await;
    for event in journey() {
        fixture.deliver_as(&event, Some("a replay")).await;
    }
    assert_eq!(push_due(&fixture.state).await.unwrap(), 0);
    assert!(server.received().is_empty());
    assert!(fixture.mails().await.is_empty());
    assert_eq!(fixture.list(CUSTOMER).await.len(), 3);
}

#[tokio::test]
async fn nothing_is_pushed_to_the_blocked_nor_to_another_users_browser() {
    let (fixture, server) = fixture().await;
    let shared = Browser::at(&server, "shared");
    subscribe(&fixture, CUSTOMER, &shared, 201).await;
    // Another account signs in at the same browser.
    subscribe(&fixture, OWNER, &shared, 201).await;
    fixture.deliver(&event("tiffin.order.placed.v1", 1)).await;
    fixture
        .deliver(&event("tiffin.order.confirmed.v1", 2))
        .await;
    assert_eq!(push_due(&fixture.state).await.unwrap(), 1);
    fixture
        .deliver(&event("tiffin.order.cancelled.v1", 3))
        .await;
    fixture.user_event("blocked", OWNER, 2).await;
    assert_eq!(push_due(&fixture.state).await.unwrap(), 0);
    let failed = names(&fixture.events().await, "failed");
    assert_eq!(failed[0]["reason"], "The account is blocked.");
    assert_eq!(server.received().len(), 1);
}

#[tokio::test]
async fn an_account_that_goes_takes_its_browsers_along() {
    let (fixture, server) = fixture().await;
    subscribe(&fixture, OWNER, &Browser::at(&server, "phone"), 201).await;
    fixture.deliver(&event("tiffin.order.placed.v1", 1)).await;
    fixture.user_event("deleted", OWNER, 2).await;
    assert_eq!(push_due(&fixture.state).await.unwrap(), 0);
    let kept = sqlx::query_scalar::<_, i64>("select count(*) from subscriptions");
    assert_eq!(kept.fetch_one(&fixture.db.pool).await.unwrap(), 0);
    let failed = names(&fixture.events().await, "failed");
    assert_eq!(failed[0]["reason"], "The browser takes no more.");
}

#[tokio::test]
async fn a_browser_that_is_unsubscribed_gets_nothing_more() {
    let (fixture, server) = fixture().await;
    let browser = Browser::at(&server, "phone");
    subscribe(&fixture, OWNER, &browser, 201).await;
    let which = json!({"endpoint": browser.endpoint});
    unsubscribe(&fixture, CUSTOMER, &which, 404).await;
    unsubscribe(&fixture, OWNER, &which, 200).await;
    unsubscribe(&fixture, OWNER, &which, 404).await;
    fixture.deliver(&event("tiffin.order.placed.v1", 1)).await;
    assert_eq!(push_due(&fixture.state).await.unwrap(), 0);
    assert!(server.received().is_empty());
}

#[tokio::test]
async fn endpoints_of_our_own_network_and_keys_that_are_none_are_refused() {
    let fixture = Fixture::start().await;
    let token = token(&fixture.clock, CUSTOMER, Role::Customer).sign();
    let server = PushServer::start().await;
    let good = Browser::at(&server, "phone").subscription();
    let with = |path: &str, value: Value| {
        let mut body = good.clone();
        body["endpoint"] = json!("https://push.example/abc");
        *body.pointer_mut(path).unwrap() = value;
        body
    };
    let long = format!("https://push.example/{}", "x".repeat(1000));
    for (body, field) in [
        (good.clone(), "endpoint"),
        (with("/endpoint", json!("https://192.168.0.1/")), "endpoint"),
        (with("/endpoint", json!("http://push.example/")), "endpoint"),
        (with("/endpoint", json!("\u{0}")), "endpoint"),
        (with("/endpoint", json!(long)), "endpoint"),
        (with("/keys/p256dh", json!("abc")), "keys.p256dh"),
        (with("/keys/p256dh", json!("*")), "keys.p256dh"),
        (with("/keys/auth", json!("")), "keys.auth"),
        (with("/keys/auth", json!(7)), "keys.auth"),
    ] {
        let call = fixture.app.post(PATH).token(&token).json(&body);
        let problem = call.await.expect(422);
        assert!(problem["fields"][field].is_string(), "{body} {problem}");
    }
    let ok = with("/keys/auth", good["keys"]["auth"].clone());
    let call = fixture.app.post(PATH).token(&token).json(&ok);
    call.await.expect(201);
    fixture.app.post(PATH).json(&ok).await.expect(401);
}

#[tokio::test]
async fn a_user_has_ten_browsers_and_the_oldest_makes_way() {
    let (fixture, server) = fixture().await;
    for n in 0..12 {
        let browser = Browser::at(&server, &n.to_string());
        subscribe(&fixture, OWNER, &browser, 201).await;
        fixture.clock.advance(Duration::seconds(1));
    }
    fixture.deliver(&event("tiffin.order.placed.v1", 1)).await;
    assert_eq!(push_due(&fixture.state).await.unwrap(), 10);
    assert!(
        server
            .received()
            .iter()
            .all(|left| left.at != "0" && left.at != "1")
    );
}
