use futures_util::future::join_all;
use serde_json::json;
use tiffin_events::Role;
use time::Duration;

use crate::{
    fixture::{Fixture, PASSWORD, refresh_token},
    second_factor::claims,
};

const EMAIL: &str = "c@tiffin.local";

#[tokio::test]
async fn the_password_alone_opens_no_session_and_a_code_of_the_app_does() {
    let fixture = Fixture::start().await;
    let mut account = fixture.account(Role::Customer, EMAIL).await;
    let factor = fixture.turn_on(&mut account).await;
    let first = fixture.login(EMAIL, PASSWORD).await;
    assert_eq!(
        first.problem(401),
        "Please enter the code of your authenticator app to sign in."
    );
    let challenge = fixture.challenge(EMAIL).await;
    let answer = fixture
        .second_step(&challenge, &fixture.app_code(&factor))
        .await;
    assert!(refresh_token(&answer).is_some());
    assert_eq!(answer.header("cache-control").as_deref(), Some("no-store"));
    let body = answer.expect(200);
    assert_eq!(body["message"], "Login successful");
    let said = claims(body["token"].as_str().unwrap());
    assert_eq!(said["amr"], json!(["pwd", "otp"]));
    assert_eq!(said["auth_time"], fixture.clock.now().unix_timestamp());
}

#[tokio::test]
async fn a_code_is_good_once_even_for_many_at_once() {
    let fixture = Fixture::start().await;
    let mut account = fixture.account(Role::Customer, EMAIL).await;
    let factor = fixture.turn_on(&mut account).await;
    let code = fixture.app_code(&factor);
    let challenges = join_all((0..5).map(|_| fixture.challenge(EMAIL))).await;
    let answers = join_all(
        challenges
            .iter()
            .map(|challenge| fixture.second_step(challenge, &code)),
    )
    .await;
    let right = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(right, 1);
    let challenge = fixture.challenge(EMAIL).await;
    let used = fixture.second_step(&challenge, &code).await;
    assert_eq!(used.problem(422), "The code is wrong.");
    // The one before it is no better, and the next one is good.
    fixture.clock.advance(Duration::seconds(30));
    fixture.second_step(&challenge, &code).await.problem(422);
    let next = fixture.app_code(&factor);
    fixture.second_step(&challenge, &next).await.expect(200);
}

#[tokio::test]
async fn a_challenge_is_good_for_one_sign_in_five_tries_and_five_minutes() {
    let fixture = Fixture::start().await;
    let mut account = fixture.account(Role::Customer, EMAIL).await;
    let factor = fixture.turn_on(&mut account).await;
    let over = "This sign-in is over. Please enter your password again.";

    let tried = fixture.challenge(EMAIL).await;
    for _ in 0..5 {
        fixture.second_step(&tried, "000000").await.problem(422);
    }
    let right = fixture.app_code(&factor);
    assert_eq!(fixture.second_step(&tried, &right).await.problem(401), over);

    let used = fixture.challenge(EMAIL).await;
    fixture.second_step(&used, &right).await.expect(200);
    fixture.clock.advance(Duration::seconds(30));
    let right = fixture.app_code(&factor);
    assert_eq!(fixture.second_step(&used, &right).await.problem(401), over);

    let old = fixture.challenge(EMAIL).await;
    fixture.clock.advance(Duration::minutes(5));
    let right = fixture.app_code(&factor);
    assert_eq!(fixture.second_step(&old, &right).await.problem(401), over);
    let made_up = fixture.second_step("made up", &right).await;
    assert_eq!(made_up.problem(401), over);
}

#[tokio::test]
async fn another_password_or_a_block_ends_a_sign_in_under_way() {
    let fixture = Fixture::start().await;
    let mut account = fixture.account(Role::Customer, EMAIL).await;
    let factor = fixture.turn_on(&mut account).await;
    let challenge = fixture.challenge(EMAIL).await;
    let path = format!("/api/v1/users/update/password/{}", account.id);
    let change = fixture.app.put(&path).token(&account.token);
    let body = json!({ "oldPassword": PASSWORD, "newPassword": "Hopper#Egg99" });
    change.json(&body).await.expect(200);
    let right = fixture.app_code(&factor);
    fixture.second_step(&challenge, &right).await.problem(401);
}

#[tokio::test]
async fn a_recovery_code_signs_in_once_and_its_owner_is_mailed() {
    let fixture = Fixture::start().await;
    let mut account = fixture.account(Role::Customer, EMAIL).await;
    let factor = fixture.turn_on(&mut account).await;
    let code = factor.recovery_codes[7].to_uppercase();
    let challenge = fixture.challenge(EMAIL).await;
    fixture.second_step(&challenge, &code).await.expect(200);
    let mails = fixture.mails().await;
    assert!(
        mails
            .iter()
            .any(|mail| mail.contains("A recovery code was used"))
    );
    let challenge = fixture.challenge(EMAIL).await;
    fixture.second_step(&challenge, &code).await.problem(422);
    let other = &factor.recovery_codes[0];
    fixture.second_step(&challenge, other).await.expect(200);
}

#[tokio::test]
async fn codes_of_one_account_are_nothing_to_another() {
    let fixture = Fixture::start().await;
    let mut account = fixture.account(Role::Customer, EMAIL).await;
    let mut other = fixture.account(Role::Customer, "d@tiffin.local").await;
    fixture.turn_on(&mut account).await;
    let theirs = fixture.turn_on(&mut other).await;
    let challenge = fixture.challenge(EMAIL).await;
    for code in [fixture.app_code(&theirs), theirs.recovery_codes[0].clone()] {
        fixture.second_step(&challenge, &code).await.problem(422);
    }
}

#[tokio::test]
async fn a_refresh_says_as_before_when_it_was_shown_and_a_confirmation_says_now() {
    let fixture = Fixture::start().await;
    let account = fixture.account(Role::Customer, EMAIL).await;
    let at = fixture.clock.now().unix_timestamp();
    fixture.clock.advance(Duration::minutes(10));
    let renewed = fixture.refresh(&account.refresh).await;
    let refresh = refresh_token(&renewed).unwrap();
    let renewed = renewed.expect(200);
    let token = renewed["token"].as_str().unwrap();
    let said = claims(token);
    assert_eq!(
        (&said["auth_time"], &said["amr"]),
        (&json!(at), &json!(["pwd"]))
    );

    let confirm = async |body: serde_json::Value| {
        let call = fixture.app.post("/api/v1/users/confirm").token(token);
        let cookie = format!("tiffin_refresh={refresh}");
        call.header("cookie", &cookie).json(&body).await
    };
    let missing = confirm(json!({})).await;
    assert_eq!(missing.problem(422), "Please enter your password.");
    let wrong = confirm(json!({ "password": "Wrong-Pass@1" })).await;
    assert_eq!(wrong.problem(422), "The password is wrong.");
    let confirmed = confirm(json!({ "password": PASSWORD })).await.expect(200);
    let now = fixture.clock.now().unix_timestamp();
    let said = claims(confirmed["token"].as_str().unwrap());
    assert_eq!(
        (&said["auth_time"], &said["amr"]),
        (&json!(now), &json!(["pwd"]))
    );
    // The session remembers.
    fixture.clock.advance(Duration::minutes(2));
    let renewed = fixture.refresh(&refresh).await.expect(200);
    assert_eq!(claims(renewed["token"].as_str().unwrap())["auth_time"], now);
}

#[tokio::test]
async fn who_has_the_app_confirms_with_its_code_and_not_with_the_password() {
    let fixture = Fixture::start().await;
    let mut account = fixture.account(Role::Customer, EMAIL).await;
    let factor = fixture.turn_on(&mut account).await;
    let confirm = async |body: serde_json::Value| {
        let call = fixture.app.post("/api/v1/users/confirm");
        call.token(&account.token).json(&body).await
    };
    let password = confirm(json!({ "password": PASSWORD })).await;
    assert_eq!(
        password.problem(422),
        "Please enter the code of your authenticator app."
    );
    confirm(json!({ "code": "000000" })).await.problem(422);
    let code = json!({ "code": fixture.app_code(&factor) });
    let confirmed = confirm(code.clone()).await.expect(200);
    let said = claims(confirmed["token"].as_str().unwrap());
    assert_eq!(said["amr"], json!(["otp"]));
    confirm(code).await.problem(422);
}
