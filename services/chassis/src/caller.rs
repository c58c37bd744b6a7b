//! Who is calling.

use axum::extract::{FromRef, FromRequestParts};
use http::request::Parts;
use tiffin_events::{Role, UserId};

use crate::{Problem, Verifier};

/// A signed-in user with a proven e-mail address.
#[derive(Clone, Debug)]
pub struct Caller {
    pub id: UserId,
    pub role: Role,
    pub email: String,
}

impl Caller {
    /// 403 unless the caller has one of these roles.
    pub fn require(&self, roles: &[Role]) -> Result<(), Problem> {
        if roles.contains(&self.role) { Ok(()) } else { Err(Problem::forbidden("You may not do this.")) }
    }
    pub fn is_admin(&self) -> bool {
        self.role == Role::Admin
    }
}

/// A signed-in user whose e-mail address may not be proven yet.
#[derive(Clone, Debug)]
pub struct AnyCaller {
    pub caller: Caller,
    pub verified: bool,
}

/// A signed-in user, or anyone. A bad token is still refused.
#[derive(Clone, Debug)]
pub struct OptionalCaller(pub Option<Caller>);

impl<S> FromRequestParts<S> for Caller where Verifier: FromRef<S>, S: Send + Sync {
    type Rejection = Problem;
    async fn from_request_parts(_parts: &mut Parts, _state: &S) -> Result<Self, Problem> {
        unimplemented!()
    }
}
impl<S> FromRequestParts<S> for AnyCaller where Verifier: FromRef<S>, S: Send + Sync {
    type Rejection = Problem;
    async fn from_request_parts(_parts: &mut Parts, _state: &S) -> Result<Self, Problem> {
        unimplemented!()
    }
}
impl<S> FromRequestParts<S> for OptionalCaller where Verifier: FromRef<S>, S: Send + Sync {
    type Rejection = Problem;
    async fn from_request_parts(_parts: &mut Parts, _state: &S) -> Result<Self, Problem> {
        unimplemented!()
    }
}
