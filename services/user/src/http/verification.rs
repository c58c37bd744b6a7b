use std::net::IpAddr;

use axum::{extract, response::Response};
use serde::Deserialize;
use tiffin_bus::Cause;
use tiffin_chassis::{
    AnyCaller, Caller, Json, Network, Problem,
    refusal::{BadBody, BadField, BadToken},
    refusals, refused_by, telemetry,
};
use time::Duration;
use utoipa::ToSchema;

use super::{
    answers::{LoginAnswer, Message},
    login::SignInRefusal,
    register::revoke,
};
use crate::{
    State,
    codes::{self, Try},
    limits, mails, resets, sign_ups, store,
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
    /// The reason why no code is mailed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum NoNewOtp {
        TooSoon { seconds: i64 } =
            429, "user.otp-too-soon",
            "Please wait {seconds} seconds before asking for another code.";
        TooMany =
            429, "user.otp-too-many",
            "You have asked for too many codes. Please try again tomorrow.";
    }
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
    SendOtpRefusals:
        BadToken, Refusal::{Unknown, AlreadyVerified, Busy}, NoNewOtp,
}

/// Mails the caller a code that proves their e-mail address.
///
/// Six digits, good for ten minutes and five tries; one mail in half a minute.
#[utoipa::path(
    get, path = "/api/v1/users/sendOTP", tag = "user", security(("bearer" = [])),
    responses(
        (status = 200, description = "The mail is on its way.", body = Message),
        SendOtpRefusals,
    ),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"])))
)]
pub(crate) async fn send_otp(
    extract::State(state): extract::State<State>,
    AnyCaller { caller, .. }: AnyCaller,
    Network(network): Network,
) -> Result<Json<Message>, Problem> {
    let now = state.clock.now();
    let mut conn = state.pool.acquire().await?;
    let user = unproven(store::find(&mut conn, caller.id).await?)?;
    if let Some(wait) = codes::wait(&mut conn, now, user.id).await? {
        return Err(too_soon(wait));
    }
    drop(conn);
    count(&state, &user.email, network).await?;
    let code = codes::new_code();
    let hash = state.passwords.hash(&code).await?;
    let mut tx = state.pool.begin().await?;
    if !codes::save(&mut tx, now, user.id, &hash).await? {
        return Err(too_soon(codes::MIN_INTERVAL));
    }
    mails::queue_code(&mut tx, &state.clock, &user.email, &code).await?;
    tx.commit().await?;
    state.mail_waits.notify_one();
    Ok(Message::new("We have sent you a code."))
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

/// Counts a code by the address that it is mailed to: several may have signed up with it, and its owner
/// gets no more mail for that.
async fn count(state: &State, email: &str, network: Option<IpAddr>) -> Result<(), Problem> {
    let address = sign_ups::address_digest(email);
    let from = network.map_or_else(String::new, |network| format!(":{network}"));
    for (key, limit) in [
        (format!("codes:{address}{from}"), limits::CODES),
        (format!("codes-mailed:{address}"), limits::CODES_MAILED),
    ] {
        if let Some(wait) = state.limits.take(&key, limit).await? {
            return Err(Problem::from(NoNewOtp::TooMany).retry_after(wait.unsigned_abs()));
        }
    }
    Ok(())
}

/// The address is theirs, and so is the account that they signed up for; the others end.
async fn prove(state: &State, caller: Caller, email: &str) -> Result<Response, Problem> {
    let id = caller.id;
    let keys = state.keys.current().await?;
    let cause = Cause::user(id, telemetry::traceparent());
    let mut tx = state.pool.begin().await?;
    sign_ups::lock_address(&mut tx, email).await?;
    if sign_ups::is_blocked(&mut tx, email).await? {
        return Err(SignInRefusal::Blocked.into());
    }
    let user = tiffin_bus::change(&mut tx, &state.clock, &cause, id, User::verify).await?;
    codes::end(&mut tx, id).await?;
    resets::end(&mut tx, id).await?;
    let ended = sign_ups::end_others(&mut tx, &state.clock, &user).await?;
    let policy = state.config.admin_second_factor;
    let claims = AccountClaims::read(&mut tx, policy, &user, caller.proof).await?;
    let answer = LoginAnswer::sign(&keys, &state.clock, "Email verified", user, &claims)?;
    tx.commit().await?;
    revoke(state, &ended);
    Ok(answer)
}

fn unproven(user: Option<User>) -> Result<User, crate::Error> {
    let user = user.ok_or(Refusal::Unknown)?;
    if user.verified {
        Err(Refusal::AlreadyVerified.into())
    } else {
        Ok(user)
    }
}

fn too_soon(wait: Duration) -> Problem {
    let seconds = wait.whole_seconds().max(0) + 1;
    Problem::from(NoNewOtp::TooSoon { seconds }).retry_after(wait.unsigned_abs())
}
