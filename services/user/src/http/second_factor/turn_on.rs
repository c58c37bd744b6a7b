use axum::{extract, response::Response};
use serde::Serialize;
use tiffin_chassis::{
    EnrollingCaller, Json, Problem,
    refusal::{BadBody, BadField, BadToken},
    refused_by,
};
use utoipa::ToSchema;

use super::{Code, TwoStep, account, end_other_sessions, lock_unchanged, revoked_until};
use crate::{
    State,
    http::{
        answers::{LoginAnswer, no_store},
        request_context::RequestContext,
    },
    second_factor::{self, BadCode, NewRecoveryCodes, Notice, Origin, ValidCode},
    store::{recovery_codes, second_factors},
    tokens::AccountClaims,
    user::Refusal,
};

/// Two-step sign-in is on.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TurnedOn {
    #[serde(flatten)]
    answer: LoginAnswer,
    /// Each is good once. They are shown this once.
    recovery_codes: Vec<String>,
}

refused_by! {
    TurnOnSecondFactorRefusals:
        BadBody, BadField, BadToken, Refusal::{Unknown, Busy}, TwoStep::{NotBegun},
        BadCode::{Wrong, TooMany},
}

/// Turns two-step sign-in on with a first code of the app.
///
/// All other sessions end, and so do tokens from before. The account's owner is mailed.
#[utoipa::path(
    post, path = "/api/v1/users/second-factor/on", tag = "user", security(("bearer" = [])),
    request_body = Code,
    responses(
        (status = 200, description = "Two-step sign-in is on.", body = TurnedOn),
        TurnOnSecondFactorRefusals,
    ),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"])))
)]
pub(crate) async fn turn_on_second_factor(
    extract::State(state): extract::State<State>,
    EnrollingCaller(caller): EnrollingCaller,
    context: RequestContext,
    Json(body): Json<Code>,
) -> Result<Response, Problem> {
    let known = account(&state, &caller).await?;
    let mut conn = state.pool.acquire().await?;
    let begun = second_factors::find(&mut conn, known.id).await?;
    drop(conn);
    if begun.is_none_or(|factor| factor.is_confirmed) {
        return Err(TwoStep::NotBegun.into());
    }
    let code = second_factor::verify(&state, known.id, &body.code, Origin::Session).await?;
    // Recovery codes of before are not for this.
    if matches!(code, ValidCode::Recovery(_)) {
        return Err(TwoStep::NotBegun.into());
    }
    let recovery = NewRecoveryCodes::new(&state.passwords).await?;
    let keys = state.keys.current().await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let user = lock_unchanged(&mut tx, &known).await?;
    second_factor::redeem(&mut tx, &state, user.id, code).await?;
    if !second_factors::confirm(&mut tx, state.clock.now(), user.id).await? {
        return Err(TwoStep::NotBegun.into());
    }
    recovery_codes::replace(&mut tx, user.id, &recovery.hashes).await?;
    let proof = end_other_sessions(&mut tx, &state, &user, &context).await?;
    second_factor::queue_notice(&mut tx, &state, &user.email, Notice::TurnedOn).await?;
    let policy = state.config.admin_second_factor;
    let claims = AccountClaims::read(&mut tx, policy, &user, proof).await?;
    let message = "Two-step sign-in is on";
    let answer = LoginAnswer::new(&keys, &state.clock, message, user, &claims)?;
    tx.commit().await?;
    state
        .verifier
        .revocations()
        .revoke(known.id, revoked_until(&state));
    state.mail_waits.notify_one();
    Ok(no_store(TurnedOn {
        answer,
        recovery_codes: recovery.codes,
    }))
}
