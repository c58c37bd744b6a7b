//! `Idempotency-Key`: the same key and body by the same caller returns the first answer, whatever
//! happened to the connection. The key and the work commit in one transaction.

use axum::{extract::FromRequestParts, response::Response};
use http::{StatusCode, request::Parts};
use serde::Serialize;
use sqlx::PgConnection;
use tiffin_events::UserId;

use crate::Problem;

/// The request's key, if it has one (1 to 255 visible ASCII characters).
#[derive(Clone, Debug)]
pub struct IdempotencyKey(pub Option<String>);

impl<S: Send + Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = Problem;
    async fn from_request_parts(_parts: &mut Parts, _state: &S) -> Result<Self, Problem> {
        unimplemented!()
    }
}

impl IdempotencyKey {
    /// The first answer to this key, if there was one; 422 if it was to another body. Otherwise holds
    /// the key until the transaction ends, so that a twin waits for this request's answer.
    pub async fn first_answer(
        &self,
        _tx: &mut PgConnection,
        _caller: UserId,
        _operation: &'static str,
        _body: &impl Serialize,
    ) -> Result<Option<Response>, Problem> {
        unimplemented!()
    }

    /// Keeps the answer in the caller's transaction and returns it.
    pub async fn keep(
        &self,
        _tx: &mut PgConnection,
        _caller: UserId,
        _operation: &'static str,
        _body: &impl Serialize,
        _status: StatusCode,
        _answer: &impl Serialize,
    ) -> Result<Response, Problem> {
        unimplemented!()
    }
}
