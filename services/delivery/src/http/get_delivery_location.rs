use axum::extract::State;
use tiffin_chassis::{
    Caller, Json, Path, Problem, Scope,
    refusal::{BadPath, BadToken},
    refused_by,
};

use crate::{
    delivery::Refusal,
    store::{deliveries, delivery_list},
    view::DeliveryLocation,
};

refused_by! {
    GetDeliveryLocationRefusals:
        BadPath, BadToken, Refusal::{NotFound},
}

/// The last position of a delivery's driver, for the accounts whose delivery it is.
#[utoipa::path(
    get,
    path = "/api/v1/delivery/loc/{id}",
    tag = "delivery",
    params(("id" = String, Path, description = "The delivery's `_id`, or its order's `_id` or `orderId`.")),
    responses(
        (status = 200, description = "The driver's last position; 0,0 if it is unknown.", body = DeliveryLocation),
        GetDeliveryLocationRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"]))),
)]
pub async fn get_delivery_location(
    State(state): State<crate::State>,
    caller: Caller,
    Path(key): Path<String>,
) -> Result<Json<DeliveryLocation>, Problem> {
    let mut connection = state.pool.acquire().await?;
    let id = deliveries::find(&mut connection, Scope::of(&caller), &key)
        .await?
        .ok_or(Refusal::NotFound)?;
    Ok(Json(delivery_list::location(&mut connection, id).await?))
}
