use axum::{
    extract,
    response::{IntoResponse, Response},
};
use http::StatusCode;
use serde::Deserialize;
use tiffin_chassis::{
    Caller, Json, Problem, Writes,
    refusal::{BadBody, BadField, BadToken, TooMany, WrongCaller},
    refused_by,
};
use utoipa::ToSchema;

use super::{CopyAnswer, CopyRefusal};
use crate::{
    Error, State,
    http::proof::require_proof,
    limits,
    resets::Language,
    store::{self, copies},
    user::Refusal,
};

/// The wishes for a copy.
#[derive(Deserialize, ToSchema)]
pub(crate) struct NewCopy {
    /// The language of the mail and of the copy's description; English without it.
    #[serde(default)]
    language: Language,
}

refused_by! {
    RequestCopyRefusals:
        BadBody, BadField, BadToken, WrongCaller::{ProofTooOld}, TooMany, Refusal::{Unknown},
        CopyRefusal::{UnderWay},
}

/// Asks for a copy of all that the platform holds about the caller.
///
/// It is made in the background, and a mail says when it is ready. It takes the place of the one before. As closing
/// the account does, it asks for a proof of the last five minutes (RFC 9470).
#[utoipa::path(
    post, path = "/api/v1/users/copy", tag = "user", security(("bearer" = [])),
    request_body = NewCopy,
    responses(
        (status = 202, description = "The copy is being made.", body = CopyAnswer),
        RequestCopyRefusals,
    ),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"])))
)]
pub(crate) async fn request_copy(
    extract::State(state): extract::State<State>,
    caller: Caller,
    writes: Writes,
    Json(body): Json<NewCopy>,
) -> Result<Response, Problem> {
    require_proof(&state, &caller).await?;
    let now = state.clock.now();
    let known = copies::find(&state.pool, caller.id, now).await?;
    if known.is_some_and(|copy| copy.state == copies::CopyState::Waiting) {
        return Err(CopyRefusal::UnderWay.into());
    }
    writes.count(&limits::COPIES, &caller).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    store::lock_shared(&mut tx, caller.id)
        .await?
        .ok_or(Error::from(Refusal::Unknown))?;
    let id = state.clock.new_id();
    if !copies::request(&mut tx, id, caller.id, body.language, now).await? {
        return Err(CopyRefusal::UnderWay.into());
    }
    tx.commit().await?;
    state.copy_waits.notify_one();
    let copy = copies::find(&state.pool, caller.id, now).await?;
    Ok((StatusCode::ACCEPTED, Json(CopyAnswer::new(copy))).into_response())
}
