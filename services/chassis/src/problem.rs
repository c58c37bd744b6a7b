//! Errors as RFC 9457 problem details.

use std::{collections::BTreeMap, time::Duration};

use axum::response::{IntoResponse, Response};
use http::StatusCode;

/// What went wrong, in words for the person who asked. Becomes `application/problem+json` with
/// `type`, `title`, `status`, `detail`, `message`, `error` and, on 422, `fields`.
#[derive(Debug)]
pub struct Problem {
    pub status: StatusCode,
    /// The human text; `detail`, `message` and `error` all carry it.
    pub message: String,
    /// Field name → what is wrong with it.
    pub fields: BTreeMap<String, String>,
    /// Sent as `Retry-After`.
    pub retry_after: Option<Duration>,
}

impl Problem {
    pub fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), fields: BTreeMap::new(), retry_after: None }
    }
    pub fn bad_request(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }
    pub fn unauthorized(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, message)
    }
    pub fn forbidden(message: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, message)
    }
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }
    pub fn conflict(message: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, message)
    }
    /// 422 about the whole request.
    pub fn unprocessable(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    }
    /// 422 about one field; the field's message is also the problem's.
    pub fn invalid(field: impl Into<String>, message: impl Into<String>) -> Self {
        let message = message.into();
        Self::unprocessable(message.clone()).with_field(field, message)
    }
    pub fn too_many(message: impl Into<String>, retry_after: Duration) -> Self {
        Self { retry_after: Some(retry_after), ..Self::new(StatusCode::TOO_MANY_REQUESTS, message) }
    }
    pub fn unavailable(message: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }
    #[must_use]
    pub fn with_field(mut self, field: impl Into<String>, message: impl Into<String>) -> Self {
        self.fields.insert(field.into(), message.into());
        self
    }
    /// 500: the cause goes to the log, never to the client.
    pub fn internal(cause: impl std::fmt::Display) -> Self {
        tracing::error!(%cause, "request failed");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "Something went wrong on our side.")
    }
}

impl From<sqlx::Error> for Problem {
    fn from(error: sqlx::Error) -> Self {
        Self::internal(error)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        unimplemented!()
    }
}
