use std::net::IpAddr;

use axum::extract;
use tiffin_chassis::{AnyCaller, Json, Network, Problem, refusal::BadToken, refusals, refused_by};
use time::Duration;

use super::answers::Message;
use crate::{
    State, limits, mails, sign_ups,
    store::{self, codes},
    user::{Refusal, User},
};

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
    let mut tx = tiffin_database::begin(&state.pool).await?;
    if !codes::save(&mut tx, now, user.id, &hash).await? {
        return Err(too_soon(codes::MIN_INTERVAL));
    }
    mails::queue_code(&mut tx, &state.clock, &user.email, &code).await?;
    tx.commit().await?;
    state.mail_waits.notify_one();
    Ok(Message::new("We have sent you a code."))
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

/// The account, if its e-mail address is not proven yet.
pub(super) fn unproven(user: Option<User>) -> Result<User, crate::Error> {
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
