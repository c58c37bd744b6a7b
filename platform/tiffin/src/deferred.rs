//! Routes that come later: a service listens, and says how it is, before it has what it needs.

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
pub struct Deferred(Arc<Inside>);

#[derive(Default)]
struct Inside {
    routes: OnceLock<Router>,
    /// The condition that is waited for.
    waits: Mutex<&'static str>,
}

impl Deferred {
    /// Not ready, and `/readyz` says what it waits for, until the routes are set.
    pub fn new(readiness: &Readiness) -> Self {
        let late = Self::default();
        late.wait("starting");
        let asked = late.clone();
        readiness.add("start", move || {
            let waits = *asked.0.waits.lock().unwrap_or_else(PoisonError::into_inner);
            let is_set = asked.0.routes.get().is_some();
            Box::pin(std::future::ready(if is_set {
                Ok(())
            } else {
                Err(waits.to_owned())
            }))
        });
        late
    }

    /// Says what is waited for.
    pub fn wait(&self, what: &'static str) {
        *self.0.waits.lock().unwrap_or_else(PoisonError::into_inner) = what;
    }

    /// Sets the routes; a second time changes nothing.
    pub fn set(&self, routes: Router) {
        let _ = self.0.routes.set(routes);
    }

    /// A router that hands everything over.
    pub fn router(&self) -> Router {
        let late = self.clone();
        Router::new().fallback(move |request: Request| async move { late.answer(request).await })
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
        let late = Deferred::new(&readiness);
        let app = late.router();
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
        late.wait("waiting for the database");
        assert_eq!(
            readiness.missing().await["start"],
            "waiting for the database"
        );
        late.set(Router::new().route("/", get(async || "here")));
        assert_eq!(ask().await, 200);
        assert!(readiness.missing().await.is_empty());
    }
}
