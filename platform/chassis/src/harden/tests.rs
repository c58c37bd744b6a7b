use axum::{
    body::Body,
    routing::{get, post},
};
use serde_json::Value;
use tower::ServiceExt;

use super::*;

fn app() -> Router {
    let routes = Router::new()
        .route("/ok/{id}", get(async || "fine"))
        .route("/long", get(async || "much ".repeat(1_000)))
        .route(
            "/zip",
            get(async || {
                (
                    [(header::CONTENT_TYPE, "application/zip")],
                    "much ".repeat(1_000),
                )
            }),
        )
        .route("/panic", get(async || -> &'static str { panic!("secret") }))
        .route(
            "/body",
            post(|crate::Json(value): crate::Json<Value>| async { crate::Json(value) }),
        );
    harden("test", routes)
}

async fn ask(request: http::request::Builder, body: impl Into<Body>) -> (Response<()>, String) {
    let (parts, body) = app()
        .oneshot(request.body(body.into()).unwrap())
        .await
        .unwrap()
        .into_parts();
    let bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap();
    (
        Response::from_parts(parts, ()),
        String::from_utf8(bytes.to_vec()).unwrap(),
    )
}

#[tokio::test]
async fn unknown_paths_and_methods_are_problems() {
    let (response, body) = ask(http::Request::get("/nowhere"), Body::empty()).await;
    assert_eq!(
        (
            response.status().as_u16(),
            body.contains("There is nothing here.")
        ),
        (404, true)
    );
    let (response, body) = ask(http::Request::delete("/ok/1"), Body::empty()).await;
    assert_eq!(
        (
            response.status().as_u16(),
            body.contains("urn:tiffin:problem:request.method-unknown")
        ),
        (405, true)
    );
}

#[tokio::test]
async fn what_a_caller_is_shown_stays_out_of_caches_and_is_what_it_says() {
    let header = |response: &Response<()>, name| response.headers().get(name).cloned();
    let (public, _) = ask(http::Request::get("/ok/1"), Body::empty()).await;
    assert_eq!(header(&public, header::CACHE_CONTROL), None);
    let sniffed = header(&public, header::X_CONTENT_TYPE_OPTIONS);
    assert_eq!(sniffed, Some(HeaderValue::from_static("nosniff")));
    let own = http::Request::get("/ok/1").header(header::AUTHORIZATION, "Bearer x");
    let (private, _) = ask(own, Body::empty()).await;
    let kept = header(&private, header::CACHE_CONTROL);
    assert_eq!(kept, Some(HeaderValue::from_static("no-store")));
}

#[tokio::test]
async fn a_panic_is_a_500_that_tells_nothing() {
    let (response, body) = ask(http::Request::get("/panic"), Body::empty()).await;
    assert_eq!(response.status().as_u16(), 500);
    assert!(!body.contains("secret"));
}

#[tokio::test]
async fn what_takes_too_long_is_503() {
    let app = Router::new()
        .route("/slow", get(async || std::future::pending::<()>().await))
        .layer(middleware::from_fn(|request, next| {
            handle("test", Duration::from_millis(20), request, next)
        }));
    let response = app
        .oneshot(Request::get("/slow").body(Body::empty()).unwrap())
        .await
        .unwrap();
    assert_eq!(response.status().as_u16(), 503);
}

#[tokio::test]
async fn long_answers_are_compressed_for_those_who_take_that() {
    let send = async |path, encodings| {
        let request = http::Request::get(path).header("accept-encoding", encodings);
        let request = request.body(Body::empty()).unwrap();
        let response = app().oneshot(request).await.unwrap();
        let encoding = response.headers().get(header::CONTENT_ENCODING).cloned();
        let body = axum::body::to_bytes(response.into_body(), usize::MAX).await;
        (encoding, body.unwrap().len())
    };
    let (encoding, length) = send("/long", "gzip, br").await;
    assert_eq!(encoding.unwrap(), "gzip");
    assert!(length < 500, "{length}");
    assert_eq!(send("/long", "identity").await, (None, 5_000));
    assert_eq!(send("/ok/1", "gzip").await, (None, 4));
    assert_eq!(send("/zip", "gzip").await, (None, 5_000));
}

#[tokio::test]
async fn a_body_beyond_a_mebibyte_is_413() {
    let request = http::Request::post("/body").header("content-type", "application/json");
    let (response, _) = ask(request, format!("\"{}\"", "a".repeat(LARGEST_BODY))).await;
    assert_eq!(response.status().as_u16(), 413);
}

#[tokio::test]
async fn requests_have_an_id_and_are_counted_by_route() {
    telemetry::metrics();
    // Other tests of this process count requests of the service "test".
    let app = harden(
        "counted",
        Router::new().route("/ok/{id}", get(async || "fine")),
    );
    let id_of = async |path: &str, id: &str| {
        let request = http::Request::get(path).header(REQUEST_ID, id);
        let request = request.body(Body::empty()).unwrap();
        let response = app.clone().oneshot(request).await.unwrap();
        response.headers()[REQUEST_ID].to_str().unwrap().to_owned()
    };
    assert_eq!(id_of("/ok/1", "mine").await, "mine");
    assert_eq!(id_of("/ok/2", "not mine").await.len(), 36);
    let text = telemetry::metrics().render();
    assert!(
        text.contains(
            r#"http_requests_total{service="counted",method="GET",path="/ok/{id}",status="200"} 2"#
        ),
        "{text}"
    );
    assert!(
        text.contains("http_request_duration_seconds_bucket"),
        "{text}"
    );
}

#[tokio::test]
async fn only_listed_origins_may_call_from_elsewhere() {
    let listed = ["http://localhost:5173/", "*", ""].map(str::to_owned);
    let app = app().layer(cors(&listed));
    for (origin, allowed) in [
        ("http://localhost:5173", true),
        ("http://evil.example", false),
        ("*", false),
        ("", false),
    ] {
        let request = http::Request::get("/ok/1")
            .header("origin", origin)
            .body(Body::empty())
            .unwrap();
        let response = app.clone().oneshot(request).await.unwrap();
        assert_eq!(
            response
                .headers()
                .contains_key("access-control-allow-origin"),
            allowed,
            "{origin}"
        );
    }
}
