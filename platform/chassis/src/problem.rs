//! Errors as RFC 9457 problem details.

use std::{collections::BTreeMap, time::Duration};

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// A failure in words for the caller. Becomes `application/problem+json` with `type`, `title`, `status`,
/// `detail`, `message`, `error` and, on 422, `fields`.
#[derive(Debug)]
pub struct Problem {
    pub status: StatusCode,
    /// The human text; `detail`, `message` and `error` all carry it.
    pub message: String,
    /// Field name → what is wrong with it.
    pub fields: BTreeMap<String, String>,
    /// Sent as `Retry-After`.
    pub retry_after: Option<Duration>,
    /// Parameters of `WWW-Authenticate`, on 401.
    pub challenge: Option<String>,
    /// Further members of the body: what the client needs to go on.
    pub extensions: Map<String, Value>,
}

/// The body of a [`Problem`], for the description of the interface.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Problem)]
pub struct ProblemBody {
    /// `urn:tiffin:problem:<title in lower case>`.
    #[serde(rename = "type")]
    #[schema(example = "urn:tiffin:problem:not-found")]
    kind: String,
    /// The status in words.
    #[schema(example = "Not Found")]
    title: &'static str,
    #[schema(example = 404)]
    status: u16,
    /// The human text.
    detail: String,
    /// The human text again.
    message: String,
    /// The human text again.
    error: String,
    /// Field name → what is wrong with it; on 422 only.
    #[serde(skip_serializing_if = "Option::is_none")]
    fields: Option<BTreeMap<String, String>>,
    #[serde(flatten)]
    #[schema(ignore)]
    extensions: Map<String, Value>,
}

impl Problem {
    pub fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self {
            status,
            message: message.into(),
            fields: BTreeMap::new(),
            retry_after: None,
            challenge: None,
            extensions: Map::new(),
        }
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
        Self {
            retry_after: Some(retry_after),
            ..Self::new(StatusCode::TOO_MANY_REQUESTS, message)
        }
    }
    pub fn unavailable(message: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }
    #[must_use]
    pub fn with_field(mut self, field: impl Into<String>, message: impl Into<String>) -> Self {
        self.fields.insert(field.into(), message.into());
        self
    }
    /// Adds a member to the body, such as the new quote where prices moved.
    #[must_use]
    pub fn with_extension(mut self, name: &str, value: &impl Serialize) -> Self {
        match serde_json::to_value(value) {
            Ok(value) => {
                self.extensions.insert(name.to_owned(), value);
            }
            Err(error) => tracing::error!(%error, name, "a problem's extension can't be written"),
        }
        self
    }
    /// 401 that asks for a proof of who is there, not older than that (RFC 9470). The body says so, too:
    /// `reason` is the error's code, and `maxAge` is in seconds.
    pub fn proof_too_old(max_age: Duration) -> Self {
        const REASON: &str = "insufficient_user_authentication";
        let message = "Please confirm that it is you: your last proof is too old for this.";
        let seconds = max_age.as_secs();
        Self {
            challenge: Some(format!(r#"error="{REASON}", max_age="{seconds}""#)),
            ..Self::unauthorized(message)
        }
        .with_extension("reason", &REASON)
        .with_extension("maxAge", &seconds)
    }
    /// 500: the cause goes to the log, never to the client.
    pub fn internal(cause: impl std::fmt::Display) -> Self {
        tracing::error!(%cause, "request failed");
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "Something went wrong on our side.",
        )
    }
}

impl From<sqlx::Error> for Problem {
    /// A database that can't be reached is 503, anything else 500.
    fn from(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::Io(_) => {
                tracing::error!(%error, "the database can't be reached");
                Self {
                    retry_after: Some(Duration::from_secs(2)),
                    ..Self::unavailable("The service is not ready. Please try again in a moment.")
                }
            }
            error => Self::internal(error),
        }
    }
}

impl From<serde_json::Error> for Problem {
    fn from(error: serde_json::Error) -> Self {
        Self::internal(error)
    }
}

impl From<&Problem> for ProblemBody {
    fn from(problem: &Problem) -> Self {
        let title = problem.status.canonical_reason().unwrap_or("Error");
        let is_validation = problem.status == StatusCode::UNPROCESSABLE_ENTITY;
        Self {
            kind: format!(
                "urn:tiffin:problem:{}",
                title.to_ascii_lowercase().replace(' ', "-")
            ),
            title,
            status: problem.status.as_u16(),
            detail: problem.message.clone(),
            message: problem.message.clone(),
            error: problem.message.clone(),
            fields: is_validation.then(|| problem.fields.clone()),
            extensions: problem.extensions.clone(),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = (self.status, axum::Json(ProblemBody::from(&self))).into_response();
        let headers = response.headers_mut();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/problem+json"),
        );
        if let Some(wait) = self.retry_after {
            // Whole seconds, rounded up: coming back early would only be refused again.
            let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        if self.status == StatusCode::UNAUTHORIZED {
            let bearer = self.challenge.and_then(|parameters| {
                HeaderValue::try_from(format!("Bearer realm=\"tiffin\", {parameters}")).ok()
            });
            let bearer =
                bearer.unwrap_or_else(|| HeaderValue::from_static("Bearer realm=\"tiffin\""));
            headers.insert(header::WWW_AUTHENTICATE, bearer);
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    async fn body(response: Response) -> Value {
        let bytes = axum::body::to_bytes(response.into_body(), usize::MAX)
            .await
            .unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    #[tokio::test]
    async fn a_problem_carries_its_text_three_times_and_its_fields() {
        let response = Problem::invalid("email", "Email Already Added").into_response();
        assert_eq!(
            response.headers()[header::CONTENT_TYPE],
            "application/problem+json"
        );
        assert_eq!(
            body(response).await,
            json!({
                "type": "urn:tiffin:problem:unprocessable-entity",
                "title": "Unprocessable Entity",
                "status": 422,
                "detail": "Email Already Added",
                "message": "Email Already Added",
                "error": "Email Already Added",
                "fields": {"email": "Email Already Added"},
            })
        );
    }

    #[tokio::test]
    async fn only_validation_names_fields() {
        let answer = body(Problem::conflict("Restaurant is closed.").into_response()).await;
        assert_eq!(answer.get("fields"), None);
    }

    #[tokio::test]
    async fn a_problem_can_carry_what_the_client_needs_to_go_on() {
        let problem =
            Problem::conflict("The prices have changed.").with_extension("quote", &[1, 2]);
        assert_eq!(body(problem.into_response()).await["quote"], json!([1, 2]));
    }

    #[test]
    fn a_wait_is_told_in_whole_seconds_rounded_up() {
        let response =
            Problem::too_many("Slow down.", Duration::from_millis(1_200)).into_response();
        assert_eq!(response.headers()[header::RETRY_AFTER], "2");
    }

    #[tokio::test]
    async fn a_proof_that_is_too_old_is_asked_for_as_rfc_9470_says() {
        let response = Problem::proof_too_old(Duration::from_mins(5)).into_response();
        assert_eq!(response.status(), StatusCode::UNAUTHORIZED);
        assert_eq!(
            response.headers()[header::WWW_AUTHENTICATE],
            "Bearer realm=\"tiffin\", error=\"insufficient_user_authentication\", max_age=\"300\""
        );
        let body = body(response).await;
        assert_eq!(body["reason"], "insufficient_user_authentication");
        assert_eq!(body["maxAge"], 300);
    }

    #[tokio::test]
    async fn the_cause_of_a_failure_stays_here() {
        let answer =
            body(Problem::from(sqlx::Error::Protocol("secret".into())).into_response()).await;
        assert_eq!(answer["status"], 500);
        assert!(!answer.to_string().contains("secret"));
        let away = Problem::from(sqlx::Error::PoolTimedOut);
        assert_eq!(away.status, StatusCode::SERVICE_UNAVAILABLE);
    }
}
