use std::time::Duration;

use axum::{
    Router,
    body::Bytes,
    routing::{get, post},
};
use tiffin_chassis::{Env, telemetry};
use tiffin_testkit::TestApp;
use tokio::sync::mpsc;

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";

/// The one test of this process that starts telemetry.
#[tokio::test(flavor = "multi_thread")]
async fn a_requests_span_reaches_the_collector_within_its_callers_trace() {
    let (batches, mut received) = mpsc::unbounded_channel::<Bytes>();
    let collect = post(async move |batch: Bytes| drop(batches.send(batch)));
    let collector = TestApp::start(Router::new().route("/v1/traces", collect)).await;
    let env = Env::from_pairs([
        ("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url.as_str()),
        ("OTEL_SERVICE_NAME", "tiffin-test"),
        ("TIFFIN_LOG_FORMAT", "json"),
    ]);
    let telemetry = telemetry::start(&env);
    let app = TestApp::start(Router::new().route(
        "/carry",
        get(async || telemetry::traceparent().unwrap_or_default()),
    ))
    .await;
    let parent = format!("00-{TRACE}-b7ad6b7169203331-01");
    let carried = app.get("/carry").header("traceparent", &parent).await.text;
    assert!(
        carried.starts_with(&format!("00-{TRACE}-")) && carried != parent,
        "{carried}"
    );
    tokio::task::spawn_blocking(|| drop(telemetry))
        .await
        .unwrap();
    let batch = tokio::time::timeout(Duration::from_secs(5), received.recv())
        .await
        .unwrap()
        .unwrap();
    let holds = |bytes: &[u8]| batch.windows(bytes.len()).any(|window| window == bytes);
    let trace: Vec<u8> = (0..16)
        .map(|n| u8::from_str_radix(&TRACE[n * 2..n * 2 + 2], 16).unwrap())
        .collect();
    assert!(holds(&trace) && holds(b"GET /carry") && holds(b"tiffin-test"));
}
