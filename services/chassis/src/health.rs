//! `/healthz` (the process is up) and `/readyz` (it has what it needs).

use std::sync::{Arc, RwLock};

use axum::Router;
use futures_util::future::BoxFuture;

type Check = Arc<dyn Fn() -> BoxFuture<'static, Result<(), String>> + Send + Sync>;

/// What must hold before a service takes work: named checks, asked at each `/readyz`.
#[derive(Clone, Default)]
pub struct Readiness(Arc<RwLock<Vec<(&'static str, Check)>>>);

impl Readiness {
    /// Adds a check; its error is a sentence for the operator.
    pub fn add<F>(&self, _name: &'static str, _check: F)
    where
        F: Fn() -> BoxFuture<'static, Result<(), String>> + Send + Sync + 'static,
    {
        unimplemented!()
    }

    /// `GET /healthz`, `/readyz` (200, or 503 with what is missing) and `/metrics` (Prometheus text).
    pub fn router(&self) -> Router {
        unimplemented!()
    }
}
