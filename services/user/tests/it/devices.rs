//! Wrong passwords lock no account, and right ones are limited, too.

use serde_json::{Value, json};
use tiffin_events::Role;
use tiffin_testkit::Answer;
use time::Duration;

use crate::fixture::{Fixture, PASSWORD};

const EMAIL: &str = "c@tiffin.local";
const HOME: &str = "203.0.113.7";
const ELSEWHERE: &str = "198.51.100.9";

async fn fixture() -> Fixture {
    let fixture = Fixture::start_with(&[("TIFFIN_BEHIND_PROXY", "true")]).await;
    fixture.account(Role::Customer, EMAIL).await;
    fixture
}

/// A sign-in from a network, by a browser that may show a key.
async fn login(fixture: &Fixture, from: &str, key: Option<&str>, password: &str) -> Answer {
    let body = json!({ "email": EMAIL, "password": password });
    let mut call = fixture.app.post("/api/v1/users/login");
    call = call.header("x-forwarded-for", from);
    if let Some(key) = key {
        call = call.header("cookie", &format!("tiffin_device={key}"));
    }
    call.json(&body).await
}

/// The cookie by which a browser is known.
fn device_cookie(answer: &Answer) -> String {
    let cookies = answer.headers.get_all("set-cookie").into_iter();
    let mut texts = cookies.map(|cookie| cookie.to_str().unwrap());
    let cookie = texts.find(|cookie| cookie.starts_with("tiffin_device="));
    cookie.unwrap().to_owned()
}

fn key(answer: &Answer) -> String {
    let cookie = device_cookie(answer);
    let (_, rest) = cookie.split_once('=').unwrap();
    rest.split(';').next().unwrap().to_owned()
}

async fn known_browser(fixture: &Fixture) -> String {
    let answer = login(fixture, HOME, None, PASSWORD).await;
    let key = key(&answer);
    answer.expect(200);
    key
}

#[tokio::test]
async fn twelve_wrong_passwords_of_a_stranger_lock_no_other_network_out() {
    let fixture = fixture().await;
    let key = known_browser(&fixture).await;
    let session = login(&fixture, HOME, Some(&key), PASSWORD)
        .await
        .expect(200);
    let mut answers = Vec::new();
    for _ in 0..12 {
        answers.push(
            login(&fixture, ELSEWHERE, None, "Wrong-Pass@1")
                .await
                .status
                .as_u16(),
        );
    }
    assert_eq!(answers, [[401; 10].as_slice(), &[429; 2]].concat());
    login(&fixture, ELSEWHERE, None, PASSWORD)
        .await
        .problem(429);

    // The owner: by the known browser in any network, and by a new one in another network.
    login(&fixture, ELSEWHERE, Some(&key), PASSWORD)
        .await
        .expect(200);
    login(&fixture, HOME, None, PASSWORD).await.expect(200);
    // In a session the password can be changed.
    let id = session["user"]["_id"].as_str().unwrap();
    let path = format!("/api/v1/users/update/password/{id}");
    let change = json!({ "oldPassword": PASSWORD, "newPassword": "Hopper-Stall@7am" });
    let call = fixture.app.put(&path).header("x-forwarded-for", ELSEWHERE);
    let call = call.token(session["token"].as_str().unwrap());
    call.json(&change).await.expect(200);
}

#[tokio::test]
async fn guesses_from_two_hundred_networks_are_slowed_and_a_known_browser_is_not() {
    let fixture = fixture().await;
    let key = known_browser(&fixture).await;
    let mut looked_at = 0;
    for number in 0..200 {
        let from = format!("192.0.2.{number}");
        let answer = login(&fixture, &from, None, "Wrong-Pass@1").await;
        match answer.status.as_u16() {
            401 => looked_at += 1,
            429 => assert_eq!(answer.header("retry-after").as_deref(), Some("60")),
            other => panic!("{other}"),
        }
    }
    // A hundred an hour, and one of this minute.
    assert_eq!(looked_at, 101);
    login(&fixture, ELSEWHERE, Some(&key), PASSWORD)
        .await
        .expect(200);
    fixture.clock.advance(Duration::minutes(1));
    // Slowed, and not locked: a new browser gets its try.
    login(&fixture, ELSEWHERE, None, PASSWORD).await.expect(200);
}

#[tokio::test]
async fn a_known_browser_has_ten_tries_too() {
    let fixture = fixture().await;
    let key = known_browser(&fixture).await;
    for _ in 0..10 {
        login(&fixture, HOME, Some(&key), "Wrong-Pass@1")
            .await
            .problem(401);
    }
    login(&fixture, HOME, Some(&key), PASSWORD)
        .await
        .problem(429);
    login(&fixture, ELSEWHERE, None, PASSWORD).await.expect(200);
}

#[tokio::test]
async fn a_browser_keeps_its_own_key_and_no_other() {
    let fixture = fixture().await;
    let first = login(&fixture, HOME, None, PASSWORD).await;
    let cookie = device_cookie(&first);
    for part in [
        "Path=/api/v1/users",
        "Max-Age=15552000",
        "HttpOnly",
        "SameSite=Strict",
    ] {
        assert!(cookie.contains(part), "{cookie}");
    }
    let own = key(&first);
    let again = login(&fixture, HOME, Some(&own), PASSWORD).await;
    assert_eq!(key(&again), own);
    // A planted cookie is not taken.
    let planted = login(&fixture, HOME, Some("planted-by-a-stranger"), PASSWORD).await;
    assert_ne!(key(&planted), "planted-by-a-stranger");
    // A browser that is known to one account is a stranger to others.
    fixture.account(Role::Customer, "other@tiffin.local").await;
    let mut conn = fixture.db.pool.acquire().await.unwrap();
    let known: i64 = sqlx::query_scalar(
        "select count(*) from known_devices d join users u on u.id = d.user_id
         where u.email = 'other@tiffin.local' and d.hash = sha256($1::bytea)",
    )
    .bind(own.as_bytes())
    .fetch_one(&mut *conn)
    .await
    .unwrap();
    assert_eq!(known, 0);
}

#[tokio::test]
async fn of_two_hundred_and_forty_right_passwords_sixty_open_a_session_and_fifty_stay() {
    let fixture = fixture().await;
    let mut sessions = Vec::new();
    for _ in 0..240 {
        let answer = login(&fixture, ELSEWHERE, None, PASSWORD).await;
        if answer.status == 200 {
            sessions.push(crate::fixture::refresh_token(&answer).unwrap());
            fixture.clock.advance(Duration::SECOND);
            continue;
        }
        // An hour after the first of sixty in a minute.
        assert_eq!(answer.header("retry-after").as_deref(), Some("3540"));
        answer.problem(429);
    }
    assert_eq!(sessions.len(), 60);
    for ended in &sessions[..10] {
        fixture.refresh(ended).await.problem(401);
    }
    for open in [&sessions[10], &sessions[59]] {
        fixture.refresh(open).await.expect(200);
    }
    // Another network is another matter.
    login(&fixture, HOME, None, PASSWORD).await.expect(200);
}

#[tokio::test]
async fn closing_ones_account_asks_for_the_password_of_the_last_minutes() {
    let fixture = Fixture::start().await;
    let me = fixture.account(Role::Customer, EMAIL).await;
    let path = format!("/api/v1/users/{}", me.id);
    fixture.clock.advance(Duration::minutes(6));
    let late = fixture.app.delete(&path).token(&me.token).await;
    let asked = late.header("www-authenticate").unwrap();
    assert!(
        asked.contains("insufficient_user_authentication"),
        "{asked}"
    );
    late.problem(401);
    let confirm = |password: &'static str| {
        let call = fixture.app.post("/api/v1/users/confirm").token(&me.token);
        call.json(&json!({ "password": password }))
    };
    confirm("Wrong-Pass@1").await.problem(422);
    let confirmed: Value = confirm(PASSWORD).await.expect(200);
    let token = confirmed["token"].as_str().unwrap();
    fixture.app.delete(&path).token(token).await.expect(200);
}
