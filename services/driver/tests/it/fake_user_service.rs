//! A fake user service that keeps the contract, and fails on demand.

#![expect(
    clippy::unwrap_used,
    reason = "a failure in here is the failure of the test that called"
)]

use std::sync::{Arc, Mutex};

use axum::{
    Router,
    extract::{Path, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
    routing::{post, put},
};
use serde_json::{Value, json};
use tiffin_chassis::{Json, Problem, refusals};
use tiffin_testkit::TestApp;

pub const KEY: &str = "between-services";

/// Its answer to the next request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Behaviour {
    #[default]
    Works,
    /// Does not do it, and says 500.
    Fails,
    /// Has counted too many sign-ups from where this one comes.
    RefusesSignUps,
    /// Does it, but the answer gets lost.
    LosesTheAnswer,
}

#[derive(Default)]
struct Inner {
    behaviour: Behaviour,
    accounts: Vec<Value>,
    /// The bodies of updates, with the token they came with.
    updates: Vec<(String, Value)>,
}

#[derive(Clone, Default)]
pub struct FakeUserService(Arc<Mutex<Inner>>);

impl FakeUserService {
    pub async fn start(&self) -> TestApp {
        let routes = Router::new()
            .route("/internal/users", post(create))
            .route("/api/v1/users/update/{id}", put(update));
        TestApp::start(routes.with_state(self.clone())).await
    }

    pub fn behave(&self, behaviour: Behaviour) {
        self.0.lock().unwrap().behaviour = behaviour;
    }

    pub fn accounts(&self) -> Vec<Value> {
        self.0.lock().unwrap().accounts.clone()
    }

    pub fn updates(&self) -> Vec<(String, Value)> {
        self.0.lock().unwrap().updates.clone()
    }
}

refusals! {
    /// The refusals of the user service.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Refused {
        NotAService = 401, "user.services-only", "Only services may ask for this.";
        TooMany = 429, "user.too-many-sign-ups", "Too many accounts were opened.";
        Password =
            422, "user.password-rule",
            "Password must be at least 8 characters long.", at "password";
        EmailTaken = 409, "user.email-taken", "Email Already Added";
        Name = 422, "user.name-invalid", "A name is made of letters and spaces.", at "firstName";
        Unknown = 404, "user.not-found", "There is no such user.";
    }
}

async fn create(
    State(service): State<FakeUserService>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Response {
    if headers
        .get("authorization")
        .is_none_or(|value| value != &format!("Service {KEY}"))
    {
        return Problem::from(Refused::NotAService).into_response();
    }
    let mut inner = service.0.lock().unwrap();
    let behaviour = std::mem::take(&mut inner.behaviour);
    if behaviour == Behaviour::Fails {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    }
    if behaviour == Behaviour::RefusesSignUps {
        let wait = std::time::Duration::from_mins(20);
        return Problem::from(Refused::TooMany)
            .retry_after(wait)
            .into_response();
    }
    if body["password"] == "weak" {
        return Problem::from(Refused::Password).into_response();
    }
    let taken = inner
        .accounts
        .iter()
        .find(|account| account["email"] == body["email"]);
    match taken {
        Some(account) if account["id"] != body["id"] => {
            return Problem::from(Refused::EmailTaken).into_response();
        }
        Some(_) => {}
        None => inner.accounts.push(body.clone()),
    }
    if behaviour == Behaviour::LosesTheAnswer {
        return StatusCode::BAD_GATEWAY.into_response();
    }
    (
        StatusCode::CREATED,
        Json(json!({"message": "Registration Successfully", "user": body})),
    )
        .into_response()
}

async fn update(
    State(service): State<FakeUserService>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Response {
    let mut inner = service.0.lock().unwrap();
    let token = headers["authorization"].to_str().unwrap().to_owned();
    inner.updates.push((token, body.clone()));
    if body["firstName"] == "R2D2" {
        return Problem::from(Refused::Name).into_response();
    }
    let Some(account) = inner
        .accounts
        .iter_mut()
        .find(|account| account["id"] == id.as_str())
    else {
        return Problem::from(Refused::Unknown).into_response();
    };
    for (field, value) in body
        .as_object()
        .unwrap()
        .iter()
        .filter(|(_, value)| !value.is_null())
    {
        account[field] = value.clone();
    }
    Json(json!({"message": "Profile updated!", "user": account})).into_response()
}
