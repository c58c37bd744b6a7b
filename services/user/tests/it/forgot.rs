use futures_util::future::join_all;
use serde_json::json;
use sha2::{Digest, Sha256};
use tiffin_events::Role;
use time::Duration;

use crate::fixture::{Fixture, PASSWORD, form, unfolded};

const NEW: &str = "Hopper-Stall@7am";
const ADDRESS: &str = "c@tiffin.local";
const OVER: &str = "This link is no longer valid. Please ask for a new one.";

#[tokio::test]
async fn a_mailed_link_sets_a_new_password_once_and_ends_what_the_old_one_opened() {
    let fixture = Fixture::start_with(&[("TIFFIN_PUBLIC_URL", "https://tiffin.example/")]).await;
    let me = fixture.account(Role::Customer, ADDRESS).await;
    fixture.forgot(" C@tiffin.local ").await.expect(202);
    let token = fixture.reset_token().await;
    // 32 bytes in base64.
    assert_eq!(token.len(), 43);
    let mail = unfolded(&fixture.sent().pop().unwrap());
    assert!(mail.contains("To: c@tiffin.local"), "{mail}");
    assert!(
        mail.contains("https://tiffin.example/reset-password#token="),
        "{mail}"
    );
    fixture.clock.advance(Duration::seconds(1));
    assert_eq!(
        fixture.reset(&token, NEW).await.expect(200)["message"],
        "Password changed"
    );
    assert_eq!(fixture.event_names().await, ["password_changed"]);
    let path = format!("/api/v1/users/{}", me.id);
    fixture.app.get(&path).token(&me.token).await.problem(401);
    fixture.refresh(&me.refresh).await.problem(401);
    fixture.login(ADDRESS, PASSWORD).await.problem(401);
    fixture.login(ADDRESS, NEW).await.expect(200);
    assert_eq!(fixture.reset(&token, NEW).await.problem(422), OVER);
    let mails = fixture.mails().await;
    assert_eq!(mails.len(), 2);
    assert!(mails[1].contains("Your Tiffin password was changed"));
}

#[tokio::test]
async fn every_address_gets_the_same_answer_and_those_with_an_account_a_mail() {
    let fixture = Fixture::start().await;
    let admin = fixture.account(Role::Admin, "a@tiffin.local").await;
    fixture.account(Role::Customer, "known@tiffin.local").await;
    fixture
        .account(Role::Customer, "blocked@tiffin.local")
        .await;
    let block = "/api/v1/users/block/blocked@tiffin.local";
    fixture.app.put(block).token(&admin.token).await.expect(200);
    let sign_up = fixture.app.post("/api/v1/users");
    sign_up
        .json(&form("unproven@tiffin.local"))
        .await
        .expect(201);
    fixture.account(Role::Customer, "google@tiffin.local").await;
    // As of an account that only Google opens.
    sqlx::query("update users set password_hash = '' where email = 'google@tiffin.local'")
        .execute(&fixture.db.pool)
        .await
        .unwrap();
    let mut answers = Vec::new();
    for name in ["known", "unknown", "unproven", "blocked", "google"] {
        let answer = fixture.forgot(&format!("{name}@tiffin.local")).await;
        answers.push(answer.expect(202));
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    let mails = fixture.mails().await;
    let to = |name: &str| {
        let to = format!("To: {name}@tiffin.local");
        mails.iter().filter(|mail| mail.contains(&to)).count()
    };
    assert_eq!(
        ["known", "unknown", "unproven", "blocked", "google"].map(to),
        [1, 0, 1, 0, 1]
    );
    let left: i64 = sqlx::query_scalar("select count(*) from password_requests")
        .fetch_one(&fixture.db.pool)
        .await
        .unwrap();
    assert_eq!(left, 0);
    for body in [json!({}), json!({ "email": "not one" })] {
        let ask = fixture.app.post("/api/v1/users/password/forgot");
        ask.json(&body).await.problem(422);
    }
}

#[tokio::test]
async fn a_token_ends_after_half_an_hour_and_with_the_next_one() {
    let fixture = Fixture::start().await;
    fixture.account(Role::Customer, ADDRESS).await;
    fixture.forgot(ADDRESS).await.expect(202);
    let first = fixture.reset_token().await;
    fixture.clock.advance(Duration::milliseconds(5));
    fixture.forgot(ADDRESS).await.expect(202);
    let second = fixture.reset_token().await;
    assert_ne!(first, second);
    assert_eq!(fixture.reset(&first, NEW).await.problem(422), OVER);
    // A password that breaks the rule uses nothing up.
    fixture.reset(&second, "weak").await.problem(422);
    fixture.clock.advance(Duration::minutes(30));
    assert_eq!(fixture.reset(&second, NEW).await.problem(422), OVER);
    fixture.forgot(ADDRESS).await.expect(202);
    let third = fixture.reset_token().await;
    fixture
        .clock
        .advance(Duration::minutes(30) - Duration::SECOND);
    let resets = (0..4).map(|_| fixture.reset(&third, NEW));
    let answers = join_all(resets).await;
    let taken = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(taken, 1);
    for body in [json!({}), json!({ "token": "", "password": NEW })] {
        let reset = fixture.app.post("/api/v1/users/password/reset");
        reset.json(&body).await.problem(422);
    }
}

#[tokio::test]
async fn a_token_is_kept_as_its_digest_alone() {
    let fixture = Fixture::start().await;
    fixture.account(Role::Customer, ADDRESS).await;
    fixture.forgot(ADDRESS).await.expect(202);
    let token = fixture.reset_token().await;
    let kept: Vec<u8> = sqlx::query_scalar("select hash from password_resets")
        .fetch_one(&fixture.db.pool)
        .await
        .unwrap();
    assert_eq!(kept, Sha256::digest(&token).to_vec());
    let mails: i64 = sqlx::query_scalar("select count(*) from mails")
        .fetch_one(&fixture.db.pool)
        .await
        .unwrap();
    assert_eq!(mails, 0);
}

#[tokio::test]
async fn a_reset_proves_the_address_and_other_sign_ups_end() {
    let fixture = Fixture::start().await;
    let sign_up = async |password: &str| {
        let mut body = form(ADDRESS);
        body["password"] = json!(password);
        let sign_up = fixture.app.post("/api/v1/users").json(&body);
        let id = sign_up.await.expect(201)["user"]["id"].clone();
        fixture.clock.advance(Duration::milliseconds(5));
        id
    };
    sign_up("Stranger-Danger@1").await;
    let newest = sign_up(PASSWORD).await;
    let stranger = fixture.login(ADDRESS, "Stranger-Danger@1").await;
    let stranger = stranger.expect(200)["token"].as_str().unwrap().to_owned();
    fixture.forgot(ADDRESS).await.expect(202);
    let token = fixture.reset_token().await;
    fixture.events().await;
    fixture.clock.advance(Duration::seconds(1));
    fixture.reset(&token, NEW).await.expect(200);
    let mut names = fixture.event_names().await;
    names.sort();
    assert_eq!(names, ["deleted", "password_changed", "verified"]);
    let send = fixture.app.get("/api/v1/users/sendOTP");
    send.token(&stranger).await.problem(401);
    for old in ["Stranger-Danger@1", PASSWORD] {
        fixture.login(ADDRESS, old).await.problem(401);
    }
    let user = fixture.login(ADDRESS, NEW).await.expect(200)["user"].clone();
    assert_eq!(
        (&user["id"], &user["emailVerified"]),
        (&newest, &json!(true))
    );
}

#[tokio::test]
async fn a_reset_leaves_the_second_factor_on() {
    let fixture = Fixture::start().await;
    let mut me = fixture.account(Role::Customer, ADDRESS).await;
    let factor = fixture.turn_on(&mut me).await;
    // The password was right: this sign-in waits for its code.
    let challenge = fixture.challenge(ADDRESS).await;
    fixture.forgot(ADDRESS).await.expect(202);
    let token = fixture.reset_token().await;
    fixture.reset(&token, NEW).await.expect(200);
    let code = fixture.app_code(&factor);
    fixture.second_step(&challenge, &code).await.problem(401);
    let asked = fixture.login(ADDRESS, NEW).await.expect(401);
    assert_eq!(asked["reason"], "second_factor_required");
    let challenge = asked["challenge"].as_str().unwrap();
    fixture.second_step(challenge, &code).await.expect(200);
}

#[tokio::test]
async fn mails_are_written_in_the_language_of_the_page() {
    let fixture = Fixture::start().await;
    fixture.account(Role::Customer, ADDRESS).await;
    for (language, subject) in [
        ("si", "Tiffin =?utf-8?"),
        ("ta", "Tiffin =?utf-8?"),
        ("en", "A new password"),
    ] {
        let ask = fixture.app.post("/api/v1/users/password/forgot");
        let body = json!({ "email": ADDRESS, "language": language });
        ask.json(&body).await.expect(202);
        fixture.clock.advance(Duration::milliseconds(5));
        let mail = fixture.mails().await.pop().unwrap();
        assert!(mail.contains(&format!("Subject: {subject}")), "{mail}");
    }
    let body = json!({ "email": ADDRESS, "language": "xx" });
    let ask = fixture.app.post("/api/v1/users/password/forgot");
    ask.json(&body).await.problem(422);
}

#[tokio::test]
async fn an_address_is_mailed_so_often_whether_it_has_an_account_or_not() {
    let fixture = Fixture::start_with(&[("TIFFIN_BEHIND_PROXY", "true")]).await;
    fixture.account(Role::Customer, "known@tiffin.local").await;
    let ask = async |email: &str, network: &str| {
        let ask = fixture.app.post("/api/v1/users/password/forgot");
        let ask = ask.header("x-forwarded-for", network);
        ask.json(&json!({ "email": email })).await
    };
    for email in ["known@tiffin.local", "unknown@tiffin.local"] {
        for _ in 0..5 {
            ask(email, "203.0.113.1").await.expect(202);
        }
        let refused = ask(email, "203.0.113.1").await;
        assert_eq!(refused.header("retry-after").as_deref(), Some("3600"));
        let said = refused.problem(429);
        assert_eq!(
            said,
            "A new password was asked for too often. Please try again later."
        );
        // A stranger's tries leave some to the owner.
        for network in 2..7 {
            for _ in 0..5 {
                let network = format!("203.0.113.{network}");
                ask(email, &network).await.expect(202);
            }
        }
        ask(email, "203.0.113.9").await.problem(429);
    }
    for n in 0..60 {
        let email = format!("u{n}@tiffin.local");
        ask(&email, "198.51.100.1").await.expect(202);
    }
    ask("more@tiffin.local", "198.51.100.1").await.problem(429);
    for _ in 0..60 {
        fixture.reset("none", NEW).await.problem(422);
    }
    fixture.reset("none", NEW).await.problem(429);
}
