//! `/healthz` (the process is up) and `/readyz` (it has what it needs).

use std::{
    collections::BTreeMap,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use axum::{
    Router,
    extract::State,
    response::{IntoResponse, Response},
    routing::get,
};
use futures_util::future::{BoxFuture, join_all};
use http::{StatusCode, header};
use serde::Serialize;

use crate::telemetry;

/// How long one check may take before it counts as failed.
const PATIENCE: Duration = Duration::from_secs(2);

type Check = Arc<dyn Fn() -> BoxFuture<'static, Result<(), String>> + Send + Sync>;

/// What must hold before a service takes work: named checks, asked at each `/readyz`.
#[derive(Clone, Default)]
pub struct Readiness(Arc<RwLock<Vec<(&'static str, Check)>>>);

#[derive(Serialize)]
struct Report {
    status: &'static str,
    /// Check → `ok`, or what is missing.
    checks: BTreeMap<&'static str, String>,
}

impl Readiness {
    /// Adds a check; its error is a sentence for the operator.
    pub fn add<F>(&self, name: &'static str, check: F)
    where
        F: Fn() -> BoxFuture<'static, Result<(), String>> + Send + Sync + 'static,
    {
        self.0
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .push((name, Arc::new(check)));
    }

    /// What is missing, by check; empty when ready.
    pub async fn missing(&self) -> BTreeMap<&'static str, String> {
        self.ask(PATIENCE)
            .await
            .into_iter()
            .filter_map(|(name, result)| Some((name, result.err()?)))
            .collect()
    }

    /// `GET /healthz`, `/readyz` (200, or 503 with what is missing) and `/metrics` (Prometheus text).
    pub fn router(&self) -> Router {
        Router::new()
            .route(
                "/healthz",
                get(async || {
                    axum::Json(Report {
                        status: "ok",
                        checks: BTreeMap::new(),
                    })
                }),
            )
            .route("/readyz", get(readyz))
            .route("/metrics", get(metrics))
            .with_state(self.clone())
    }

    async fn ask(&self, patience: Duration) -> Vec<(&'static str, Result<(), String>)> {
        let checks = self
            .0
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        join_all(checks.into_iter().map(async |(name, check)| {
            let result = tokio::time::timeout(patience, check()).await;
            (
                name,
                result.unwrap_or_else(|_| Err("no answer in time".to_owned())),
            )
        }))
        .await
    }
}

async fn readyz(State(readiness): State<Readiness>) -> Response {
    let results = readiness.ask(PATIENCE).await;
    let is_ready = results.iter().all(|(_, result)| result.is_ok());
    let checks = results
        .into_iter()
        .map(|(name, result)| (name, result.err().unwrap_or_else(|| "ok".to_owned())));
    let (status, word) = if is_ready {
        (StatusCode::OK, "ready")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "not ready")
    };
    (
        status,
        axum::Json(Report {
            status: word,
            checks: checks.collect(),
        }),
    )
        .into_response()
}

async fn metrics() -> Response {
    (
        [(
            header::CONTENT_TYPE,
            "text/plain; version=0.0.4; charset=utf-8",
        )],
        telemetry::metrics().render(),
    )
        .into_response()
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use serde_json::{Value, json};
    use tower::ServiceExt;

    use super::*;

    async fn ask(readiness: &Readiness, path: &str) -> (u16, Value) {
        let request = http::Request::get(path).body(Body::empty()).unwrap();
        let response = readiness.router().oneshot(request).await.unwrap();
        let status = response.status().as_u16();
        let bytes = axum::body::to_bytes(response.into_body(), usize::MAX)
            .await
            .unwrap();
        (status, serde_json::from_slice(&bytes).unwrap_or_default())
    }

    #[tokio::test]
    async fn what_is_missing_is_named() {
        let readiness = Readiness::default();
        readiness.add("database", || Box::pin(async { Ok(()) }));
        assert_eq!(ask(&readiness, "/readyz").await.0, 200);
        readiness.add("broker", || {
            Box::pin(async { Err("not connected".to_owned()) })
        });
        let (status, answer) = ask(&readiness, "/readyz").await;
        assert_eq!(status, 503);
        assert_eq!(
            answer["checks"],
            json!({"database": "ok", "broker": "not connected"})
        );
        assert_eq!(ask(&readiness, "/healthz").await.0, 200);
        assert_eq!(readiness.missing().await.len(), 1);
    }

    #[tokio::test]
    async fn a_check_that_hangs_has_failed() {
        let readiness = Readiness::default();
        readiness.add("relay", || Box::pin(std::future::pending()));
        let results = readiness.ask(Duration::from_millis(20)).await;
        assert_eq!(results, [("relay", Err("no answer in time".to_owned()))]);
    }

    #[tokio::test]
    async fn metrics_are_there_without_anyone_having_started_them() {
        assert_eq!(ask(&Readiness::default(), "/metrics").await.0, 200);
    }
}
