use futures_util::future::join_all;
use serde_json::{Value, json};
use tiffin_events::{Role, UserId};
use time::Duration;

use crate::fixture::{Fixture, PASSWORD, SERVICE_KEY, form};

const ADDRESS: &str = "owner@tiffin.local";
const STRANGERS: &str = "Stranger-Danger@1";
const USERS: &str = "/api/v1/users";
const SEND: &str = "/api/v1/users/sendOTP";
const VERIFY: &str = "/api/v1/users/verifyOTP";

/// Signs up and signs in; answers the id and the token.
async fn sign_up(fixture: &Fixture, name: &str, password: &str) -> (String, String) {
    let mut body = form(ADDRESS);
    (body["firstName"], body["password"]) = (json!(name), json!(password));
    let made = fixture.app.post(USERS).json(&body).await.expect(201);
    let login = fixture.login(ADDRESS, password).await.expect(200);
    assert_eq!(login["user"]["id"], made["user"]["id"]);
    assert_eq!(login["user"]["firstName"], name);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (text(&made["user"]["id"]), text(&login["token"]))
}

/// Has a code mailed and answers it.
async fn code(fixture: &Fixture, token: &str) -> String {
    fixture.app.get(SEND).token(token).await.expect(200);
    // Files of mails are ordered by the time of their ids.
    fixture.clock.advance(Duration::milliseconds(5));
    fixture.code().await
}

#[tokio::test]
async fn who_proves_an_address_gets_the_account_that_they_signed_up_for() {
    let fixture = Fixture::start().await;
    let (strangers_id, stranger) = sign_up(&fixture, "Stranger", STRANGERS).await;
    let strangers_code = code(&fixture, &stranger).await;
    let (id, mine) = sign_up(&fixture, "Owner", PASSWORD).await;
    let mine_code = code(&fixture, &mine).await;
    let refresh = fixture.login(ADDRESS, STRANGERS).await;
    let refresh = crate::fixture::refresh_token(&refresh).unwrap();
    fixture.events().await;
    fixture.clock.advance(Duration::seconds(1));
    // The code of one is no code of the other.
    if strangers_code != mine_code {
        let crossed = fixture.app.post(VERIFY).token(&stranger);
        let crossed = crossed.json(&json!({ "otp": mine_code })).await;
        assert_eq!(crossed.problem(422), "The code is wrong.");
    }
    let proven = fixture.app.post(VERIFY).token(&mine);
    let proven = proven.json(&json!({ "otp": mine_code })).await.expect(200);
    let user = &proven["user"];
    assert_eq!(
        (&user["id"], &user["firstName"], &user["emailVerified"]),
        (&json!(id), &json!("Owner"), &json!(true))
    );
    // The stranger's account, tokens, sessions and code are gone.
    let mut names = fixture.event_names().await;
    names.sort();
    assert_eq!(names, ["deleted", "verified"]);
    let path = format!("{USERS}/{strangers_id}");
    fixture.app.get(&path).token(&stranger).await.problem(401);
    fixture.refresh(&refresh).await.problem(401);
    let late = fixture.app.post(VERIFY).token(&stranger);
    let late = late.json(&json!({ "otp": strangers_code })).await;
    late.problem(401);
    fixture.login(ADDRESS, STRANGERS).await.problem(401);
    let again = fixture.login(ADDRESS, PASSWORD).await.expect(200);
    assert_eq!(again["user"]["id"], json!(id));
    let taken = fixture.app.post(USERS).json(&form(ADDRESS)).await;
    assert_eq!(taken.problem(409), "Email Already Added");
}

#[tokio::test]
async fn of_two_who_prove_it_at_once_one_has_it() {
    let fixture = Fixture::start().await;
    let (_, first) = sign_up(&fixture, "First", PASSWORD).await;
    let first_code = code(&fixture, &first).await;
    let (_, second) = sign_up(&fixture, "Second", STRANGERS).await;
    let second_code = code(&fixture, &second).await;
    fixture.events().await;
    let tries = [(&first, first_code), (&second, second_code)].map(|(token, code)| {
        let call = fixture.app.post(VERIFY).token(token);
        async move { call.json(&json!({ "otp": code })).await.status.as_u16() }
    });
    let mut answers = join_all(tries).await;
    answers.sort_unstable();
    assert_eq!(answers[0], 200);
    assert!([401, 404].contains(&answers[1]), "{answers:?}");
    let kept: i64 = sqlx::query_scalar("select count(*) from users where email = $1")
        .bind(ADDRESS)
        .fetch_one(&fixture.db.pool)
        .await
        .unwrap();
    assert_eq!(kept, 1);
}

#[tokio::test]
async fn a_blocked_sign_up_is_not_undone_by_another() {
    let fixture = Fixture::start().await;
    let admin = fixture.account(Role::Admin, "a@tiffin.local").await;
    let (_, first) = sign_up(&fixture, "First", PASSWORD).await;
    let code = code(&fixture, &first).await;
    sign_up(&fixture, "Second", STRANGERS).await;
    let path = format!("{USERS}/block/{ADDRESS}");
    fixture.app.put(&path).token(&admin.token).await.expect(200);
    let refused = fixture.app.post(USERS).json(&form(ADDRESS)).await;
    refused.problem(409);
    let verify = fixture.app.post(VERIFY).token(&first);
    let verify = verify.json(&json!({ "otp": code })).await;
    assert_eq!(verify.problem(403), "User is blocked");
    fixture.forgot(ADDRESS).await.expect(202);
    let mails = fixture.mails().await.len();
    assert_eq!(mails, 1);
}

#[tokio::test]
async fn twenty_wait_with_one_address_and_those_with_a_code_stay() {
    let fixture = Fixture::start().await;
    let (id, token) = sign_up(&fixture, "Owner", PASSWORD).await;
    let code = code(&fixture, &token).await;
    for n in 0..25 {
        let mut body = form(ADDRESS);
        body["password"] = json!(format!("Stranger-Danger@{n}"));
        fixture.app.post(USERS).json(&body).await.expect(201);
        fixture.clock.advance(Duration::milliseconds(5));
    }
    let waiting: Vec<uuid::Uuid> = sqlx::query_scalar("select id from users where email = $1")
        .bind(ADDRESS)
        .fetch_all(&fixture.db.pool)
        .await
        .unwrap();
    assert_eq!(waiting.len(), 20);
    let id: UserId = id.parse().unwrap();
    assert!(waiting.contains(&id.0));
    let verify = fixture.app.post(VERIFY).token(&token);
    verify.json(&json!({ "otp": code })).await.expect(200);
}

#[tokio::test]
async fn many_sign_ups_get_an_address_no_more_codes_than_one() {
    let fixture = Fixture::start().await;
    let mut sent = 0;
    for n in 0..6 {
        let (_, token) = sign_up(&fixture, "Stranger", &format!("Stranger-Danger@{n}")).await;
        for _ in 0..5 {
            let answer = fixture.app.get(SEND).token(&token).await;
            sent += usize::from(answer.status == 200);
            fixture.clock.advance(Duration::seconds(30));
        }
    }
    assert_eq!(sent, 20);
}

#[tokio::test]
async fn a_driver_gives_way_too() {
    let fixture = Fixture::start().await;
    let mut body = form(ADDRESS);
    (body["id"], body["password"]) = (json!(fixture.clock.new_id()), json!(STRANGERS));
    let make = fixture.app.post("/internal/users");
    let make = make.header("authorization", &format!("Service {SERVICE_KEY}"));
    make.json(&body).await.expect(201);
    let (_, token) = sign_up(&fixture, "Owner", PASSWORD).await;
    let code = code(&fixture, &token).await;
    fixture.events().await;
    let verify = fixture.app.post(VERIFY).token(&token);
    verify.json(&json!({ "otp": code })).await.expect(200);
    let mut names = fixture.event_names().await;
    names.sort();
    assert_eq!(names, ["deleted", "verified"]);
    fixture.login(ADDRESS, STRANGERS).await.problem(401);
}
