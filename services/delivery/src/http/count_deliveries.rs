use axum::extract::State;
use tiffin_chassis::{Caller, Json, Problem, Scope, refusal::BadToken, refused_by};

use crate::{store::delivery_list, view::DeliveryCounts};

refused_by! {
    CountDeliveriesRefusals:
        BadToken,
}

/// Counts the deliveries that the caller sees in the list of deliveries.
#[utoipa::path(
    get,
    path = "/api/v1/delivery/counts",
    tag = "delivery",
    responses(
        (status = 200, description = "The number of deliveries by status.", body = DeliveryCounts),
        CountDeliveriesRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"]))),
)]
pub async fn count_deliveries(
    State(state): State<crate::State>,
    caller: Caller,
) -> Result<Json<DeliveryCounts>, Problem> {
    let mut connection = state.pool.acquire().await?;
    Ok(Json(
        delivery_list::counts(&mut connection, Scope::of(&caller)).await?,
    ))
}
