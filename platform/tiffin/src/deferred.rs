//! Routes that are set later: a service listens and reports its readiness before its database is there.

use std::{
    convert::Infallible,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use axum::{
    Router,
    extract::Request,
    response::{IntoResponse, Response},
};
use tiffin_chassis::{Problem, Readiness, refusal::Failure};
use tower::ServiceExt;

/// Answers 503 until the routes are set, and is those routes from then on.
#[derive(Clone, Default)]
pub struct Deferred(Arc<Inner>);

#[derive(Default)]
struct Inner {
    routes: OnceLock<Router>,
    /// The reason why the routes are not set yet.
    reason: Mutex<&'static str>,
}

impl Deferred {
    /// Until the routes are set, `/readyz` is not ready and shows the reason.
    pub fn new(readiness: &Readiness) -> Self {
        let deferred = Self::default();
        deferred.set_reason("starting");
        let asked = deferred.clone();
        readiness.add("start", move || {
            let reason = *asked
                .0
                .reason
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            let is_set = asked.0.routes.get().is_some();
            Box::pin(std::future::ready(if is_set {
                Ok(())
            } else {
                Err(reason.to_owned())
            }))
        });
        deferred
    }

    /// Sets the reason that `/readyz` shows.
    pub fn set_reason(&self, reason: &'static str) {
        *self.0.reason.lock().unwrap_or_else(PoisonError::into_inner) = reason;
    }

    /// Sets the routes; a second time changes nothing.
    pub fn set(&self, routes: Router) {
        let _ = self.0.routes.set(routes);
    }

    /// A router that passes every request to the routes.
    pub fn router(&self) -> Router {
        let deferred = self.clone();
        Router::new()
            .fallback(move |request: Request| async move { deferred.answer(request).await })
    }

    async fn answer(self, request: Request) -> Response {
        let Some(routes) = self.0.routes.get() else {
            return Problem::from(Failure::Starting).into_response();
        };
        let answer: Result<Response, Infallible> = routes.clone().oneshot(request).await;
        match answer {
            Ok(response) => response,
            Err(never) => match never {},
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::{body::Body, routing::get};

    use super::*;

    #[tokio::test]
    async fn it_answers_503_until_the_routes_are_there() {
        let readiness = Readiness::default();
        let deferred = Deferred::new(&readiness);
        let app = deferred.router();
        let ask = async || {
            let request = Request::get("/").body(Body::empty()).unwrap();
            app.clone()
                .oneshot(request)
                .await
                .unwrap()
                .status()
                .as_u16()
        };
        assert_eq!(ask().await, 503);
        deferred.set_reason("waiting for the database");
        assert_eq!(
            readiness.missing().await["start"],
            "waiting for the database"
        );
        deferred.set(Router::new().route("/", get(async || "here")));
        assert_eq!(ask().await, 200);
        assert!(readiness.missing().await.is_empty());
    }
}
