use axum::extract;
use serde::Deserialize;
use tiffin_bus::Cause;
use tiffin_chassis::{
    Caller, Json, Path, Problem,
    refusal::{BadBody, BadField, BadPath, BadToken},
    refusals, refused_by, telemetry,
};
use tiffin_events::UserId;
use utoipa::ToSchema;

use super::{
    answers::Message,
    attempt::{Attempt, TooManyFailures},
    request_context::RequestContext,
};
use crate::{
    Error, State,
    rules::{self, BadInput},
    store::{self, sessions},
    user::{Refusal, User},
};

/// The old password, and the one to take its place.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PasswordChange {
    old_password: String,
    new_password: String,
}

refusals! {
    /// The reason why a password stays.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Unchanged {
        NotYours = 403, "user.password-not-yours", "You may only change your own password.";
        OldWrong = 422, "user.old-password-wrong", "The old password is wrong.", at "oldPassword";
    }
}

refused_by! {
    ChangePasswordRefusals:
        BadBody, BadField, BadPath, BadToken,
        BadInput::{Password, PasswordTooLong, PasswordTooCommon}, Unchanged, TooManyFailures,
        Refusal::{Unknown, Busy},
}

/// Changes the caller's password.
///
/// Access tokens from before it end at once, and so do all sessions but the one that asks.
#[utoipa::path(
    put, path = "/api/v1/users/update/password/{id}", tag = "user", security(("bearer" = [])),
    params(("id" = UserId, Path, description = "The caller's own id.")), request_body = PasswordChange,
    responses(
        (status = 200, description = "The new password counts.", body = Message),
        ChangePasswordRefusals,
    ),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"])))
)]
pub(crate) async fn change_password(
    extract::State(state): extract::State<State>,
    caller: Caller,
    context: RequestContext,
    Path(id): Path<UserId>,
    Json(body): Json<PasswordChange>,
) -> Result<Json<Message>, Problem> {
    if caller.id != id {
        return Err(Unchanged::NotYours.into());
    }
    let new = rules::password(&body.new_password)
        .map_err(|fault| Problem::from(fault).at("newPassword"))?;
    let turn = state.passwords.turn().await?;
    let mut conn = state.pool.acquire().await?;
    let user = store::find(&mut conn, id)
        .await?
        .ok_or(Error::from(Refusal::Unknown))?;
    drop(conn);
    let attempt = Attempt::in_session(&state, id).await?;
    if !turn.verify(&body.old_password, user.password()).await? {
        return Err(Unchanged::OldWrong.into());
    }
    attempt.succeeded(&state).await?;
    let hash = state.passwords.hash(&new).await?;
    save(&state, id, hash, context.refresh.as_deref()).await?;
    Ok(Message::new("Password changed"))
}

/// The change, and the end of what was opened with the old password.
async fn save(state: &State, id: UserId, hash: String, session: Option<&str>) -> Result<(), Error> {
    let cause = Cause::user(id, telemetry::traceparent());
    let mut tx = tiffin_database::begin(&state.pool).await?;
    tiffin_bus::change(&mut tx, &state.recorder, &cause, id, |user: &mut User| {
        user.change_password(hash)
    })
    .await?;
    // After the account is locked: every token signed before is older.
    let now = state.clock.now();
    sessions::end_all(&mut tx, now, id, session).await?;
    tx.commit().await?;
    state.verifier.revocations().revoke(id, now);
    Ok(())
}
