use axum::extract::State;
use serde::Deserialize;
use tiffin_chassis::{
    Caller, Json, Path, Problem, Scope, Writes,
    refusal::{BadBody, BadField, BadPath, BadToken, TooMany, WrongCaller},
    refused_by,
};
use tiffin_events::{Role, delivery::DeliveryStatus};
use utoipa::ToSchema;

use super::DeliveryAnswer;
use crate::{
    delivery::{Delivery, Refusal},
    limits,
    store::{deliveries, delivery_list},
};

/// The next status of a delivery.
#[derive(Debug, Deserialize, ToSchema)]
pub struct SetDeliveryStatus {
    status: DeliveryStatus,
}

refused_by! {
    UpdateDeliveryStatusRefusals:
        BadBody, BadField, BadPath, BadToken, WrongCaller::{Role}, TooMany,
        Refusal::{NotFound, OrderCancelled},
}

/// Moves a delivery to any of its statuses; delivered ends it. Its order follows, forward only.
#[utoipa::path(
    put,
    path = "/api/v1/delivery/update/{id}",
    tag = "delivery",
    params(("id" = String, Path, description = "The delivery's `_id`, or its order's `_id` or `orderId`.")),
    request_body = SetDeliveryStatus,
    responses(
        (status = 200, description = "The delivery as it is now.", body = DeliveryAnswer),
        UpdateDeliveryStatusRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["delivery", "admin"]))),
)]
pub async fn update_delivery_status(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    Path(key): Path<String>,
    Json(request): Json<SetDeliveryStatus>,
) -> Result<Json<DeliveryAnswer>, Problem> {
    caller.require(&[Role::Delivery, Role::Admin])?;
    let scope = Scope::of(&caller);
    writes.count(&limits::CHANGES, &caller).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let id = deliveries::find(&mut tx, scope, &key)
        .await?
        .ok_or(Refusal::NotFound)?;
    let cause = crate::State::cause(&caller);
    tiffin_bus::change(
        &mut tx,
        &state.clock,
        &cause,
        (scope, id),
        |delivery: &mut Delivery| delivery.set_status(request.status, state.clock.now()),
    )
    .await?;
    let delivery = delivery_list::find(&mut tx, scope, id).await?;
    tx.commit().await?;
    state.forecasts.notify_one();
    Ok(Json(DeliveryAnswer {
        message: format!("Delivery status updated to {}", request.status.as_str()),
        delivery,
    }))
}
