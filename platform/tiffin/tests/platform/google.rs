//! An issuer of sign-ins with Google that knows one token.

use axum::{Json, Router, extract::Query, routing::get};
use http::StatusCode;
use serde_json::{Value, json};
use tiffin_testkit::TestApp;

pub const TOKEN: &str = "ya29.Kanarie-of-Google-5501";
pub const EMAIL: &str = "google@example.com";
const CLIENT: &str = "tiffin.apps.example";

pub struct Issuer(TestApp);

impl Issuer {
    pub async fn start() -> Self {
        let routes = Router::new()
            .route("/tokeninfo", get(token_info))
            .route("/userinfo", get(async || Json(account())));
        Self(TestApp::start(routes).await)
    }

    /// The setting that makes a platform ask this one.
    pub fn settings(&self) -> [(&str, &str); 2] {
        [
            ("TIFFIN_GOOGLE_CLIENT_ID", CLIENT),
            ("TIFFIN_GOOGLE_ISSUER", &self.0.url),
        ]
    }
}

async fn token_info(Query(query): Query<Value>) -> (StatusCode, Json<Value>) {
    if query["access_token"] == TOKEN {
        (StatusCode::OK, Json(account()))
    } else {
        (
            StatusCode::BAD_REQUEST,
            Json(json!({ "error": "invalid_token" })),
        )
    }
}

fn account() -> Value {
    json!({
        "aud": CLIENT, "sub": "1001", "email": EMAIL, "email_verified": "true",
        "given_name": "Amaya", "family_name": "Silva",
    })
}
