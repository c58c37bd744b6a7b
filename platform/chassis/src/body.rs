//! Extractors whose refusals are problems: 400 malformed, 408 too slow, 413 too large, 415 not JSON, 422
//! with the field that has the wrong type, 503 where too much is being read already.

use std::error::Error as _;

use axum::{
    extract::{FromRequest, FromRequestParts, OptionalFromRequest, Request},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use http::{HeaderMap, header, request::Parts};
use serde::{
    Serialize,
    de::{DeserializeOwned, IgnoredAny},
};
use serde_json::Value;

use crate::{
    Problem, body_reader,
    refusal::{BadBody, BadField, BadPath, BadQuery},
    serde_message,
};

/// A JSON body, in and out. `Option<Json<T>>` is `None` for an empty body.
#[derive(Clone, Copy, Debug)]
pub struct Json<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Problem> {
        require_json(request.headers())?;
        parse(&body_reader::read(request).await?).map(Self)
    }
}

impl<T: DeserializeOwned, S: Send + Sync> OptionalFromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _state: &S) -> Result<Option<Self>, Problem> {
        let is_json = require_json(request.headers());
        let body = body_reader::read(request).await?;
        if body.is_empty() {
            return Ok(None);
        }
        is_json?;
        parse(&body).map(|value| Some(Self(value)))
    }
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        axum::Json(self.0).into_response()
    }
}

/// A body of any type, as it came.
#[derive(Clone, Debug)]
pub struct Raw(pub Bytes);

impl<S: Send + Sync> FromRequest<S> for Raw {
    type Rejection = Problem;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Problem> {
        body_reader::read(request).await.map(Self)
    }
}

/// A JSON value as its type.
pub fn typed<T: DeserializeOwned>(value: &Value) -> Result<T, Problem> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        serde_message::problem(&error.path().to_string(), &error.inner().to_string())
    })
}

fn require_json(headers: &HeaderMap) -> Result<(), Problem> {
    let kind = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let essence = kind
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    if essence == "application/json"
        || (essence.starts_with("application/") && essence.ends_with("+json"))
    {
        Ok(())
    } else {
        Err(BadBody::Undeclared.into())
    }
}

/// JSON as its type, whatever the request calls it.
pub fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    if let Some(field) = serde_message::field_with_nul(body) {
        return Err(BadField::HasNul { field }.into());
    }
    let mut json = serde_json::Deserializer::from_slice(body);
    let value =
        serde_path_to_error::deserialize(&mut json).map_err(|error| refuse(body, &error))?;
    json.end().map_err(|error| malformed(&error))?;
    Ok(value)
}

fn refuse(body: &[u8], error: &serde_path_to_error::Error<serde_json::Error>) -> Problem {
    let path = error.path().to_string();
    if error.inner().is_data() {
        return serde_message::problem(&path, &error.inner().to_string());
    }
    // `serde_json` calls a number where a word of an enum is expected a syntax error.
    if serde_json::from_slice::<IgnoredAny>(body).is_ok() {
        return serde_message::problem(&path, "invalid type, expected a string");
    }
    malformed(error.inner())
}

fn malformed(error: &serde_json::Error) -> Problem {
    let (line, column) = (error.line(), error.column());
    BadBody::Malformed { line, column }.into()
}

/// Path parameters; a malformed one is a 404, since nothing lives there.
#[derive(Clone, Copy, Debug)]
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        // PostgreSQL keeps no NUL in a text, so nothing can be found by one.
        if parts.uri.path().contains("%00") {
            return Err(BadPath::NotFound.into());
        }
        axum::extract::Path::from_request_parts(parts, state)
            .await
            .map(|axum::extract::Path(value)| Self(value))
            .map_err(|_| BadPath::NotFound.into())
    }
}

/// Query parameters; a malformed one is a 422 naming it.
#[derive(Clone, Copy, Debug)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Problem> {
        // Nothing that PostgreSQL keeps contains it, and asked for it, PostgreSQL fails.
        if parts.uri.query().is_some_and(|query| query.contains("%00")) {
            return Err(BadQuery::HasNul.into());
        }
        axum::extract::Query::try_from_uri(&parts.uri)
            .map(|axum::extract::Query(value)| Self(value))
            .map_err(|rejection| {
                let mut cause = rejection.source();
                while let Some(error) = cause {
                    if let Some(error) =
                        error.downcast_ref::<serde_path_to_error::Error<serde::de::value::Error>>()
                    {
                        return serde_message::problem(
                            &error.path().to_string(),
                            &error.inner().to_string(),
                        );
                    }
                    cause = error.source();
                }
                BadQuery::Unreadable.into()
            })
    }
}

#[cfg(test)]
mod tests {
    use axum::{
        Router,
        body::Body,
        extract::DefaultBodyLimit,
        routing::{get, post},
    };
    use serde::Deserialize;
    use serde_json::json;
    use tower::ServiceExt;

    use super::*;

    #[derive(Deserialize, Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Line {
        key: String,
        qty: i32,
    }

    #[derive(Deserialize, Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Cart {
        order_item: Vec<Line>,
    }

    #[derive(Deserialize)]
    struct Paging {
        limit: Option<i64>,
    }

    fn app() -> Router {
        Router::new()
            .route("/cart", post(|Json(cart): Json<Cart>| async { Json(cart) }))
            .route(
                "/maybe",
                post(|cart: Option<Json<Cart>>| async move { Json(cart.is_some()) }),
            )
            .route(
                "/page",
                get(|Query(paging): Query<Paging>| async move { Json(paging.limit) }),
            )
            .route(
                "/one/{id}",
                get(|Path(id): Path<uuid::Uuid>| async move { Json(id) }),
            )
            .layer(DefaultBodyLimit::max(1_000))
    }

    #[tokio::test]
    async fn a_query_with_nul_is_refused_before_a_database_sees_it() {
        let (status, body) = ask("GET", "/page?limit=1%00", None, "").await;
        assert_eq!(status, 422);
        assert!(body["message"].as_str().unwrap().contains("NUL"), "{body}");
    }

    async fn ask(method: &str, path: &str, kind: Option<&str>, body: &str) -> (u16, Value) {
        let mut request = http::Request::builder().method(method).uri(path);
        if let Some(kind) = kind {
            request = request.header(header::CONTENT_TYPE, kind);
        }
        let response = app()
            .oneshot(request.body(Body::from(body.to_owned())).unwrap())
            .await
            .unwrap();
        let status = response.status().as_u16();
        let bytes = axum::body::to_bytes(response.into_body(), usize::MAX)
            .await
            .unwrap();
        (status, serde_json::from_slice(&bytes).unwrap_or_default())
    }

    const JSON: Option<&str> = Some("application/json; charset=utf-8");

    #[tokio::test]
    async fn each_kind_of_bad_body_has_its_status() {
        let cart = r#"{"orderItem":[{"key":"a","qty":2}]}"#;
        assert_eq!(ask("POST", "/cart", JSON, cart).await.0, 200);
        assert_eq!(ask("POST", "/cart", None, cart).await.0, 415);
        assert_eq!(ask("POST", "/cart", Some("text/plain"), cart).await.0, 415);
        for malformed in ["", "{", r#"{"orderItem":}"#, r#"{"orderItem":[]} x"#] {
            assert_eq!(
                ask("POST", "/cart", JSON, malformed).await.0,
                400,
                "{malformed}"
            );
        }
        let large = format!(
            r#"{{"orderItem":[{{"key":"{}","qty":2}}]}}"#,
            "a".repeat(2_000)
        );
        assert_eq!(ask("POST", "/cart", JSON, &large).await.0, 413);
    }

    #[tokio::test]
    async fn a_wrong_type_is_reported_with_the_path_to_its_field() {
        let (status, answer) = ask(
            "POST",
            "/cart",
            JSON,
            r#"{"orderItem":[{"key":"a","qty":"two"}]}"#,
        )
        .await;
        assert_eq!(status, 422);
        assert_eq!(
            answer["fields"],
            json!({"orderItem[0].qty": "orderItem[0].qty must be a whole number."})
        );
        assert_eq!(
            answer["message"],
            "orderItem[0].qty must be a whole number."
        );
        let (_, answer) = ask("POST", "/cart", JSON, r#"{"orderItem":[{"key":"a"}]}"#).await;
        assert_eq!(
            answer["fields"],
            json!({"orderItem[0].qty": "orderItem[0].qty is required."})
        );
    }

    #[test]
    fn a_number_where_a_word_belongs_is_a_wrong_type_too() {
        #[derive(Debug, serde::Deserialize)]
        enum Status {
            #[serde(rename = "pending")]
            Pending,
        }
        #[derive(Debug, serde::Deserialize)]
        struct Order {
            #[expect(dead_code, reason = "only read in")]
            status: Status,
        }
        let problem = super::parse::<Order>(br#"{"status":3}"#).unwrap_err();
        assert_eq!(problem.fields["status"].message, "status must be a text.");
    }

    #[tokio::test]
    async fn a_nul_is_refused_before_the_database_would() {
        let (status, answer) = ask(
            "POST",
            "/cart",
            JSON,
            r#"{"orderItem":[{"key":"a\u0000b","qty":1}]}"#,
        )
        .await;
        assert_eq!(
            (status, &answer["fields"]["orderItem[0].key"].is_string()),
            (422, &true)
        );
        assert_eq!(
            ask(
                "POST",
                "/cart",
                JSON,
                r#"{"orderItem":[{"key":"a\\u0000b","qty":1}]}"#
            )
            .await
            .0,
            200
        );
    }

    #[tokio::test]
    async fn a_body_may_be_left_out_where_it_is_optional() {
        assert_eq!(ask("POST", "/maybe", None, "").await, (200, json!(false)));
        assert_eq!(
            ask("POST", "/maybe", JSON, r#"{"orderItem":[]}"#).await,
            (200, json!(true))
        );
        assert_eq!(ask("POST", "/maybe", None, "x").await.0, 415);
        assert_eq!(ask("POST", "/maybe", JSON, "{").await.0, 400);
    }

    #[tokio::test]
    async fn bad_parameters_are_404_in_the_path_and_422_in_the_query() {
        assert_eq!(ask("GET", "/one/x", None, "").await.0, 404);
        assert_eq!(ask("GET", "/page?limit=5", None, "").await, (200, json!(5)));
        assert_eq!(ask("GET", "/page?limit=5%00", None, "").await.0, 422);
        let (status, answer) = ask("GET", "/page?limit=x", None, "").await;
        assert_eq!((status, answer["fields"]["limit"].is_string()), (422, true));
    }
}
