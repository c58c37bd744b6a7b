use axum::extract::State;
use tiffin_chassis::{
    Caller, Json, Problem,
    refusal::{BadToken, WrongCaller},
    refused_by,
};
use tiffin_events::Role;

use super::PhoneTokenAnswer;
use crate::store::phone_tokens;

refused_by! {
    GetPhoneTokenRefusals:
        BadToken, WrongCaller::{Role},
}

/// Gets when the driver's phone token was made and used, and what became of the last position that came with it. The
/// token itself is shown once, when it is made.
#[utoipa::path(
    get,
    path = "/api/v1/delivery/phone",
    tag = "delivery",
    responses(
        (status = 200, description = "The token, or null.", body = PhoneTokenAnswer),
        GetPhoneTokenRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["delivery"]))),
)]
pub async fn get_phone_token(
    State(state): State<crate::State>,
    caller: Caller,
) -> Result<Json<PhoneTokenAnswer>, Problem> {
    caller.require(&[Role::Delivery])?;
    let mut db = state.pool.acquire().await?;
    let token = phone_tokens::view(&mut db, caller.id).await?;
    Ok(Json(PhoneTokenAnswer { token }))
}
