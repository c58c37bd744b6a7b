use futures_util::future::join_all;
use serde_json::{Value, json};
use tiffin_events::Role;
use tiffin_testkit::authenticator;
use time::Duration;

use crate::fixture::{Account, Factor, Fixture, PASSWORD, refresh_token};

const PATH: &str = "/api/v1/users/second-factor";

/// The claims of a token.
pub fn claims(token: &str) -> Value {
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
    let payload = token.split('.').nth(1).unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload).unwrap()).unwrap()
}

async fn state(fixture: &Fixture, token: &str) -> Value {
    fixture.app.get(PATH).token(token).await.expect(200)
}

async fn call(
    fixture: &Fixture,
    path: &str,
    account: &Account,
    body: Value,
) -> tiffin_testkit::Answer {
    let cookie = format!("tiffin_refresh={}", account.refresh);
    let call = fixture.app.post(&format!("{PATH}{path}"));
    call.header("cookie", &cookie)
        .token(&account.token)
        .json(&body)
        .await
}

#[tokio::test]
async fn any_account_turns_it_on_and_gets_ten_recovery_codes_once() {
    let fixture = Fixture::start().await;
    let mut account = fixture.account(Role::Customer, "c@tiffin.local").await;
    let off = json!({ "isOn": false, "isRequired": false, "recoveryCodesLeft": 0 });
    assert_eq!(state(&fixture, &account.token).await, off);

    let setup = fixture.app.post(PATH).token(&account.token).await;
    assert_eq!(setup.header("cache-control").as_deref(), Some("no-store"));
    let setup = setup.expect(200);
    let address = setup["address"].as_str().unwrap();
    assert!(address.starts_with("otpauth://totp/Tiffin:"), "{address}");
    assert!(setup["qr"]["path"].as_str().unwrap().starts_with('M'));
    // Begun is not turned on.
    assert_eq!(state(&fixture, &account.token).await, off);
    fixture.login("c@tiffin.local", PASSWORD).await.expect(200);

    let factor = fixture.turn_on(&mut account).await;
    assert_eq!(factor.recovery_codes.len(), 10);
    let on = json!({ "isOn": true, "isRequired": false, "recoveryCodesLeft": 10 });
    assert_eq!(state(&fixture, &account.token).await, on);
    let again = fixture.app.post(PATH).token(&account.token).await;
    assert_eq!(again.problem(409), "Two-step sign-in is on already.");
    let mails = fixture.mails().await;
    assert!(mails.last().unwrap().contains("Two-step sign-in is on"));
    let stored: Vec<String> = sqlx::query_scalar(
        "select encode(secret, 'hex') from second_factors union all select hash from recovery_codes",
    )
    .fetch_all(&fixture.db.pool)
    .await
    .unwrap();
    assert_eq!(stored.len(), 11);
    for code in &factor.recovery_codes {
        let bare = code.replace('-', "");
        assert!(stored.iter().all(|stored| !stored.contains(&bare)));
    }
}

#[tokio::test]
async fn turning_it_on_and_off_ends_all_other_sessions_and_all_tokens() {
    let fixture = Fixture::start().await;
    let mut account = fixture.account(Role::Customer, "c@tiffin.local").await;
    fixture.clock.advance(Duration::seconds(1));
    let other = fixture.sign_in("c@tiffin.local").await;
    let before = account.token.clone();
    fixture.clock.advance(Duration::seconds(1));
    let factor = fixture.turn_on(&mut account).await;
    for ended in [&before, &other.token] {
        fixture.app.get(PATH).token(ended).await.problem(401);
    }
    fixture.refresh(&other.refresh).await.problem(401);
    let renewed = fixture.refresh(&account.refresh).await;
    account.refresh = refresh_token(&renewed).unwrap();
    renewed.expect(200);

    fixture.clock.advance(Duration::seconds(30));
    let challenge = fixture.challenge("c@tiffin.local").await;
    let code = fixture.app_code(&factor);
    let other = fixture.second_step(&challenge, &code).await.expect(200);
    fixture.clock.advance(Duration::seconds(30));
    let code = fixture.app_code(&factor);
    let wrong = json!({ "password": "Wrong-Pass@1", "code": code });
    call(&fixture, "/off", &account, wrong).await.problem(422);
    let wrong = json!({ "password": PASSWORD, "code": "000000" });
    call(&fixture, "/off", &account, wrong).await.problem(422);
    let right = json!({ "password": PASSWORD, "code": code });
    let off = call(&fixture, "/off", &account, right).await.expect(200);
    let ended = other["token"].as_str().unwrap();
    fixture.app.get(PATH).token(ended).await.problem(401);
    let now = state(&fixture, off["token"].as_str().unwrap()).await;
    assert_eq!(now["isOn"], false);
    fixture.login("c@tiffin.local", PASSWORD).await.expect(200);
    let mails = fixture.mails().await;
    assert!(
        mails
            .iter()
            .any(|mail| mail.contains("Two-step sign-in is off"))
    );
}

#[tokio::test]
async fn a_stolen_token_alone_turns_nothing_on_or_off() {
    let fixture = Fixture::start().await;
    let mut account = fixture.account(Role::Customer, "c@tiffin.local").await;
    fixture.clock.advance(Duration::seconds(301));
    let late = fixture.app.post(PATH).token(&account.token).await;
    let challenge = late.header("www-authenticate").unwrap();
    assert!(challenge.contains("insufficient_user_authentication"));
    late.problem(401);
    account = fixture.sign_in("c@tiffin.local").await;
    fixture.turn_on(&mut account).await;
    for path in ["/off", "/recovery-codes"] {
        let body = json!({ "password": PASSWORD, "code": "000000" });
        call(&fixture, path, &account, body).await.problem(422);
    }
}

#[tokio::test]
async fn it_is_on_only_once_the_app_shows_its_code() {
    let fixture = Fixture::start().await;
    let account = fixture.account(Role::Customer, "c@tiffin.local").await;
    let not_begun = call(&fixture, "/on", &account, json!({ "code": "000000" })).await;
    not_begun.problem(409);
    let first = call(&fixture, "", &account, json!({})).await.expect(200);
    let second = call(&fixture, "", &account, json!({})).await.expect(200);
    let code = |setup: &Value| {
        let secret = setup["secret"].as_str().unwrap();
        json!({ "code": authenticator(secret, fixture.clock.now()) })
    };
    let stale = call(&fixture, "/on", &account, code(&first)).await;
    assert_eq!(stale.problem(422), "The code is wrong.");
    call(&fixture, "/on", &account, code(&second))
        .await
        .expect(200);
}

#[tokio::test]
async fn new_recovery_codes_take_the_place_of_all_others() {
    let fixture = Fixture::start().await;
    let mut account = fixture.account(Role::Customer, "c@tiffin.local").await;
    let factor = fixture.turn_on(&mut account).await;
    let body = json!({ "code": fixture.app_code(&factor) });
    let renewed = call(&fixture, "/recovery-codes", &account, body)
        .await
        .expect(200);
    let codes: Vec<String> = serde_json::from_value(renewed["recoveryCodes"].clone()).unwrap();
    let challenge = fixture.challenge("c@tiffin.local").await;
    let old = &factor.recovery_codes[3];
    fixture.second_step(&challenge, old).await.problem(422);
    fixture.second_step(&challenge, &codes[3]).await.expect(200);
}

#[tokio::test]
async fn an_administrator_must_have_one_and_gets_no_further_without() {
    let fixture = required().await;
    for (role, email) in [
        (Role::Admin, "admin@tiffin.local"),
        (Role::Operator, "operator@tiffin.local"),
    ] {
        let mut admin = fixture.account(role, email).await;
        let signed_in = fixture.login(email, PASSWORD).await.expect(200);
        assert_eq!(signed_in["user"]["mustEnrol"], true);
        for path in ["/api/v1/users", "/api/v1/inquiry"] {
            let refused = fixture.app.get(path).token(&admin.token).await;
            assert_eq!(
                refused.problem(403),
                "Please turn on two-step sign-in first."
            );
        }
        let profile = fixture
            .app
            .put(&format!("/api/v1/users/update/{}", admin.id));
        let profile = profile
            .token(&admin.token)
            .json(&json!({ "firstName": "A" }));
        profile.await.problem(403);
        let renewed = fixture.refresh(&admin.refresh).await;
        admin.refresh = refresh_token(&renewed).unwrap();
        assert_eq!(renewed.expect(200)["user"]["mustEnrol"], true);
        assert_eq!(state(&fixture, &admin.token).await["isRequired"], true);

        let factor = fixture.turn_on(&mut admin).await;
        fixture
            .app
            .get("/api/v1/inquiry")
            .token(&admin.token)
            .await
            .expect(200);
        let challenge = fixture.challenge(email).await;
        let code = fixture.app_code(&factor);
        let signed_in = fixture.second_step(&challenge, &code).await.expect(200);
        assert_eq!(signed_in["user"]["mustEnrol"], false);
        let said = claims(signed_in["token"].as_str().unwrap());
        assert_eq!(
            (&said["enrol"], &said["amr"]),
            (&json!(false), &json!(["pwd", "otp"]))
        );
        // Without it, it is as before.
        fixture.clock.advance(Duration::seconds(30));
        let body = json!({ "password": PASSWORD, "code": fixture.app_code(&factor) });
        let off = call(&fixture, "/off", &admin, body).await.expect(200);
        assert_eq!(off["user"]["mustEnrol"], true);
        let token = off["token"].as_str().unwrap();
        fixture
            .app
            .get("/api/v1/inquiry")
            .token(token)
            .await
            .problem(403);
    }
}

#[tokio::test]
async fn everybody_else_may_go_without_where_administrators_must() {
    let fixture = required().await;
    for role in [Role::Customer, Role::Restaurant, Role::Delivery] {
        let account = fixture.account(role, &format!("{role}@tiffin.local")).await;
        let inquiries = fixture
            .app
            .get("/api/v1/inquiry")
            .token(&account.token)
            .await;
        inquiries.expect(200);
        assert_eq!(claims(&account.token)["enrol"], false);
    }
}

#[tokio::test]
async fn a_session_from_before_the_second_factor_is_over() {
    let fixture = Fixture::start().await;
    let mut account = fixture.account(Role::Customer, "c@tiffin.local").await;
    let _: Factor = fixture.turn_on(&mut account).await;
    // However it came to be alive: it never showed a code.
    sqlx::query("update refresh_families set methods = '{pwd}', ended_at = null")
        .execute(&fixture.db.pool)
        .await
        .unwrap();
    fixture.refresh(&account.refresh).await.problem(401);
}

#[tokio::test]
async fn wrong_codes_are_counted_by_account() {
    let fixture = Fixture::start().await;
    let mut account = fixture.account(Role::Customer, "c@tiffin.local").await;
    fixture.turn_on(&mut account).await;
    let tries = join_all((0..20).map(|_| {
        let (fixture, account) = (&fixture, &account);
        async move {
            let body = json!({ "code": "000000" });
            let answer = call(fixture, "/recovery-codes", account, body).await;
            answer.status.as_u16()
        }
    }))
    .await;
    let count = |status| tries.iter().filter(|one| **one == status).count();
    assert_eq!((count(422), count(429)), (10, 10), "{tries:?}");
}

async fn required() -> Fixture {
    Fixture::start_with(&[("TIFFIN_ADMIN_SECOND_FACTOR", "required")]).await
}
