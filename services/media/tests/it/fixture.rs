//! The service on a fresh database and an empty folder, with the accounts of these tests.

#![expect(
    clippy::unwrap_used,
    reason = "a failure in here is the failure of the test that called"
)]

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, RgbImage};
use reqwest::{Client, Method, RequestBuilder, Response};
use serde_json::Value;
use sqlx::PgPool;
use tempfile::TempDir;
use tiffin_chassis::Env;
use tiffin_events::{Clock, Role, UserId};
use tiffin_media::{MIGRATIONS, State, router};
use tiffin_testkit::{TestApp, TestDb, token, verifier};
use time::OffsetDateTime;
use uuid::Uuid;

pub const ADMIN: UserId = UserId(Uuid::from_u128(1));
pub const OWNER: UserId = UserId(Uuid::from_u128(2));
pub const OTHER: UserId = UserId(Uuid::from_u128(3));

/// The anonymous key of these tests.
pub const KEY: &str = "anybody";

pub struct Fixture {
    pub app: TestApp,
    pub pool: PgPool,
    pub clock: Clock,
    pub state: State,
    pub folder: TempDir,
    client: Client,
}

impl Fixture {
    pub async fn new() -> Self {
        Self::with(Env::from_pairs([("TIFFIN_ANON_KEY", KEY)])).await
    }

    pub async fn with(env: Env) -> Self {
        let db = TestDb::new(&MIGRATIONS).await;
        let clock = Clock::manual(OffsetDateTime::from_unix_timestamp(1_763_715_600).unwrap());
        let folder = tempfile::tempdir().unwrap();
        let env = env.with("TIFFIN_MEDIA_DIR", folder.path().to_str().unwrap());
        let state = State::new(db.pool.clone(), verifier(&clock), clock.clone(), &env).unwrap();
        let (routes, description) = router(state.clone()).split_for_parts();
        Self {
            app: TestApp::described(routes, &description).await,
            pool: db.pool,
            clock,
            state,
            folder,
            client: Client::new(),
        }
    }

    pub fn token(&self, user: UserId) -> String {
        let role = if user == ADMIN {
            Role::Admin
        } else {
            Role::Customer
        };
        token(&self.clock, user, role).sign()
    }

    pub fn call(&self, method: Method, path: &str) -> RequestBuilder {
        self.client
            .request(method, format!("{}{path}", self.app.url))
    }

    /// Uploads with an account.
    pub async fn upload(&self, user: UserId, name: &str, bytes: Vec<u8>) -> Response {
        let call = self.call(Method::POST, &object(name));
        let call = call.bearer_auth(self.token(user)).body(bytes);
        call.send().await.unwrap()
    }

    /// Uploads with the anonymous key.
    pub async fn upload_with_anonymous_key(&self, name: &str, bytes: Vec<u8>) -> Response {
        let call = self.call(Method::POST, &object(name));
        call.header("apikey", KEY).body(bytes).send().await.unwrap()
    }

    pub async fn get(&self, path: &str, headers: &[(&str, &str)]) -> Response {
        let call = headers
            .iter()
            .fold(self.call(Method::GET, path), |call, (name, value)| {
                call.header(*name, *value)
            });
        call.send().await.unwrap()
    }

    /// The number of files in the folder.
    pub fn files(&self) -> usize {
        fn count(folder: &std::path::Path) -> usize {
            let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
            entries
                .map(|entry| {
                    if entry.file_type().unwrap().is_dir() {
                        count(&entry.path())
                    } else {
                        1
                    }
                })
                .sum()
        }
        count(self.folder.path())
    }
}

/// The address at which a picture is uploaded, downloaded and removed.
pub fn object(name: &str) -> String {
    format!("/storage/v1/object/images/{name}")
}

/// The public address.
pub fn public(name: &str) -> String {
    format!("/storage/v1/object/public/images/{name}")
}

/// A photograph of nothing in particular.
pub fn photo(width: u32, height: u32) -> DynamicImage {
    RgbImage::from_fn(width, height, |x, y| {
        image::Rgb([x.to_le_bytes()[0], y.to_le_bytes()[0], 120])
    })
    .into()
}

pub fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

pub fn jpeg(width: u32, height: u32) -> Vec<u8> {
    encoded(&photo(width, height), ImageFormat::Jpeg)
}

/// The text of a problem, if the status is the one expected.
pub async fn problem(response: Response, status: u16) -> String {
    let found = response.status().as_u16();
    let kind = response.headers()["content-type"].clone();
    let body: Value = response.json().await.unwrap();
    assert_eq!(
        (found, kind.to_str().unwrap()),
        (status, "application/problem+json"),
        "{body}"
    );
    assert_eq!(body["message"], body["error"]);
    body["message"].as_str().unwrap().to_owned()
}

pub fn header<'a>(response: &'a Response, name: &str) -> &'a str {
    response
        .headers()
        .get(name)
        .map_or("", |value| value.to_str().unwrap())
}
