use axum::{extract, response::Response};
use serde::Deserialize;
use tiffin_chassis::{
    Caller, Json, Problem,
    refusal::{BadBody, BadField, BadToken},
    refused_by,
};
use utoipa::ToSchema;

use super::{TwoStep, account, end_other_sessions, lock_unchanged, revoked_until};
use crate::{
    State,
    http::{
        answers::LoginAnswer,
        attempt::TooManyFailures,
        confirm::{BadPassword, verify_password},
        request_context::RequestContext,
    },
    second_factor::{self, BadCode, Notice, Origin},
    store::second_factors,
    tokens::AccountClaims,
    user::Refusal,
};

/// The proof for turning it off.
#[derive(Deserialize, ToSchema)]
pub(crate) struct TurnOff {
    /// Left out by accounts that have none.
    password: Option<String>,
    /// Six digits of the authenticator app, or a recovery code.
    #[schema(example = "042137")]
    code: String,
}

refused_by! {
    TurnOffSecondFactorRefusals:
        BadBody, BadField, BadToken, Refusal::{Unknown, Busy}, TwoStep::{OffAlready},
        BadPassword, TooManyFailures, BadCode::{Wrong, TooMany},
}

/// Turns two-step sign-in off, with the password and a code.
///
/// All other sessions end, and so do tokens from before. The account's owner is mailed. Who must have
/// it gets a token that opens turning it on again, and nothing else.
#[utoipa::path(
    post, path = "/api/v1/users/second-factor/off", tag = "user", security(("bearer" = [])),
    request_body = TurnOff,
    responses(
        (status = 200, description = "Two-step sign-in is off.", body = LoginAnswer),
        TurnOffSecondFactorRefusals,
    ),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"])))
)]
pub(crate) async fn turn_off_second_factor(
    extract::State(state): extract::State<State>,
    caller: Caller,
    context: RequestContext,
    Json(body): Json<TurnOff>,
) -> Result<Response, Problem> {
    let known = account(&state, &caller).await?;
    let mut conn = state.pool.acquire().await?;
    let is_on = second_factors::is_on(&mut conn, known.id).await?;
    drop(conn);
    if !is_on {
        return Err(TwoStep::OffAlready.into());
    }
    if known.password().is_some() {
        verify_password(&state, &known, body.password.as_deref()).await?;
    }
    let code = second_factor::verify(&state, known.id, &body.code, Origin::Session).await?;
    let keys = state.keys.current().await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let user = lock_unchanged(&mut tx, &known).await?;
    second_factor::redeem(&mut tx, &state, user.id, code).await?;
    if !second_factors::turn_off(&mut tx, user.id).await? {
        return Err(TwoStep::OffAlready.into());
    }
    let proof = end_other_sessions(&mut tx, &state, &user, &context).await?;
    second_factor::queue_notice(&mut tx, &state, &user.email, Notice::TurnedOff).await?;
    let policy = state.config.admin_second_factor;
    let claims = AccountClaims::read(&mut tx, policy, &user, proof).await?;
    let message = "Two-step sign-in is off";
    let answer = LoginAnswer::sign(&keys, &state.clock, message, user, &claims)?;
    tx.commit().await?;
    state
        .verifier
        .revocations()
        .revoke(known.id, revoked_until(&state));
    state.mail_waits.notify_one();
    Ok(answer)
}
