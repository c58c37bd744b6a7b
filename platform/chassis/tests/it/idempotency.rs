use std::{future::IntoFuture, time::Duration};

use axum::{Router, extract::State, response::Response, routing::post};
use http::StatusCode;
use serde_json::{Value, json};
use sqlx::PgPool;
use tiffin_chassis::{IdempotencyKey, Json, MIGRATIONS, Problem, idempotency, refusals};
use tiffin_events::{Clock, UserId};
use tiffin_testkit::{TestApp, TestDb};
use uuid::Uuid;

const CALLER: UserId = UserId(Uuid::from_u128(1));

refusals! {
    /// The failure of work.
    #[derive(Debug)]
    enum NotNow {
        NotNow = 409, "test.not-now", "Not now.";
    }
}

/// Answers with a new number each time it does its work; a body with `fail` loses its transaction.
async fn make(
    State(pool): State<PgPool>,
    key: IdempotencyKey,
    Json(body): Json<Value>,
) -> Result<Response, Problem> {
    let mut tx = idempotency::begin(&pool, CALLER, "make").await?;
    if let Some(answer) = key.first_answer(&mut tx, CALLER, "make", &body).await? {
        return Ok(answer);
    }
    // Long enough for a twin to arrive while the work is under way.
    tokio::time::sleep(Duration::from_millis(100)).await;
    let id = Clock::system().new_id();
    let answer = json!({"id": id, "qty": body["qty"]});
    let answer = key
        .keep(&mut tx, CALLER, "make", &body, StatusCode::CREATED, &answer)
        .await?;
    if body["fail"] == true {
        return Err(NotNow::NotNow.into());
    }
    tx.commit().await?;
    Ok(answer)
}

async fn app() -> TestApp {
    app_on(&TestDb::new(&MIGRATIONS).await).await
}

async fn app_on(db: &TestDb) -> TestApp {
    TestApp::start(
        Router::new()
            .route("/make", post(make))
            .with_state(db.pool.clone()),
    )
    .await
}

#[tokio::test]
async fn the_same_key_and_body_return_the_first_answer() {
    let app = app().await;
    let body = json!({"qty": 2, "key": "a"});
    let first = app
        .post("/make")
        .header("idempotency-key", "k1")
        .json(&body)
        .await;
    let again = app
        .post("/make")
        .header("idempotency-key", "k1")
        .raw(r#"{"key":"a", "qty":2}"#)
        .await;
    assert_eq!(again.header("idempotent-replayed").as_deref(), Some("true"));
    assert_eq!(first.expect(201), again.expect(201));
}

#[tokio::test]
async fn twins_get_one_answer() {
    let app = app().await;
    let body = json!({"qty": 1});
    let call = || {
        app.post("/make")
            .header("idempotency-key", "k1")
            .json(&body)
            .into_future()
    };
    let (one, two, three) = tokio::join!(call(), call(), call());
    let one = one.expect(201);
    assert_eq!((&one, &one), (&two.expect(201), &three.expect(201)));
}

#[tokio::test]
async fn another_body_under_the_same_key_is_refused() {
    let app = app().await;
    app.post("/make")
        .header("idempotency-key", "k1")
        .json(&json!({"qty": 1}))
        .await
        .expect(201);
    let other = app
        .post("/make")
        .header("idempotency-key", "k1")
        .json(&json!({"qty": 2}))
        .await;
    assert_eq!(
        other.problem(422),
        "This Idempotency-Key was used for another request."
    );
}

#[tokio::test]
async fn without_a_key_and_after_a_failure_the_work_is_done_again() {
    let app = app().await;
    let body = json!({"qty": 1});
    let one = app.post("/make").json(&body).await.expect(201);
    let two = app.post("/make").json(&body).await.expect(201);
    assert_ne!(one, two);
    let failing = json!({"qty": 1, "fail": true});
    app.post("/make")
        .header("idempotency-key", "k1")
        .json(&failing)
        .await
        .problem(409);
    app.post("/make")
        .header("idempotency-key", "k1")
        .json(&body)
        .await
        .expect(201);
}

#[tokio::test]
async fn an_answer_is_forgotten_after_a_day_or_on_demand() {
    let db = TestDb::new(&MIGRATIONS).await;
    let app = app_on(&db).await;
    let body = json!({"qty": 1});
    let call = || {
        app.post("/make")
            .header("idempotency-key", "k1")
            .json(&body)
    };
    let one = call().await.expect(201);
    let age = "update http.idempotency set created_at = now() - interval '25 hours'";
    sqlx::query(age).execute(&db.pool).await.unwrap();
    let two = call().await.expect(201);
    assert_ne!(one, two);
    let mut connection = db.pool.acquire().await.unwrap();
    idempotency::forget(&mut connection, CALLER).await.unwrap();
    assert_ne!(call().await.expect(201), two);
}
