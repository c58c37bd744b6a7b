use axum::{extract, response::Response};
use serde::Deserialize;
use tiffin_chassis::{
    Json, Problem,
    refusal::{BadBody, BadField},
    refused_by,
    token::Method,
};
use utoipa::ToSchema;

use super::{
    answers::LoginAnswer,
    attempt::{Attempt, TooManyFailures},
    login::{SignInRefusal, start_session},
    request_context::RequestContext,
};
use crate::{
    State,
    second_factor::{self, BadCode, Notice, Origin, ValidCode},
    store::{self, known_devices, pending_sign_ins},
    user::Refusal,
};

/// The second step of a sign-in.
#[derive(Deserialize, ToSchema)]
pub(crate) struct SecondStep {
    /// The challenge of the first step's answer.
    challenge: String,
    /// Six digits of the authenticator app, or a recovery code.
    #[schema(example = "042137")]
    code: String,
}

refused_by! {
    SecondStepRefusals:
        BadBody, BadField, SignInRefusal::{Over, Blocked}, BadCode::{Wrong, TooMany},
        TooManyFailures, Refusal::{Busy},
}

/// Finishes a sign-in with a code of the authenticator app, or with a recovery code.
///
/// A challenge is good for five minutes, five tries and one success; a code of the app is good once.
#[utoipa::path(
    post, path = "/api/v1/users/login/second-factor", tag = "user", request_body = SecondStep,
    responses(
        (status = 200, description = "Signed in.", body = LoginAnswer),
        SecondStepRefusals,
    ),
    extensions(("x-roles" = json!(["*"])))
)]
pub(crate) async fn second_step(
    extract::State(state): extract::State<State>,
    context: RequestContext,
    Json(body): Json<SecondStep>,
) -> Result<Response, Problem> {
    let attempt = Attempt::from_address(&state, &context).await?;
    let mut conn = state.pool.acquire().await?;
    let taken = pending_sign_ins::take_try(&mut conn, state.clock.now(), &body.challenge).await?;
    let waiting = taken.ok_or_else(over)?;
    let key = context.device.as_deref();
    let device =
        known_devices::find_by_user(&mut conn, state.clock.now(), key, waiting.user).await?;
    drop(conn);
    let origin = device.map_or(Origin::Elsewhere, Origin::Device);
    let code = second_factor::verify(&state, waiting.user, &body.code, origin).await?;
    attempt.succeeded(&state).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let user = store::lock_shared(&mut tx, waiting.user)
        .await?
        .ok_or_else(over)?;
    if user.blocked {
        return Err(SignInRefusal::Blocked.into());
    }
    // With the account's sessions a sign-in under way ends, too: after another password it is not there.
    if !pending_sign_ins::end(&mut tx, &body.challenge).await? {
        return Err(over());
    }
    second_factor::redeem(&mut tx, &state, user.id, code).await?;
    if matches!(code, ValidCode::Recovery(_)) {
        second_factor::queue_notice(&mut tx, &state, &user.email, Notice::RecoveryCodeUsed).await?;
    }
    let mut methods = waiting.methods;
    methods.push(Method::Otp);
    let answer = start_session(&state, &context, tx, user, &methods).await?;
    state.mail_waits.notify_one();
    Ok(answer)
}

fn over() -> Problem {
    Problem::from(SignInRefusal::Over).with_extension("reason", &"sign_in_over")
}
