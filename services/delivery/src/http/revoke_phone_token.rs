use axum::extract::State;
use tiffin_chassis::{
    Caller, Json, Problem, Writes,
    refusal::{BadToken, TooMany, WrongCaller},
    refused_by,
};
use tiffin_events::Role;

use super::PhoneTokenAnswer;
use crate::{limits, store::phone_tokens};

refused_by! {
    RevokePhoneTokenRefusals:
        BadToken, WrongCaller::{Role}, TooMany,
}

/// Revokes the driver's phone token, if they have one.
#[utoipa::path(
    delete,
    path = "/api/v1/delivery/phone",
    tag = "delivery",
    responses(
        (status = 200, description = "There is none any more.", body = PhoneTokenAnswer),
        RevokePhoneTokenRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["delivery"]))),
)]
pub async fn revoke_phone_token(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
) -> Result<Json<PhoneTokenAnswer>, Problem> {
    caller.require(&[Role::Delivery])?;
    writes.count(&limits::PHONE_TOKENS, &caller).await?;
    let mut db = state.pool.acquire().await?;
    phone_tokens::revoke(&mut db, caller.id, state.clock.now()).await?;
    Ok(Json(PhoneTokenAnswer { token: None }))
}
