use axum::extract;
use serde::Deserialize;
use tiffin_bus::Cause;
use tiffin_chassis::{
    Caller, Json, Path, Problem,
    refusal::{BadBody, BadField, BadPath, BadToken, WrongCaller},
    refused_by, telemetry,
};
use tiffin_events::{Role, user::BlockReason};
use utoipa::ToSchema;

use super::answers::UserAnswer;
use crate::{
    Error, State,
    store::{self, sessions},
    user::{Refusal, User},
};

#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Block {
    /// The new state; left out, the opposite of the present one.
    is_blocked: Option<bool>,
    /// The reason for a block; administrators see it with the account.
    reason: Option<BlockReason>,
}

refused_by! {
    BlockUserRefusals:
        BadBody, BadField, BadPath, BadToken, WrongCaller::{Role},
        Refusal::{Unknown, BlocksOneself, LastAdmin},
}

/// Blocks a user, or lets them in again.
///
/// A blocked user's tokens and sessions end at once, everywhere.
#[utoipa::path(
    put, path = "/api/v1/users/block/{email}", tag = "user", security(("bearer" = [])),
    params(("email" = String, Path, description = "Whom.")), request_body = Block,
    responses(
        (status = 200, description = "The user as they are now.", body = UserAnswer),
        BlockUserRefusals,
    ),
    extensions(("x-roles" = json!(["admin"])))
)]
pub(crate) async fn block_user(
    extract::State(state): extract::State<State>,
    caller: Caller,
    Path(email): Path<String>,
    body: Option<Json<Block>>,
) -> Result<Json<UserAnswer>, Problem> {
    caller.require(&[Role::Admin])?;
    let Json(Block { is_blocked, reason }) = body.unwrap_or(Json(Block::default()));
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let email = email.trim().to_ascii_lowercase();
    let user = store::find_by_email(&mut tx, &email)
        .await?
        .ok_or(Error::from(Refusal::Unknown))?;
    let others = store::count_other_admins(&mut tx, user.id).await?;
    let cause = Cause::user(caller.id, telemetry::traceparent());
    let change = tiffin_bus::change(
        &mut tx,
        &state.recorder,
        &cause,
        user.id,
        |user: &mut User| user.block(caller.id, is_blocked, reason, others),
    );
    let user = change.await?;
    // After the account is locked: every token signed before is older.
    let now = state.clock.now();
    if user.blocked {
        sessions::end_all(&mut tx, now, user.id, None).await?;
    }
    tx.commit().await?;
    if user.blocked {
        state.verifier.revocations().revoke(user.id, now);
    }
    let message = if user.blocked {
        "User blocked"
    } else {
        "User unblocked"
    };
    Ok(Json(UserAnswer::new(message, user)))
}
