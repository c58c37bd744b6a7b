use axum::extract;
use serde::Serialize;
use tiffin_chassis::{EnrollingCaller, Json, Problem, refusal::BadToken, refused_by};
use tiffin_events::Role;
use utoipa::ToSchema;

use crate::{
    State,
    store::{operators, recovery_codes, second_factors},
};

/// The state of an account's two-step sign-in.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SecondFactor {
    is_on: bool,
    /// `true` if the account must have it.
    is_required: bool,
    /// Recovery codes that were not used.
    recovery_codes_left: i64,
}

refused_by! {
    SecondFactorRefusals:
        BadToken,
}

/// The state of the caller's two-step sign-in.
#[utoipa::path(
    get, path = "/api/v1/users/second-factor", tag = "user", security(("bearer" = [])),
    responses(
        (status = 200, description = "As it is now.", body = SecondFactor),
        SecondFactorRefusals,
    ),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"])))
)]
pub(crate) async fn second_factor(
    extract::State(state): extract::State<State>,
    EnrollingCaller(caller): EnrollingCaller,
) -> Result<Json<SecondFactor>, Problem> {
    let mut conn = state.pool.acquire().await?;
    let operator =
        caller.role == Role::Operator || operators::contains(&mut conn, caller.id).await?;
    let is_on = second_factors::is_on(&mut conn, caller.id).await?;
    Ok(Json(SecondFactor {
        is_on,
        is_required: state.config.admin_second_factor.asks(caller.role, operator),
        recovery_codes_left: recovery_codes::count_unused(&mut conn, caller.id).await?,
    }))
}
