use futures_util::future::join_all;
use serde_json::json;
use time::Duration;

use crate::fixture::{Fixture, PASSWORD, form};

const SEND: &str = "/api/v1/users/sendOTP";
const VERIFY: &str = "/api/v1/users/verifyOTP";

/// A new account, by its token.
async fn newcomer(fixture: &Fixture) -> String {
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
    fixture.events().await;
    body["token"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn the_code_from_the_mail_proves_the_address() {
    let fixture = Fixture::start().await;
    let token = newcomer(&fixture).await;
    fixture.app.get(SEND).token(&token).await.expect(200);
    let mails = fixture.mails().await;
    assert_eq!(mails.len(), 1);
    assert!(mails[0].contains("To: new@tiffin.local"), "{}", mails[0]);
    let code = fixture.code().await;
    let body = fixture
        .app
        .post(VERIFY)
        .token(&token)
        .json(&json!({ "otp": code }))
        .await
        .expect(200);
    assert_eq!(body["user"]["emailVerified"], true);
    assert_eq!(fixture.event_names().await, ["verified"]);
    let full = body["token"].as_str().unwrap();
    // A full token is refused for its role now, no longer for its address.
    assert_eq!(
        fixture
            .app
            .get("/api/v1/users")
            .token(full)
            .await
            .problem(403),
        "You may not do this."
    );
    fixture.app.get(SEND).token(&token).await.problem(409);
    fixture
        .app
        .post(VERIFY)
        .token(&token)
        .json(&json!({ "otp": code }))
        .await
        .problem(409);
}

#[tokio::test]
async fn one_mail_in_half_a_minute() {
    let fixture = Fixture::start().await;
    let token = newcomer(&fixture).await;
    let answers =
        join_all((0..6).map(|_| async { fixture.app.get(SEND).token(&token).await })).await;
    let sent = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(sent, 1);
    let refused = answers.iter().find(|answer| answer.status == 429).unwrap();
    assert_eq!(refused.header("retry-after").as_deref(), Some("30"));
    fixture.clock.advance(Duration::seconds(30));
    fixture.app.get(SEND).token(&token).await.expect(200);
    assert_eq!(fixture.mails().await.len(), 2);
}

#[tokio::test]
async fn twenty_mails_a_day_bound_the_guesses_too() {
    let fixture = Fixture::start().await;
    let token = newcomer(&fixture).await;
    for _ in 0..20 {
        fixture.app.get(SEND).token(&token).await.expect(200);
        fixture.clock.advance(Duration::seconds(30));
    }
    fixture.app.get(SEND).token(&token).await.problem(429);
    fixture.clock.advance(Duration::days(1));
    let token = fixture.sign_in("new@tiffin.local").await.token;
    fixture.app.get(SEND).token(&token).await.expect(200);
}

#[tokio::test]
async fn a_code_has_five_tries_even_at_once() {
    let fixture = Fixture::start().await;
    let token = newcomer(&fixture).await;
    fixture.app.get(SEND).token(&token).await.expect(200);
    let code = fixture.code().await;
    let wrong = if code == "000000" { "000001" } else { "000000" };
    let tries = (0..12).map(|_| async {
        fixture
            .app
            .post(VERIFY)
            .token(&token)
            .json(&json!({ "otp": wrong }))
            .await
    });
    let answers = join_all(tries).await;
    let (wrong, refused): (Vec<_>, Vec<_>) =
        answers.into_iter().partition(|answer| answer.status == 422);
    assert_eq!((wrong.len(), refused.len()), (5, 7));
    for answer in wrong {
        assert_eq!(answer.problem(422), "The code is wrong.");
    }
    for answer in refused {
        assert_eq!(answer.header("retry-after").as_deref(), Some("30"));
        answer.problem(429);
    }
    fixture.clock.advance(Duration::minutes(2));
    let right = json!({ "otp": code });
    let refused = fixture.app.post(VERIFY).token(&token).json(&right).await;
    assert_eq!(refused.header("retry-after").as_deref(), Some("1"));
    refused.problem(429);
    assert!(fixture.events().await.is_empty());
}

#[tokio::test]
async fn a_code_is_good_for_ten_minutes() {
    let fixture = Fixture::start().await;
    let token = newcomer(&fixture).await;
    fixture.app.get(SEND).token(&token).await.expect(200);
    let code = fixture.code().await;
    fixture.clock.advance(Duration::minutes(10));
    fixture
        .app
        .post(VERIFY)
        .token(&token)
        .json(&json!({ "otp": code }))
        .await
        .problem(422);
}

#[tokio::test]
async fn an_empty_code_is_asked_for() {
    let fixture = Fixture::start().await;
    let token = newcomer(&fixture).await;
    for body in [json!({ "otp": " " }), json!({})] {
        let answer = fixture.app.post(VERIFY).token(&token).json(&body).await;
        assert_eq!(answer.problem(422), "Please enter the OTP.");
    }
    fixture.app.get(SEND).await.problem(401);
}

#[tokio::test]
async fn a_code_is_kept_nowhere_once_it_is_sent() {
    let fixture = Fixture::start().await;
    let token = newcomer(&fixture).await;
    fixture.app.get(SEND).token(&token).await.expect(200);
    let code = fixture.code().await;
    let waiting = sqlx::query_scalar("select count(*) from mails").fetch_one(&fixture.db.pool);
    let waiting: i64 = waiting.await.unwrap();
    assert_eq!(waiting, 0);
    let hash: String = sqlx::query_scalar("select hash from codes")
        .fetch_one(&fixture.db.pool)
        .await
        .unwrap();
    assert!(
        hash.starts_with("$argon2id$") && !hash.contains(&code),
        "{hash}"
    );
}

#[tokio::test]
async fn the_worker_sends_without_being_asked() {
    let fixture = Fixture::start().await;
    let token = newcomer(&fixture).await;
    fixture.app.get(SEND).token(&token).await.expect(200);
    assert_eq!(fixture.work_until_sent(1).await.len(), 1);
}
