use axum::extract;
use serde::Deserialize;
use tiffin_bus::Cause;
use tiffin_chassis::{
    Caller, Json, Path, Problem,
    documented::{BadBody, BadToken},
    problem::ProblemBody,
    telemetry,
};
use tiffin_events::UserId;
use utoipa::ToSchema;

use super::{answers::Message, attempt::Attempt, request_context::RequestContext};
use crate::{
    Error, State, rules, sessions, store,
    user::{Refusal, User},
};

/// The old password, and the one to take its place.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PasswordChange {
    old_password: String,
    new_password: String,
}

/// Changes the caller's password.
///
/// Access tokens from before it end at once, and so do all sessions but the one that asks.
#[utoipa::path(
    put, path = "/api/v1/users/update/password/{id}", tag = "user", security(("bearer" = [])),
    params(("id" = UserId, Path, description = "The caller's own id.")), request_body = PasswordChange,
    responses(
        (status = 200, description = "The new password counts.", body = Message),
        BadBody,
        BadToken,
        (status = 403, description = "Another account's password.",
            body = ProblemBody, content_type = "application/problem+json"),
        (status = 404, description = "No account has this id.",
            body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "The old password is wrong, or the new one breaks the rule.",
            body = ProblemBody, content_type = "application/problem+json"),
        (status = 429, description = "Too many wrong passwords.",
            body = ProblemBody, content_type = "application/problem+json"),
        (status = 503, description = "Too many ask at once.",
            body = ProblemBody, content_type = "application/problem+json"),
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
        return Err(Problem::forbidden("You may only change your own password."));
    }
    let new = rules::password(&body.new_password)
        .map_err(|message| Problem::invalid("newPassword", message))?;
    let turn = state.passwords.turn().await?;
    let mut conn = state.pool.acquire().await?;
    let user = store::find(&mut conn, id)
        .await?
        .ok_or(Error::from(Refusal::Unknown))?;
    drop(conn);
    let attempt = Attempt::in_session(&state, id).await?;
    if !turn.verify(&body.old_password, user.password()).await? {
        return Err(Problem::invalid(
            "oldPassword",
            "The old password is wrong.",
        ));
    }
    attempt.was_right(&state).await?;
    let hash = state.passwords.hash(&new).await?;
    save(&state, id, hash, context.refresh.as_deref()).await?;
    Ok(Message::new("Password changed"))
}

/// The change, and the end of what was opened with the old password.
async fn save(state: &State, id: UserId, hash: String, session: Option<&str>) -> Result<(), Error> {
    let cause = Cause::user(id, telemetry::traceparent());
    let mut tx = state.pool.begin().await?;
    tiffin_bus::change(&mut tx, &state.clock, &cause, id, |user: &mut User| {
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
