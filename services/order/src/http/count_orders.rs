use axum::extract::State;
use tiffin_chassis::{Caller, Json, Problem, Scope, refusal::BadToken, refused_by};

use crate::store::counts::{self, OrderCounts};

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
        (status = 200, description = "The number of orders by status.", body = OrderCounts),
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
