use std::sync::{Arc, Mutex};

use axum::{
    Router,
    extract::{Query, State},
    routing::get,
};
use futures_util::future::join_all;
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use tiffin_events::Role;
use tiffin_testkit::{Answer, TestApp};
use time::Duration;

use crate::{
    fixture::{Fixture, PASSWORD, form},
    second_factor::claims,
};

const PATH: &str = "/api/v1/users/google";
const CLIENT: &str = "tiffin.apps.example";

/// An issuer of sign-ins that knows one token.
struct Issuer {
    app: TestApp,
    /// Its answer to the token `good`; null is an issuer that is out of order.
    info: Arc<Mutex<Value>>,
}

type SharedUserInfo = State<Arc<Mutex<Value>>>;

impl Issuer {
    async fn start() -> Self {
        let info = Arc::new(Mutex::new(json!({
            "aud": CLIENT,
            "sub": "1001",
            "email": "Amaya@Mail.example",
            "email_verified": "true",
        })));
        let routes = Router::new()
            .route("/o/tokeninfo", get(tokeninfo))
            .route("/o/userinfo", get(userinfo))
            .with_state(Arc::clone(&info));
        let app = TestApp::start(routes).await;
        Self { app, info }
    }

    /// Says something else of the token.
    fn say(&self, name: &str, value: Value) {
        self.info.lock().unwrap()[name] = value;
    }

    async fn fixture(&self) -> Fixture {
        let url = format!("{}/o/", self.app.url);
        Fixture::start_with(&[
            ("TIFFIN_GOOGLE_CLIENT_ID", CLIENT),
            ("TIFFIN_GOOGLE_ISSUER", &url),
        ])
        .await
    }
}

async fn tokeninfo(
    State(info): SharedUserInfo,
    Query(query): Query<Value>,
) -> (StatusCode, axum::Json<Value>) {
    let info = info.lock().unwrap().clone();
    if info["out_of_order"] == true {
        return (StatusCode::BAD_GATEWAY, axum::Json(json!({})));
    }
    if query["access_token"] != "good" {
        let error = json!({ "error": "invalid_token" });
        return (StatusCode::BAD_REQUEST, axum::Json(error));
    }
    (StatusCode::OK, axum::Json(info))
}

async fn userinfo(
    State(info): SharedUserInfo,
    headers: HeaderMap,
) -> (StatusCode, axum::Json<Value>) {
    if headers["authorization"] != "Bearer good" {
        return (StatusCode::UNAUTHORIZED, axum::Json(json!({})));
    }
    let sub = info.lock().unwrap()["sub"].clone();
    let body = json!({
        "sub": sub,
        "given_name": "Amaya",
        "family_name": "de Silva 2",
        "picture": "https://lh3.example/a.png",
    });
    (StatusCode::OK, axum::Json(body))
}

async fn sign_in(fixture: &Fixture, token: &str) -> Answer {
    let body = json!({ "accessToken": token });
    fixture.app.post(PATH).json(&body).await
}

#[tokio::test]
async fn a_new_account_is_a_verified_customer() {
    let issuer = Issuer::start().await;
    let fixture = issuer.fixture().await;
    let answer = sign_in(&fixture, "good").await;
    assert!(answer.header("set-cookie").unwrap().contains("HttpOnly"));
    let body = answer.expect(200);
    let user = &body["user"];
    assert_eq!(
        (&user["email"], &user["role"], &user["emailVerified"]),
        (
            &json!("amaya@mail.example"),
            &json!("customer"),
            &json!(true)
        )
    );
    // A name that is none is left for its owner to fill in.
    assert_eq!(
        (&user["firstName"], &user["lastName"], &user["image"]),
        (
            &json!("Amaya"),
            &json!(""),
            &json!("https://lh3.example/a.png")
        )
    );
    let own = format!("/api/v1/users/update/{}", user["id"].as_str().unwrap());
    let token = body["token"].as_str().unwrap();
    let change = json!({ "lastName": "de Silva" });
    fixture
        .app
        .put(&own)
        .token(token)
        .json(&change)
        .await
        .expect(200);
    assert_eq!(fixture.event_names().await, ["registered", "updated"]);
    let again = sign_in(&fixture, "good").await.expect(200);
    assert_eq!(again["user"]["id"], user["id"]);
    assert!(fixture.events().await.is_empty());
}

#[tokio::test]
async fn an_account_without_a_password_is_opened_by_none() {
    let issuer = Issuer::start().await;
    let fixture = issuer.fixture().await;
    let body = sign_in(&fixture, "good").await.expect(200);
    for password in ["", PASSWORD] {
        fixture
            .login("amaya@mail.example", password)
            .await
            .problem(401);
    }
    let path = format!(
        "/api/v1/users/update/password/{}",
        body["user"]["id"].as_str().unwrap()
    );
    let change = json!({ "oldPassword": "", "newPassword": PASSWORD });
    let token = body["token"].as_str().unwrap();
    fixture
        .app
        .put(&path)
        .token(token)
        .json(&change)
        .await
        .problem(422);
}

#[tokio::test]
async fn an_account_that_is_there_is_opened_with_its_role() {
    let issuer = Issuer::start().await;
    let fixture = issuer.fixture().await;
    let owner = fixture
        .account(Role::Restaurant, "amaya@mail.example")
        .await;
    let body = sign_in(&fixture, "good").await.expect(200);
    assert_eq!(
        (&body["user"]["id"], &body["user"]["role"]),
        (&json!(owner.id), &json!("restaurant"))
    );
    // Nothing of it changed: the password is still good.
    fixture
        .login("amaya@mail.example", PASSWORD)
        .await
        .expect(200);
    assert!(fixture.events().await.is_empty());
}

#[tokio::test]
async fn an_unproven_account_loses_its_address_to_the_owner() {
    let issuer = Issuer::start().await;
    let fixture = issuer.fixture().await;
    fixture
        .app
        .post("/api/v1/users")
        .json(&form("amaya@mail.example"))
        .await
        .expect(201);
    let thief = fixture.sign_in("amaya@mail.example").await;
    fixture.events().await;
    fixture.clock.advance(Duration::seconds(1));
    let body = sign_in(&fixture, "good").await.expect(200);
    assert_eq!(
        (&body["user"]["id"], &body["user"]["emailVerified"]),
        (&json!(thief.id), &json!(true))
    );
    assert_eq!(
        fixture.event_names().await,
        ["verified", "password_changed"]
    );
    fixture.refresh(&thief.refresh).await.problem(401);
    fixture.login(&thief.email, PASSWORD).await.problem(401);
    let own = format!("/api/v1/users/update/{}", thief.id);
    let call = fixture.app.put(&own).token(&thief.token);
    call.json(&json!({})).await.problem(401);
}

#[tokio::test]
async fn of_several_sign_ups_the_newest_is_opened_and_the_others_end() {
    let issuer = Issuer::start().await;
    let fixture = issuer.fixture().await;
    let mut ids = Vec::new();
    for n in 0..2 {
        let mut body = form("amaya@mail.example");
        body["password"] = json!(format!("Stranger-Danger@{n}"));
        let made = fixture.app.post("/api/v1/users").json(&body);
        ids.push(made.await.expect(201)["user"]["id"].clone());
        fixture.clock.advance(Duration::milliseconds(5));
    }
    fixture.events().await;
    let body = sign_in(&fixture, "good").await.expect(200);
    assert_eq!(body["user"]["id"], ids[1]);
    let mut names = fixture.event_names().await;
    names.sort();
    assert_eq!(names, ["deleted", "password_changed", "verified"]);
}

#[tokio::test]
async fn a_token_that_was_not_given_to_us_opens_nothing() {
    let issuer = Issuer::start().await;
    let fixture = issuer.fixture().await;
    let refusal = "Google did not confirm who you are. Please try again.";
    for token in ["bad", "good\u{7f}", &"x".repeat(5000)] {
        assert_eq!(sign_in(&fixture, token).await.problem(401), refusal);
    }
    issuer.say("aud", json!("another.apps.example"));
    assert_eq!(sign_in(&fixture, "good").await.problem(401), refusal);
    issuer.say("aud", json!(CLIENT));
    for (name, value) in [
        ("email_verified", json!("false")),
        ("email_verified", Value::Null),
        ("email", json!("")),
    ] {
        issuer.say(name, value);
        let answer = sign_in(&fixture, "good").await;
        assert_eq!(
            answer.problem(403),
            "Google has not verified your email address."
        );
    }
    let body = json!({ "accessToken": " " });
    fixture.app.post(PATH).json(&body).await.problem(422);
    assert!(fixture.events().await.is_empty());
}

#[tokio::test]
async fn a_blocked_user_is_refused_here_too() {
    let issuer = Issuer::start().await;
    let fixture = issuer.fixture().await;
    let admin = fixture.account(Role::Admin, "a@tiffin.local").await;
    fixture.account(Role::Customer, "amaya@mail.example").await;
    let path = "/api/v1/users/block/amaya@mail.example";
    fixture.app.put(path).token(&admin.token).await.expect(200);
    let answer = sign_in(&fixture, "good").await;
    assert_eq!(answer.problem(403), "User is blocked");
}

#[tokio::test]
async fn an_issuer_that_is_away_is_not_our_fault_nor_the_users() {
    let issuer = Issuer::start().await;
    let fixture = issuer.fixture().await;
    issuer.say("out_of_order", json!(true));
    // More often than wrong ones are allowed: none of these was wrong.
    for _ in 0..31 {
        let answer = sign_in(&fixture, "good").await;
        assert_eq!(
            answer.problem(503),
            "Google can't be reached. Please try again in a moment."
        );
    }
    issuer.say("out_of_order", json!(false));
    sign_in(&fixture, "good").await.expect(200);
    let nowhere = Fixture::start_with(&[
        ("TIFFIN_GOOGLE_CLIENT_ID", CLIENT),
        ("TIFFIN_GOOGLE_ISSUER", "http://127.0.0.1:1"),
    ])
    .await;
    sign_in(&nowhere, "good").await.problem(503);
}

#[tokio::test]
async fn guesses_of_tokens_are_limited() {
    let issuer = Issuer::start().await;
    let fixture = issuer.fixture().await;
    for _ in 0..30 {
        sign_in(&fixture, "bad").await.problem(401);
    }
    let refused = sign_in(&fixture, "bad").await;
    assert_eq!(refused.header("retry-after").as_deref(), Some("60"));
    refused.problem(429);
}

#[tokio::test]
async fn the_same_newcomer_twice_at_once_has_one_account() {
    let issuer = Issuer::start().await;
    let fixture = issuer.fixture().await;
    let answers = join_all((0..6).map(|_| sign_in(&fixture, "good"))).await;
    let ids: Vec<_> = answers
        .into_iter()
        .map(|answer| answer.expect(200)["user"]["id"].clone())
        .collect();
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert_eq!(fixture.event_names().await, ["registered"]);
}

#[tokio::test]
async fn without_a_client_id_there_is_no_such_sign_in() {
    let fixture = Fixture::start().await;
    let answer = sign_in(&fixture, "good").await;
    assert_eq!(
        answer.problem(404),
        "Signing in with Google is not set up here."
    );
}

#[tokio::test]
async fn an_account_with_a_second_factor_is_asked_for_the_code_here_too() {
    let issuer = Issuer::start().await;
    let fixture = issuer.fixture().await;
    let mut account = fixture.account(Role::Customer, "amaya@mail.example").await;
    let factor = fixture.turn_on(&mut account).await;
    let asked = sign_in(&fixture, "good").await;
    let body = asked.expect(401);
    assert_eq!(body["reason"], "second_factor_required");
    let challenge = body["challenge"].as_str().unwrap();
    let code = fixture.app_code(&factor);
    let answer = fixture.second_step(challenge, &code).await.expect(200);
    let said = claims(answer["token"].as_str().unwrap());
    assert_eq!(said["amr"], json!(["otp"]));
}

#[tokio::test]
async fn who_has_no_password_closes_the_account_just_after_signing_in() {
    let issuer = Issuer::start().await;
    let fixture = issuer.fixture().await;
    let sign_in = async || {
        let body = json!({ "accessToken": "good" });
        fixture.app.post(PATH).json(&body).await.expect(200)
    };
    let early = sign_in().await;
    let path = format!("/api/v1/users/{}", early["user"]["_id"].as_str().unwrap());
    let delete = |token: &Value| {
        let token = token["token"].as_str().unwrap().to_owned();
        fixture.app.delete(&path).token(&token)
    };
    fixture.clock.advance(Duration::minutes(6));
    delete(&early).await.problem(401);
    let now = sign_in().await;
    delete(&now).await.expect(200);
}
