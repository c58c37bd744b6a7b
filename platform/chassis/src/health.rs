//! `/healthz` (the process is up) and `/readyz` (it can answer requests).

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

/// The time-out of one check: `/readyz` answers within a second even if a part is away.
const CHECK_TIMEOUT: Duration = Duration::from_millis(700);

type Check = Arc<dyn Fn() -> BoxFuture<'static, Result<(), String>> + Send + Sync>;

/// Named checks, run at each `/readyz`: what a service needs to answer requests, and what else operators
/// should know.
#[derive(Clone, Default)]
pub struct Readiness(Arc<RwLock<Vec<NamedCheck>>>);

#[derive(Clone)]
struct NamedCheck {
    name: &'static str,
    check: Check,
    /// True if requests are refused while it fails.
    is_required: bool,
}

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
        self.push(name, Arc::new(check), true);
    }

    /// Adds a check without which requests are still answered. If it fails the service is `degraded`, and `/readyz`
    /// answers 200.
    pub fn add_optional<F>(&self, name: &'static str, check: F)
    where
        F: Fn() -> BoxFuture<'static, Result<(), String>> + Send + Sync + 'static,
    {
        self.push(name, Arc::new(check), false);
    }

    fn push(&self, name: &'static str, check: Check, is_required: bool) {
        self.0
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .push(NamedCheck {
                name,
                check,
                is_required,
            });
    }

    /// The failing checks with their reasons; empty when ready.
    pub async fn missing(&self) -> BTreeMap<&'static str, String> {
        self.run_checks(CHECK_TIMEOUT)
            .await
            .into_iter()
            .filter(|checked| checked.is_required)
            .filter_map(|checked| Some((checked.name, checked.result.err()?)))
            .collect()
    }

    /// The routes for operators and other services, on the inner listener: [`Readiness::router`] and `GET
    /// /metrics` (Prometheus text).
    pub fn internal(&self) -> Router {
        self.router().route("/metrics", get(metrics))
    }

    /// `GET /healthz` and `/readyz` (200 `ready` or `degraded`, or 503 with what is missing).
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
            .with_state(self.clone())
    }

    async fn run_checks(&self, timeout: Duration) -> Vec<Checked> {
        let checks = self
            .0
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        join_all(checks.into_iter().map(async |named| {
            let result = tokio::time::timeout(timeout, (named.check)()).await;
            Checked {
                name: named.name,
                result: result.unwrap_or_else(|_| Err("no answer in time".to_owned())),
                is_required: named.is_required,
            }
        }))
        .await
    }
}

/// The answer of a check.
struct Checked {
    name: &'static str,
    result: Result<(), String>,
    is_required: bool,
}

async fn readyz(State(readiness): State<Readiness>) -> Response {
    let results = readiness.run_checks(CHECK_TIMEOUT).await;
    let mut failed = results.iter().filter(|checked| checked.result.is_err());
    let (status, word) = if failed.clone().any(|checked| checked.is_required) {
        (StatusCode::SERVICE_UNAVAILABLE, "not ready")
    } else if failed.next().is_some() {
        (StatusCode::OK, "degraded")
    } else {
        (StatusCode::OK, "ready")
    };
    let checks = results.into_iter().map(|checked| {
        let answer = checked.result.err().unwrap_or_else(|| "ok".to_owned());
        (checked.name, answer)
    });
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
pub(crate) mod tests {
    use axum::body::Body;
    use serde_json::{Value, json};
    use tower::ServiceExt;

    use super::*;

    pub async fn ask(readiness: &Readiness, path: &str) -> (u16, Value) {
        let request = http::Request::get(path).body(Body::empty()).unwrap();
        let response = readiness.internal().oneshot(request).await.unwrap();
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
        let results = readiness.run_checks(Duration::from_millis(20)).await;
        let checked: Vec<_> = results
            .into_iter()
            .map(|checked| (checked.name, checked.result))
            .collect();
        assert_eq!(checked, [("relay", Err("no answer in time".to_owned()))]);
    }

    #[tokio::test]
    async fn a_note_is_shown_and_does_not_make_the_service_unready() {
        let readiness = Readiness::default();
        readiness.add_optional("revocations", || {
            Box::pin(async { Err("not heard of for 31 s".to_owned()) })
        });
        let (status, answer) = ask(&readiness, "/readyz").await;
        assert_eq!((status, &answer["status"]), (200, &json!("degraded")));
        assert_eq!(answer["checks"]["revocations"], "not heard of for 31 s");
        assert!(readiness.missing().await.is_empty());
    }

    #[tokio::test]
    async fn the_public_side_has_no_metrics() {
        let request = http::Request::get("/metrics").body(Body::empty()).unwrap();
        let answer = Readiness::default().router().oneshot(request).await;
        assert_eq!(answer.unwrap().status().as_u16(), 404);
    }

    #[tokio::test]
    async fn metrics_are_there_without_anyone_having_started_them() {
        assert_eq!(ask(&Readiness::default(), "/metrics").await.0, 200);
    }
}
