use axum::{extract::State, http::StatusCode, response::Response};
use serde::{Deserialize, Serialize};
use tiffin_chassis::{
    Caller, IdempotencyKey, Json, Path, Problem, Scope, Writes, idempotency,
    refusal::{BadBody, BadField, BadKey, BadPath, BadToken, TooMany, WrongCaller},
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

/// The operation that keys belong to.
const OPERATION: &str = "update_delivery_status";

/// The next status of a delivery.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct SetDeliveryStatus {
    status: DeliveryStatus,
}

refused_by! {
    UpdateDeliveryStatusRefusals:
        BadBody, BadField, BadKey, BadPath, BadToken, WrongCaller::{Role}, TooMany,
        Refusal::{NotFound, OrderCancelled},
}

/// Moves one delivery to any of its statuses; delivered ends it. `PUT /api/v1/delivery/ticket/{id}` moves its ticket, and
/// this call leaves the ticket's other deliveries as they are. Its order follows, forward only. A change that comes late
/// and repeated, as from a phone without network, takes effect once by its key.
#[utoipa::path(
    put,
    path = "/api/v1/delivery/update/{id}",
    tag = "delivery",
    params(
        ("id" = String, Path, description = "The delivery's `_id`, or its order's `_id` or `orderId`."),
        ("Idempotency-Key" = Option<String>, Header, description = "The same key and body give the first answer again."),
    ),
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
    idempotency_key: IdempotencyKey,
    Path(key): Path<String>,
    Json(request): Json<SetDeliveryStatus>,
) -> Result<Response, Problem> {
    caller.require(&[Role::Delivery, Role::Admin])?;
    let scope = Scope::of(&caller);
    let counted = writes.count(&limits::CHANGES, &caller).await;
    let mut tx = idempotency::begin(&state.pool, caller.id, OPERATION).await?;
    let first = (&key, &request);
    if let Some(answer) = idempotency_key
        .first_answer(&mut tx, caller.id, OPERATION, &first)
        .await?
    {
        return Ok(answer);
    }
    // A repeated request gets its first answer even above the limit.
    counted?;
    let id = deliveries::find(&mut tx, scope, &key)
        .await?
        .ok_or(Refusal::NotFound)?;
    let cause = crate::State::cause(&caller);
    tiffin_bus::change(
        &mut tx,
        &state.recorder,
        &cause,
        (scope, id),
        |delivery: &mut Delivery| delivery.set_status(request.status, state.clock.now()),
    )
    .await?;
    let answer = DeliveryAnswer {
        message: format!("Delivery status updated to {}", request.status.as_str()),
        delivery: delivery_list::find(&mut tx, scope, id).await?,
    };
    let answer = idempotency_key
        .keep(
            &mut tx,
            caller.id,
            OPERATION,
            &first,
            StatusCode::OK,
            &answer,
        )
        .await?;
    tx.commit().await?;
    state.forecasts.notify_one();
    Ok(answer)
}
