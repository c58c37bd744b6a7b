use axum::{extract, response::Response};
use serde::Deserialize;
use tiffin_bus::Cause;
use tiffin_chassis::{
    AnyCaller, Caller, Json, Problem,
    refusal::{BadBody, BadField, BadToken},
    refusals, refused_by, telemetry,
};
use utoipa::ToSchema;

use super::{answers::LoginAnswer, login::SignInRefusal, register::revoke, send_otp::unproven};
use crate::{
    State, sign_ups,
    store::{
        self,
        codes::{self, Try},
        password_resets,
    },
    tokens::AccountClaims,
    user::{Refusal, User},
};

/// The code from the mail.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Otp {
    #[serde(default)]
    #[schema(required, example = "042137")]
    otp: String,
}

refusals! {
    /// A code that proves no e-mail address.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum BadOtp {
        Missing = 422, "user.otp-required", "Please enter the OTP.", at "otp";
        Wrong = 422, "user.otp-wrong", "The code is wrong.", at "otp";
        Gone =
            422, "user.otp-gone",
            "The code is no longer valid. Please ask for a new one.", at "otp";
        UsedUp = 429, "user.otp-used-up", "The code was tried too often. Please ask for a new one.";
    }
}

refused_by! {
    VerifyOtpRefusals:
        BadBody, BadField, BadToken, Refusal::{Unknown, AlreadyVerified, Busy}, BadOtp, SignInRefusal::{Blocked},
}

/// Proves the caller's e-mail address with the code that was mailed to it.
#[utoipa::path(
    post, path = "/api/v1/users/verifyOTP", tag = "user", security(("bearer" = [])), request_body = Otp,
    responses(
        (status = 200, description = "Proven; the token opens everything.", body = LoginAnswer),
        VerifyOtpRefusals,
    ),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"])))
)]
pub(crate) async fn verify_otp(
    extract::State(state): extract::State<State>,
    AnyCaller { caller, .. }: AnyCaller,
    Json(body): Json<Otp>,
) -> Result<Response, Problem> {
    let code = body.otp.trim();
    if code.is_empty() {
        return Err(BadOtp::Missing.into());
    }
    let mut conn = state.pool.acquire().await?;
    let user = unproven(store::find(&mut conn, caller.id).await?)?;
    let taken = codes::take_try(&mut conn, state.clock.now(), caller.id).await?;
    drop(conn);
    let hash = match taken {
        Try::Compare(hash) => hash,
        Try::UsedUp(wait) => {
            return Err(Problem::from(BadOtp::UsedUp).retry_after(wait.unsigned_abs()));
        }
        Try::NoCode => return Err(BadOtp::Gone.into()),
    };
    if !state.passwords.verify(code, Some(hash)).await? {
        return Err(BadOtp::Wrong.into());
    }
    prove(&state, caller, &user.email).await
}

/// Marks the address as verified; other sign-ups with it end.
async fn prove(state: &State, caller: Caller, email: &str) -> Result<Response, Problem> {
    let id = caller.id;
    let keys = state.keys.current().await?;
    let cause = Cause::user(id, telemetry::traceparent());
    let mut tx = tiffin_database::begin(&state.pool).await?;
    store::lock_address(&mut tx, email).await?;
    if sign_ups::is_blocked(&mut tx, email).await? {
        return Err(SignInRefusal::Blocked.into());
    }
    let user = tiffin_bus::change(&mut tx, &state.recorder, &cause, id, User::verify).await?;
    codes::end(&mut tx, id).await?;
    password_resets::end(&mut tx, id).await?;
    let ended = sign_ups::end_others(&mut tx, &state.recorder, &user).await?;
    let policy = state.config.admin_second_factor;
    let claims = AccountClaims::read(&mut tx, policy, &user, caller.proof).await?;
    let answer = LoginAnswer::sign(&keys, &state.clock, "Email verified", user, &claims)?;
    tx.commit().await?;
    revoke(state, &ended);
    Ok(answer)
}
