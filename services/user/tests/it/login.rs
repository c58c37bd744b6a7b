use futures_util::future::join_all;
use serde_json::json;
use tiffin_events::Role;
use time::Duration;

use crate::fixture::{Fixture, PASSWORD, form, refresh_token};

#[tokio::test]
async fn the_right_password_opens_a_session() {
    let fixture = Fixture::start().await;
    fixture
        .account(Role::Restaurant, "owner@tiffin.local")
        .await;
    let answer = fixture.login(" OWNER@tiffin.local ", PASSWORD).await;
    let cookie = answer.header("set-cookie").unwrap();
    for part in [
        "Path=/api/v1/users",
        "HttpOnly",
        "SameSite=Strict",
        "Max-Age=2592000",
    ] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains("Secure"), "{cookie}");
    assert_eq!(answer.header("cache-control").as_deref(), Some("no-store"));
    let body = answer.expect(200);
    assert_eq!(
        (&body["user"]["role"], &body["message"]),
        (&json!("restaurant"), &json!("Login successful"))
    );
    assert!(body["user"].get("password").is_none() && body["user"].get("passwordHash").is_none());
}

#[tokio::test]
async fn the_cookie_is_for_https_only_where_browsers_come_by_https() {
    let fixture = Fixture::start_with(&[("TIFFIN_PUBLIC_URL", "https://tiffin.example")]).await;
    fixture.account(Role::Customer, "c@tiffin.local").await;
    let cookie = fixture
        .login("c@tiffin.local", PASSWORD)
        .await
        .header("set-cookie")
        .unwrap();
    assert!(cookie.contains("; Secure"), "{cookie}");
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_address_sound_the_same() {
    let fixture = Fixture::start().await;
    fixture.account(Role::Customer, "c@tiffin.local").await;
    let wrong = fixture.login("c@tiffin.local", "Wrong-Pass@1").await;
    assert_eq!(refresh_token(&wrong), None);
    let unknown = fixture.login("unknown@tiffin.local", PASSWORD).await;
    assert_eq!(wrong.problem(401), unknown.problem(401));
}

#[tokio::test]
async fn an_unproven_address_gets_in_no_further_than_its_verification() {
    let fixture = Fixture::start().await;
    fixture
        .app
        .post("/api/v1/users")
        .json(&form("new@tiffin.local"))
        .await
        .expect(201);
    let body = fixture
        .login("new@tiffin.local", PASSWORD)
        .await
        .expect(200);
    assert_eq!(body["message"], "Please verify your email first");
    assert_eq!(body["user"]["emailVerified"], false);
    let token = body["token"].as_str().unwrap();
    fixture
        .app
        .get("/api/v1/users")
        .token(token)
        .await
        .problem(403);
}

#[tokio::test]
async fn of_fifty_wrong_passwords_at_once_ten_are_looked_at() {
    let fixture = Fixture::start().await;
    fixture.account(Role::Customer, "c@tiffin.local").await;
    let answers = join_all((0..50).map(|n| {
        let app = &fixture;
        async move {
            app.login("c@tiffin.local", &format!("Wrong-Pass@{n}"))
                .await
                .status
                .as_u16()
        }
    }))
    .await;
    assert_eq!(
        answers.iter().filter(|status| **status == 401).count(),
        10,
        "{answers:?}"
    );
    assert_eq!(
        answers.iter().filter(|status| **status == 429).count(),
        40,
        "{answers:?}"
    );
}

#[tokio::test]
async fn after_too_many_wrong_ones_the_right_one_waits_too() {
    let fixture = Fixture::start().await;
    fixture.account(Role::Customer, "c@tiffin.local").await;
    for _ in 0..10 {
        fixture
            .login("c@tiffin.local", "Wrong-Pass@1")
            .await
            .problem(401);
    }
    let refused = fixture.login("c@tiffin.local", PASSWORD).await;
    assert_eq!(refused.header("retry-after").as_deref(), Some("900"));
    refused.problem(429);
    fixture.clock.advance(Duration::minutes(15));
    fixture.login("c@tiffin.local", PASSWORD).await.expect(200);
}

#[tokio::test]
async fn right_passwords_are_never_too_many() {
    let fixture = Fixture::start().await;
    fixture.account(Role::Customer, "c@tiffin.local").await;
    for answer in join_all((0..35).map(|_| fixture.login("c@tiffin.local", PASSWORD))).await {
        answer.expect(200);
    }
}

#[tokio::test]
async fn one_address_has_thirty_wrong_ones_a_minute() {
    let fixture = Fixture::start().await;
    for n in 0..30 {
        fixture
            .login(&format!("unknown{n}@tiffin.local"), PASSWORD)
            .await
            .problem(401);
    }
    let refused = fixture.login("nobody30@tiffin.local", PASSWORD).await;
    assert_eq!(refused.header("retry-after").as_deref(), Some("60"));
    refused.problem(429);
    fixture.clock.advance(Duration::minutes(1));
    fixture
        .login("nobody30@tiffin.local", PASSWORD)
        .await
        .problem(401);
}

#[tokio::test]
async fn a_login_that_a_block_overtakes_is_refused() {
    let fixture = Fixture::start().await;
    fixture.account(Role::Customer, "c@tiffin.local").await;
    let block = "update users set blocked = true";
    let answer = fixture
        .overtaken(block, fixture.login("c@tiffin.local", PASSWORD))
        .await;
    assert_eq!(answer.problem(403), "User is blocked");
}

#[tokio::test]
async fn a_login_with_a_password_that_changes_meanwhile_is_refused() {
    let fixture = Fixture::start().await;
    fixture.account(Role::Customer, "c@tiffin.local").await;
    let change = "update users set password_hash = 'another'";
    let answer = fixture
        .overtaken(change, fixture.login("c@tiffin.local", PASSWORD))
        .await;
    assert_eq!(refresh_token(&answer), None);
    answer.problem(401);
}
