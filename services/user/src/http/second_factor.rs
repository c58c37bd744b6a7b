//! Two-step sign-in: turning it on and off, and its recovery codes.

pub(super) mod begin;
pub(super) mod read_second_factor;
pub(super) mod renew;
pub(super) mod turn_off;
pub(super) mod turn_on;

use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use tiffin_chassis::{
    Caller, Problem,
    refusal::BadToken,
    refusals,
    token::{Method, Proof},
};
use time::Duration;
use utoipa::ToSchema;

use super::request_context::RequestContext;
use crate::{
    Error, State, operators,
    store::{self, sessions},
    user::{Refusal, User},
};

refusals! {
    /// The state in which two-step sign-in is already, or is not.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum TwoStep {
        OnAlready = 409, "user.two-step-on-already", "Two-step sign-in is on already.";
        NotBegun =
            409, "user.two-step-not-begun",
            "Two-step sign-in is on already, or was not begun. Please begin again.";
        OffAlready = 409, "user.two-step-off-already", "Two-step sign-in is off already.";
        Off = 409, "user.two-step-off", "Two-step sign-in is off.";
    }
}

/// A code of the authenticator app, or a recovery code.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Code {
    /// Six digits of the app; where two-step sign-in is on, a recovery code, too.
    #[schema(example = "042137")]
    code: String,
}

/// Codes for who has lost the app.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RecoveryCodes {
    message: String,
    /// Each is good once. They are shown this once.
    #[schema(example = json!(["3k7qp-x2m9d"]))]
    recovery_codes: Vec<String>,
}

async fn account(state: &State, caller: &Caller) -> Result<User, Error> {
    let mut conn = state.pool.acquire().await?;
    let user = store::find(&mut conn, caller.id).await?;
    Ok(user.ok_or(Refusal::Unknown)?)
}

/// Ends all sessions but the one that asks, which has shown a code now, and all tokens.
async fn end_other_sessions(
    tx: &mut PgConnection,
    state: &State,
    user: &User,
    context: &RequestContext,
) -> Result<Proof, Error> {
    let now = state.clock.now();
    let proof = Proof {
        at: Some(now),
        methods: vec![Method::Pwd, Method::Otp],
    };
    let session = context.refresh.as_deref();
    sessions::end_all(tx, now, user.id, session).await?;
    if let Some(session) = session {
        sessions::set_proof(tx, user.id, session, &proof).await?;
    }
    operators::end_tokens(tx, &state.clock, user.id, revoked_until(state)).await?;
    Ok(proof)
}

/// The moment at and before which tokens end: the answer's own token is of the millisecond after it.
fn revoked_until(state: &State) -> time::OffsetDateTime {
    state.clock.now() - Duration::MILLISECOND
}

/// The account, locked until the transaction ends; refused where it was blocked or got another password meanwhile.
async fn lock_unchanged(tx: &mut PgConnection, user: &User) -> Result<User, Problem> {
    let current = store::lock_shared(tx, user.id).await?;
    current
        .filter(|now| !now.blocked && now.password_hash == user.password_hash)
        .ok_or_else(|| BadToken::Missing.into())
}
