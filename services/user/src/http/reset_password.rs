use axum::extract;
use serde::Deserialize;
use tiffin_bus::Cause;
use tiffin_chassis::{
    Json, Network, Problem,
    refusal::{BadBody, BadField},
    refusals, refused_by, telemetry,
};
use tiffin_events::UserId;
use utoipa::ToSchema;

use super::{answers::Message, attempt::TooManyFailures, register::revoke};
use crate::{
    State, limits,
    resets::{self, Language},
    rules::{self, BadInput},
    sign_ups,
    store::{self, codes, known_devices, password_resets, sessions},
    user::{Refusal, User},
};

/// The token of the mail's link, and the new password.
#[derive(Deserialize, ToSchema)]
pub(crate) struct PasswordReset {
    #[serde(default)]
    #[schema(required)]
    token: String,
    /// At least 8 characters, an uppercase letter and a symbol among them.
    #[serde(default)]
    #[schema(required)]
    password: String,
}

refusals! {
    /// A link of a mail that opens nothing.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum BadLink {
        Over =
            422, "user.link-over",
            "This link is no longer valid. Please ask for a new one.", at "token";
    }
}

refused_by! {
    ResetPasswordRefusals:
        BadBody, BadField, BadInput::{Password, PasswordTooLong, PasswordTooCommon}, BadLink,
        TooManyFailures, Refusal::{Busy, Unknown},
}

/// Sets a new password with the token of a mailed link.
///
/// All sessions and tokens of the account end. Its address is proven by that, and other sign-ups with it
/// end; two-step sign-in stays as it is, and the caller logs in afterwards.
#[utoipa::path(
    post, path = "/api/v1/users/password/reset", tag = "user", request_body = PasswordReset,
    responses(
        (status = 200, description = "The new password counts.", body = Message),
        ResetPasswordRefusals,
    ),
    extensions(("x-roles" = json!(["*"])))
)]
pub(crate) async fn reset_password(
    extract::State(state): extract::State<State>,
    Network(network): Network,
    Json(body): Json<PasswordReset>,
) -> Result<Json<Message>, Problem> {
    if let Some(network) = network {
        let key = format!("resets-from:{network}");
        if let Some(wait) = state.limits.take(&key, limits::RESETS_OF_NETWORK).await? {
            return Err(Problem::from(TooManyFailures::Attempts).retry_after(wait.unsigned_abs()));
        }
    }
    let new =
        rules::password(&body.password).map_err(|fault| Problem::from(fault).at("password"))?;
    let mut conn = state.pool.acquire().await?;
    let found = password_resets::find(&mut conn, state.clock.now(), &body.token).await?;
    drop(conn);
    let (id, language) = found.ok_or(BadLink::Over)?;
    let hash = state.passwords.hash(&new).await?;
    save(&state, id, language, &body.token, hash).await?;
    Ok(Message::new("Password changed"))
}

/// The change, the end of what was opened with the old password, and the mail that tells of it.
async fn save(
    state: &State,
    id: UserId,
    language: Language,
    token: &str,
    hash: String,
) -> Result<(), Problem> {
    let cause = Cause::user(id, telemetry::traceparent());
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let user = store::find(&mut tx, id).await?.ok_or(BadLink::Over)?;
    store::lock_address(&mut tx, &user.email).await?;
    if !password_resets::redeem(&mut tx, token).await?
        || sign_ups::is_blocked(&mut tx, &user.email).await?
    {
        return Err(BadLink::Over.into());
    }
    let user = tiffin_bus::change(&mut tx, &state.recorder, &cause, id, |user: &mut User| {
        user.reset_password(hash)
    })
    .await?;
    // After the account is locked: every token signed before is older.
    let now = state.clock.now();
    sessions::end_all(&mut tx, now, id, None).await?;
    codes::end(&mut tx, id).await?;
    known_devices::delete_all(&mut tx, id).await?;
    let mut ended = sign_ups::end_others(&mut tx, &state.recorder, &user).await?;
    ended.push(id);
    resets::queue_changed(&mut tx, state, &user.email, language).await?;
    tx.commit().await?;
    revoke(state, &ended);
    state.mail_waits.notify_one();
    Ok(())
}
