use axum::extract;
use tiffin_chassis::{
    Caller, Json, Problem,
    refusal::{BadToken, WrongCaller},
    refused_by,
};

use super::require_operator;
use crate::{
    State,
    capacity::{self, Capacity},
    error::Refusal,
};

refused_by! {
    GetCapacityRefusals:
        BadToken, WrongCaller::{NoOperator}, Refusal::{Broker},
}

/// The fill of every stream, outbox and the broker's disk, their paces over the last seven days, when each is full
/// at its pace, and the events and bytes of an order.
#[utoipa::path(
    get, path = "/api/v1/operator/capacity", tag = "operator", security(("bearer" = [])),
    responses(
        (status = 200, description = "The current fill and paces.", body = Capacity),
        GetCapacityRefusals,
    ),
    extensions(("x-roles" = json!(["operator"])))
)]
pub(crate) async fn get_capacity(
    extract::State(state): extract::State<State>,
    caller: Caller,
) -> Result<Json<Capacity>, Problem> {
    require_operator(&caller)?;
    Ok(Json(capacity::measure(&state).await?))
}
