use axum::{extract::State, http::StatusCode};
use serde::Serialize;
use tiffin_chassis::{
    Caller, Json, Problem, Writes,
    refusal::{BadToken, Failure, TooMany, WrongCaller},
    refused_by,
};
use tiffin_events::Role;
use utoipa::ToSchema;

use crate::{limits, phone, store::phone_tokens};

/// A token for a driver's phone. No later answer has it.
#[derive(Serialize, ToSchema)]
pub struct NewPhoneToken {
    /// Traccar Client's device identifier; the password of `OwnTracks`.
    token: String,
}

refused_by! {
    MakePhoneTokenRefusals:
        BadToken, WrongCaller::{Role}, TooMany, Failure::{NotReady},
}

/// Makes the token with which the driver's phone sends positions while it is locked. It takes the place of the one
/// before, and ends when the account is blocked or closed or gets another password.
// It takes no Idempotency-Key: the answer would be kept, and with it the token. Made again, it is another one.
#[utoipa::path(
    post,
    path = "/api/v1/delivery/phone",
    tag = "delivery",
    responses(
        (status = 201, description = "The token, shown this once.", body = NewPhoneToken),
        MakePhoneTokenRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["delivery"]))),
)]
pub async fn make_phone_token(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
) -> Result<(StatusCode, Json<NewPhoneToken>), Problem> {
    caller.require(&[Role::Delivery])?;
    writes.count(&limits::PHONE_TOKENS, &caller).await?;
    let token = phone::new_token();
    let mut db = state.pool.acquire().await?;
    let is_kept = phone_tokens::replace(&mut db, caller.id, &token, state.clock.now()).await?;
    if !is_kept {
        // The event of the account is still on its way.
        return Err(Failure::NotReady.into());
    }
    Ok((StatusCode::CREATED, Json(NewPhoneToken { token })))
}
