use axum::extract::State;
use tiffin_chassis::{
    Caller, Json, Problem, Query, Scope,
    refusal::{BadField, BadQuery, BadToken},
    refused_by,
};

use crate::store::counts::{self, Counted, OrderCounts};

refused_by! {
    CountOrdersRefusals:
        BadQuery, BadField, BadToken,
}

/// Counts the orders that the caller sees in the list of orders.
#[utoipa::path(
    get,
    path = "/api/v1/orders/counts",
    tag = "order",
    params(Counted),
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
    Query(counted): Query<Counted>,
) -> Result<Json<OrderCounts>, Problem> {
    let mut connection = state.pool.acquire().await?;
    Ok(Json(
        counts::read(&mut connection, Scope::of(&caller), counted).await?,
    ))
}
