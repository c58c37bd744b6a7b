//! Errors as RFC 9457 problem details.

use std::{collections::BTreeMap, time::Duration};

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::refusal::{Failure, Reason, Refusal, WrongCaller};

/// A refusal on its way to the client: `application/problem+json` with `type`, `code`, `params`, `title`,
/// `status`, `detail`, `message`, `error` and, on 422, `fields` and `fieldCodes`.
///
/// Made of a row of [`refusals!`](crate::refusals), so that each has a code.
#[derive(Debug)]
pub struct Problem {
    pub status: StatusCode,
    /// The code and the human text; `detail`, `message` and `error` all carry the text.
    pub reason: Box<Reason>,
    /// Field name → what is wrong with it.
    pub fields: BTreeMap<String, Reason>,
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
#[serde(rename_all = "camelCase")]
pub struct ProblemBody {
    /// `urn:tiffin:problem:<code>`.
    #[serde(rename = "type")]
    #[schema(example = "urn:tiffin:problem:order.not-found")]
    kind: String,
    /// The area and the name. It stays as it is, whatever the text becomes.
    #[schema(example = "order.not-found")]
    code: String,
    /// The values in the text, if there are any.
    #[serde(skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Option<Object>)]
    params: Map<String, Value>,
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
    /// Field name → the code and the values of the text in `fields`; on 422 only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline)]
    field_codes: Option<BTreeMap<String, Reason>>,
    #[serde(flatten)]
    #[schema(ignore)]
    extensions: Map<String, Value>,
}

impl Problem {
    /// The answer to a refusal, about its field if it has one.
    pub fn refused(refusal: &impl Refusal) -> Self {
        let reason = Reason::from(refusal);
        let field = refusal.field();
        let fields = field.map(|field| (field, reason.clone()));
        Self {
            fields: fields.into_iter().collect(),
            ..Self::relayed(status(refusal.row().status), reason)
        }
    }

    /// A refusal of another service, in its words.
    pub fn relayed(status: StatusCode, reason: Reason) -> Self {
        Self {
            status,
            reason: Box::new(reason),
            fields: BTreeMap::new(),
            retry_after: None,
            challenge: None,
            extensions: Map::new(),
        }
    }

    /// Says that this field is what is wrong.
    #[must_use]
    pub fn at(mut self, field: impl Into<String>) -> Self {
        self.fields.insert(field.into(), (*self.reason).clone());
        self
    }

    /// Adds `Retry-After`.
    #[must_use]
    pub fn retry_after(self, wait: Duration) -> Self {
        Self {
            retry_after: Some(wait),
            ..self
        }
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
        let seconds = max_age.as_secs();
        Self {
            challenge: Some(format!(r#"error="{REASON}", max_age="{seconds}""#)),
            ..WrongCaller::ProofTooOld.into()
        }
        .with_extension("reason", &REASON)
        .with_extension("maxAge", &seconds)
    }

    /// 500: the cause goes to the log, never to the client.
    pub fn internal(cause: impl std::fmt::Display) -> Self {
        tracing::error!(%cause, "request failed");
        Failure::Internal.into()
    }

    /// An answer while a dependency of the service is away. A later attempt may succeed.
    pub fn not_ready(reason: impl std::fmt::Display) -> Self {
        tracing::error!(%reason, "a request failed: a dependency is away");
        Self::from(Failure::NotReady).retry_after(Duration::from_secs(2))
    }
}

/// The status of a row, which is one of HTTP's.
fn status(row: u16) -> StatusCode {
    StatusCode::from_u16(row).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

impl From<sqlx::Error> for Problem {
    /// A database that can't be reached is 503, anything else 500.
    fn from(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::Io(_) => {
                Self::not_ready(format!("the database can't be reached: {error}"))
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
        let Reason {
            code,
            params,
            message,
        } = &*problem.reason;
        let is_validation = problem.status == StatusCode::UNPROCESSABLE_ENTITY;
        let sentences = problem.fields.iter();
        let sentences = sentences.map(|(field, reason)| (field.clone(), reason.message.clone()));
        Self {
            kind: format!("urn:tiffin:problem:{code}"),
            code: code.to_string(),
            params: params.clone(),
            title: problem.status.canonical_reason().unwrap_or("Error"),
            status: problem.status.as_u16(),
            detail: message.clone(),
            message: message.clone(),
            error: message.clone(),
            fields: is_validation.then(|| sentences.collect()),
            field_codes: is_validation.then(|| problem.fields.clone()),
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
    use crate::refusal::{BadBody, BadKey, BadPath, TooMany};

    async fn body(response: Response) -> Value {
        let bytes = axum::body::to_bytes(response.into_body(), usize::MAX)
            .await
            .unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    #[tokio::test]
    async fn a_problem_carries_its_text_three_times_and_its_fields() {
        let response = Problem::from(BadKey::Malformed).into_response();
        assert_eq!(
            response.headers()[header::CONTENT_TYPE],
            "application/problem+json"
        );
        let text = BadKey::Malformed.to_string();
        assert_eq!(
            body(response).await,
            json!({
                "type": "urn:tiffin:problem:request.key-malformed",
                "code": "request.key-malformed",
                "title": "Unprocessable Entity",
                "status": 422,
                "detail": text,
                "message": text,
                "error": text,
                "fields": {"Idempotency-Key": text},
                "fieldCodes": {"Idempotency-Key": {"code": "request.key-malformed"}},
            })
        );
    }

    #[tokio::test]
    async fn values_in_the_text_come_beside_it() {
        let malformed = BadBody::Malformed { line: 1, column: 7 };
        let answer = body(Problem::from(malformed).into_response()).await;
        assert_eq!(answer["params"], json!({"line": 1, "column": 7}));
        assert_eq!(answer["code"], "request.body-malformed");
    }

    #[tokio::test]
    async fn only_validation_names_fields() {
        let answer = body(Problem::from(BadPath::NotFound).into_response()).await;
        assert_eq!(answer.get("fields"), None);
    }

    #[tokio::test]
    async fn a_problem_can_carry_what_the_client_needs_to_go_on() {
        let problem = Problem::from(BadPath::NotFound).with_extension("quote", &[1, 2]);
        assert_eq!(body(problem.into_response()).await["quote"], json!([1, 2]));
    }

    #[test]
    fn a_wait_is_whole_seconds_rounded_up() {
        let problem = Problem::from(TooMany::Requests);
        let response = problem
            .retry_after(Duration::from_millis(1_200))
            .into_response();
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
