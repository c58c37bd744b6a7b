use axum::extract::State;
use serde::Serialize;
use tiffin_chassis::{Caller, Json, Problem, refusal::BadToken, refused_by};
use utoipa::ToSchema;

use crate::{scope::Scope, store::counts};

/// The number of orders by status.
#[derive(Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct OrderCounts {
    pub pending: i64,
    pub confirmed: i64,
    pub preparing: i64,
    pub dispatched: i64,
    pub delivered: i64,
    pub cancelled: i64,
    /// Of any status but cancelled, those that no administrator has approved yet.
    pub unapproved: i64,
}

refused_by! {
    CountOrdersRefusals:
        BadToken,
}

/// Counts the orders that the caller sees in the list of orders.
#[utoipa::path(
    get,
    path = "/api/v1/orders/counts",
    tag = "order",
    responses(
        (status = 200, description = "How many there are.", body = OrderCounts),
        CountOrdersRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"]))),
)]
pub async fn count_orders(
    State(state): State<crate::State>,
    caller: Caller,
) -> Result<Json<OrderCounts>, Problem> {
    let mut connection = state.pool.acquire().await?;
    Ok(Json(
        counts::read(&mut connection, Scope::of(&caller)).await?,
    ))
}
