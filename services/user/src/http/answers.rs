//! Answers of the calls.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, header};
use serde::Serialize;
use tiffin_chassis::{Json, Problem, refusals};
use tiffin_events::{Clock, Role, UserId, user::BlockReason};
use utoipa::ToSchema;

use super::{login::SignInRefusal, request_context::clear_cookie};
use crate::{
    Error,
    keys::KeySet,
    tokens::{self, AccountClaims},
    user,
};

/// An account.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct User {
    #[serde(rename = "_id")]
    key: UserId,
    id: UserId,
    email: String,
    role: Role,
    first_name: String,
    last_name: String,
    address: String,
    phone: String,
    /// A picture's URL.
    image: Option<String>,
    /// Degrees; null until they set it.
    lat: Option<f64>,
    lng: Option<f64>,
    email_verified: bool,
    is_blocked: bool,
    /// The reason for the block, if the administrator gave one.
    block_reason: Option<BlockReason>,
}

impl From<user::User> for User {
    fn from(user: user::User) -> Self {
        let profile = user.profile;
        Self {
            key: user.id,
            id: user.id,
            email: user.email,
            role: user.role,
            first_name: profile.first_name,
            last_name: profile.last_name,
            address: profile.address,
            phone: profile.phone,
            image: profile.image,
            lat: profile.place.map(|place| place.lat),
            lng: profile.place.map(|place| place.lng),
            email_verified: user.verified,
            is_blocked: user.blocked,
            block_reason: user.block_reason,
        }
    }
}

/// A sentence for the reader.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Message {
    pub message: String,
}

impl Message {
    pub fn new(message: &str) -> Json<Self> {
        Json(Self {
            message: message.to_owned(),
        })
    }
}

/// An account, and what happened to it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct UserAnswer {
    message: String,
    user: User,
}

impl UserAnswer {
    pub fn new(message: &str, user: user::User) -> Self {
        Self {
            message: message.to_owned(),
            user: user.into(),
        }
    }
}

/// The account that signed in, and its rights beside its role.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SignedIn {
    #[serde(flatten)]
    user: User,
    /// `true` if they operate the event history.
    is_operator: bool,
    /// `true` if they have to turn on two-step sign-in first: until then the token opens only that.
    must_enrol: bool,
}

/// The account that signed in, and its token for the next quarter of an hour.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LoginAnswer {
    message: String,
    /// Sent as `Authorization: Bearer …`.
    token: String,
    user: SignedIn,
}

impl LoginAnswer {
    /// A fresh token in an answer that must not be cached. The transaction that holds `user` must still be
    /// open, so that a block or a new password that comes meanwhile is younger than the token.
    pub fn sign(
        keys: &KeySet,
        clock: &Clock,
        message: &str,
        user: user::User,
        claims: &AccountClaims,
    ) -> Result<Response, Error> {
        let answer = Self::new(keys, clock, message, user, claims)?;
        Ok(no_store(answer))
    }

    pub fn new(
        keys: &KeySet,
        clock: &Clock,
        message: &str,
        user: user::User,
        claims: &AccountClaims,
    ) -> Result<Self, Error> {
        Ok(Self {
            message: message.to_owned(),
            token: tokens::issue(keys, clock, &user, claims)?,
            user: SignedIn {
                user: user.into(),
                is_operator: claims.operator,
                must_enrol: claims.must_enrol,
            },
        })
    }
}

/// An answer that no cache may keep.
pub(crate) fn no_store(answer: impl Serialize) -> Response {
    ([(header::CACHE_CONTROL, "no-store")], Json(answer)).into_response()
}

/// Puts a cookie into an answer.
pub(crate) fn set_cookie(answer: &mut Response, cookie: &str) {
    if let Ok(cookie) = HeaderValue::from_str(cookie) {
        answer.headers_mut().append(header::SET_COOKIE, cookie);
    }
}

refusals! {
    /// A session that is good for nothing.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum SessionOver {
        Over = 401, "user.session-over", "Your session is over. Please log in again.";
    }
}

/// 401 that takes the cookie away: it is good for nothing.
pub(crate) fn session_over() -> Response {
    without_cookie(Problem::from(SessionOver::Over))
}

/// 403 for who was signed in when the account was blocked; it takes the cookie away.
pub(crate) fn account_blocked() -> Response {
    without_cookie(Problem::from(SignInRefusal::Blocked))
}

fn without_cookie(problem: Problem) -> Response {
    let mut answer = problem.into_response();
    set_cookie(&mut answer, &clear_cookie());
    answer
}
