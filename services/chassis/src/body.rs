//! Extractors whose refusals are problems: 400 malformed, 413 too large, 415 not JSON, 422 with the
//! field that has the wrong type.

use axum::{extract::{FromRequest, FromRequestParts, Request}, response::{IntoResponse, Response}};
use http::request::Parts;
use serde::{Serialize, de::DeserializeOwned};

use crate::Problem;

/// A JSON body, in and out.
#[derive(Clone, Copy, Debug)]
pub struct Json<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = Problem;
    async fn from_request(_request: Request, _state: &S) -> Result<Self, Problem> {
        unimplemented!()
    }
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        axum::Json(self.0).into_response()
    }
}

/// Path parameters; a malformed one is a 404, since nothing lives there.
#[derive(Clone, Copy, Debug)]
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;
    async fn from_request_parts(_parts: &mut Parts, _state: &S) -> Result<Self, Problem> {
        unimplemented!()
    }
}

/// Query parameters; a malformed one is a 422 naming it.
#[derive(Clone, Copy, Debug)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;
    async fn from_request_parts(_parts: &mut Parts, _state: &S) -> Result<Self, Problem> {
        unimplemented!()
    }
}
