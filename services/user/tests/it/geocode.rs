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
use tiffin_testkit::TestApp;
use time::Duration;

use crate::fixture::{Account, Fixture};

/// A geocoder that counts what it is asked and by whom.
struct Geocoder {
    app: TestApp,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Geocoder {
    async fn start() -> Self {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let routes = Router::new()
            .route("/maps/reverse", get(reverse))
            .with_state(Arc::clone(&asked));
        let app = TestApp::start(routes).await;
        Self { app, asked }
    }

    async fn fixture(&self) -> (Fixture, Account) {
        let url = format!("{}/maps", self.app.url);
        let fixture = Fixture::start_with(&[
            ("TIFFIN_GEOCODER_URL", &url),
            ("TIFFIN_PUBLIC_URL", "https://tiffin.example"),
        ])
        .await;
        let me = fixture.account(Role::Customer, "c@tiffin.local").await;
        (fixture, me)
    }

    fn count(&self) -> usize {
        self.asked.lock().unwrap().len()
    }
}

async fn reverse(
    State(asked): State<Arc<Mutex<Vec<String>>>>,
    Query(query): Query<Value>,
    headers: HeaderMap,
) -> (StatusCode, axum::Json<Value>) {
    let agent = headers["user-agent"].to_str().unwrap();
    let line = format!("{} {} {agent}", query["lat"], query["format"]);
    asked.lock().unwrap().push(line);
    match query["lat"].as_str().unwrap() {
        "7.5" => (
            StatusCode::OK,
            axum::Json(json!({ "error": "Unable to geocode" })),
        ),
        "6.9" => (StatusCode::TOO_MANY_REQUESTS, axum::Json(json!({}))),
        _ => {
            let name = json!({ "display_name": "12 Temple Road, Kandy", "lat": "7.2906" });
            (StatusCode::OK, axum::Json(name))
        }
    }
}

fn path(lat: &str, lon: &str) -> String {
    format!("/api/v1/geocode/reverse?lat={lat}&lon={lon}")
}

#[tokio::test]
async fn without_a_geocoder_the_built_in_map_tells_street_and_part_of_town() {
    let fixture = Fixture::start().await;
    let me = fixture.account(Role::Customer, "c@tiffin.local").await;
    let ask = |lat, lon| fixture.app.get(&path(lat, lon)).token(&me.token);
    assert_eq!(
        ask("6.9156", "79.8776").await.expect(200),
        json!({ "display_name": "Maradana Road, Borella", "lat": 6.9156, "lon": 79.8776 })
    );
    let nowhere = ask("7.2906", "80.6337").await;
    assert_eq!(nowhere.problem(404), "No address is known there.");
    for (lat, lon) in [
        ("91", "0"),
        ("0", "181"),
        ("NaN", "0"),
        ("inf", "0"),
        ("", "0"),
        ("x", "0"),
    ] {
        ask(lat, lon).await.problem(422);
    }
    let half = fixture
        .app
        .get("/api/v1/geocode/reverse?lat=6.9")
        .token(&me.token);
    half.await.problem(422);
    fixture.app.get(&path("6.9", "79.8")).await.problem(401);
}

#[tokio::test]
async fn a_place_is_asked_for_once_and_we_say_who_asks() {
    let geocoder = Geocoder::start().await;
    let (fixture, me) = geocoder.fixture().await;
    for lat in ["7.2906", "7.29061", "7.2906"] {
        let body = fixture
            .app
            .get(&path(lat, "80.6337"))
            .token(&me.token)
            .await
            .expect(200);
        assert_eq!(body["display_name"], "12 Temple Road, Kandy");
    }
    let asked = geocoder.asked.lock().unwrap().clone();
    assert_eq!(asked.len(), 1, "{asked:?}");
    let agent = concat!(
        "Tiffin/",
        env!("CARGO_PKG_VERSION"),
        " (https://tiffin.example)"
    );
    assert_eq!(asked[0], format!("\"7.2906\" \"json\" {agent}"));
    fixture.clock.advance(Duration::days(31));
    let me = fixture.sign_in(&me.email).await;
    fixture
        .app
        .get(&path("7.2906", "80.6337"))
        .token(&me.token)
        .await
        .expect(200);
    assert_eq!(geocoder.count(), 2);
}

#[tokio::test]
async fn one_request_a_second_leaves_and_the_map_answers_the_others() {
    let geocoder = Geocoder::start().await;
    let (fixture, me) = geocoder.fixture().await;
    let second_process = fixture.second_process().await;
    // The clock does not move: there is one turn.
    let asks = (0..4).map(|n| {
        let app = if n % 2 == 0 {
            &fixture.app
        } else {
            &second_process
        };
        app.get(&path(&format!("6.89{n}"), "79.8575"))
            .token(&me.token)
    });
    let answers = join_all(asks.map(|call| async { call.await.expect(200) })).await;
    let from_outside = |answer: &&Value| answer["display_name"] == "12 Temple Road, Kandy";
    assert_eq!(
        answers.iter().filter(from_outside).count(),
        1,
        "{answers:?}"
    );
    assert_eq!(geocoder.count(), 1);
    fixture.clock.advance(Duration::seconds(1));
    let later = fixture
        .app
        .get(&path("6.895", "79.8575"))
        .token(&me.token)
        .await;
    assert!(from_outside(&&later.expect(200)));
}

#[tokio::test]
async fn a_geocoder_that_knows_nothing_or_is_away_is_stood_in_for() {
    let geocoder = Geocoder::start().await;
    let (fixture, me) = geocoder.fixture().await;
    let ask = |lat, lon| fixture.app.get(&path(lat, lon)).token(&me.token);
    ask("7.5", "80.6").await.problem(404);
    fixture.clock.advance(Duration::seconds(1));
    let body = ask("6.9", "79.8575").await.expect(200);
    assert!(!body["display_name"].as_str().unwrap().is_empty());
    assert_eq!(geocoder.count(), 2);
}
