//! `Idempotency-Key`: the same key and body by the same caller returns the first answer, even after the
//! connection was lost. The key and the work commit in one transaction. Answers are kept for a day.
//!
//! Requests of one caller and operation wait for each other ([`begin`]), so that a twin finds the first one's answer.
//! An operation that keeps its answer in the same statement as its work ([`IdempotencyKey::answer`]) looks again if it
//! was not the first.

use axum::{
    extract::FromRequestParts,
    response::{IntoResponse, Response},
};
use http::{HeaderName, HeaderValue, StatusCode, request::Parts};
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use sqlx::{AssertSqlSafe, PgConnection, PgPool, Postgres, Transaction};
use tiffin_events::UserId;

use crate::{
    Problem,
    refusal::{BadKey, Failure},
};

const KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// Marks an answer that was given before.
const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// The request's key, if it has one (1 to 255 visible ASCII characters).
#[derive(Clone, Debug)]
pub struct IdempotencyKey(pub Option<String>);

impl<S: Send + Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Problem> {
        let Some(value) = parts.headers.get(KEY) else {
            return Ok(Self(None));
        };
        let key = value.to_str().unwrap_or_default();
        if (1..=255).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic()) {
            Ok(Self(Some(key.to_owned())))
        } else {
            Err(BadKey::Malformed.into())
        }
    }
}

impl IdempotencyKey {
    /// The first answer to this key, if there was one; 422 if it was to another body. Another request may answer
    /// meanwhile, unless the transaction comes from [`begin`].
    pub async fn first_answer(
        &self,
        tx: &mut PgConnection,
        caller: UserId,
        operation: &'static str,
        body: &impl Serialize,
    ) -> Result<Option<Response>, Problem> {
        let Some(key) = &self.0 else { return Ok(None) };
        let body_hash = hash(body)?;
        let first = sqlx::query!(
            "select body_hash, status, answer from http.idempotency
             where caller = $1 and operation = $2 and key = $3
               and status <> 0 and created_at >= now() - interval '1 day'",
            caller.0,
            operation,
            key,
        )
        .fetch_optional(tx)
        .await?;
        let Some(first) = first else { return Ok(None) };
        if first.body_hash != body_hash {
            return Err(BadKey::Reused.into());
        }
        let mut response = response(first.status, first.answer);
        response
            .headers_mut()
            .insert(REPLAYED, HeaderValue::from_static("true"));
        Ok(Some(response))
    }

    /// Keeps the answer in the caller's transaction, after [`IdempotencyKey::first_answer`], and returns it.
    pub async fn keep(
        &self,
        tx: &mut PgConnection,
        caller: UserId,
        operation: &'static str,
        body: &impl Serialize,
        status: StatusCode,
        answer: &impl Serialize,
    ) -> Result<Response, Problem> {
        let answer = self.answer(body, status, answer)?;
        if let Some(key) = &answer.key {
            let is_kept = sqlx::query_scalar!(
                r#"select http.keep_answer($1, $2, $3, $4, $5, $6) as "kept!""#,
                caller.0,
                operation,
                key,
                answer.body_hash,
                answer.status,
                answer.answer,
            )
            .fetch_one(tx)
            .await?;
            if !is_kept {
                // A twin was answered by a process of an earlier release, which holds the key by its row.
                return Err(Failure::NotReady.into());
            }
        }
        Ok(answer.into_response())
    }

    /// The answer with the arguments of `http.keep_answer`, for a statement that keeps it with the work.
    pub fn answer(
        &self,
        body: &impl Serialize,
        status: StatusCode,
        answer: &impl Serialize,
    ) -> serde_json::Result<Answer> {
        Ok(Answer {
            key: self.0.clone(),
            body_hash: match self.0 {
                Some(_) => hash(body)?,
                None => Vec::new(),
            },
            status: i16::try_from(status.as_u16()).unwrap_or(200),
            answer: serde_json::to_value(answer)?,
        })
    }
}

/// An answer that may be kept.
#[derive(Clone, Debug)]
pub struct Answer {
    /// `None` for a request without a key, whose answer is not kept.
    pub key: Option<String>,
    pub body_hash: Vec<u8>,
    pub status: i16,
    pub answer: Value,
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        response(self.status, self.answer)
    }
}

fn response(status: i16, answer: Value) -> Response {
    let status = u16::try_from(status)
        .ok()
        .and_then(|status| StatusCode::from_u16(status).ok());
    (status.unwrap_or(StatusCode::OK), axum::Json(answer)).into_response()
}

/// Begins a transaction once the caller's other ones of the same operation have ended.
pub async fn begin(
    pool: &PgPool,
    caller: UserId,
    operation: &'static str,
) -> sqlx::Result<Transaction<'static, Postgres>> {
    let digest = Sha256::digest(format!("{operation} {caller}"));
    let lock = i64::from_be_bytes(std::array::from_fn(|n| digest[n]));
    // One round trip for both.
    let statement = format!("begin; select pg_advisory_xact_lock({lock})");
    tiffin_database::begin_with(pool, AssertSqlSafe(statement)).await
}

/// Deletes the answers kept for an account, as part of its erasure.
pub async fn forget(tx: &mut PgConnection, caller: UserId) -> sqlx::Result<()> {
    sqlx::query!("delete from http.idempotency where caller = $1", caller.0)
        .execute(tx)
        .await?;
    Ok(())
}

/// SHA-256 of the body's JSON with the fields in order.
fn hash(body: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut body: Value = serde_json::to_value(body)?;
    body.sort_all_objects();
    Ok(Sha256::digest(serde_json::to_vec(&body)?).to_vec())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_same_body_has_the_same_hash_in_any_order() {
        let (one, two) = (
            json!({"a": 1, "b": {"c": 2, "d": 3}}),
            json!({"b": {"d": 3, "c": 2}, "a": 1}),
        );
        assert_eq!(hash(&one).unwrap(), hash(&two).unwrap());
        assert_ne!(hash(&one).unwrap(), hash(&json!({"a": 1})).unwrap());
    }

    #[tokio::test]
    async fn only_plain_keys_are_taken() {
        for (key, good) in [
            ("abc-123", true),
            ("", false),
            ("a b", false),
            (&*"x".repeat(256), false),
        ] {
            let (mut parts, ()) = http::Request::get("/")
                .header(KEY, key)
                .body(())
                .unwrap()
                .into_parts();
            assert_eq!(
                IdempotencyKey::from_request_parts(&mut parts, &())
                    .await
                    .is_ok(),
                good,
                "{key:?}"
            );
        }
    }
}
