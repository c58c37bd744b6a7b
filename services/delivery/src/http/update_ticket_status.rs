use axum::{extract::State, http::StatusCode, response::Response};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use tiffin_chassis::{
    Caller, IdempotencyKey, Json, Path, Problem, Scope, Writes, idempotency,
    refusal::{BadBody, BadField, BadKey, BadPath, BadToken, TooMany, WrongCaller},
    refused_by,
};
use tiffin_events::{DeliveryId, Role, delivery::DeliveryStatus};
use utoipa::ToSchema;

use crate::{
    delivery::{Delivery, Refusal},
    error::Error,
    limits,
    store::{deliveries, delivery_list, tickets},
    view::DeliveryView,
};

/// The operation that keys belong to.
const OPERATION: &str = "update_ticket_status";

/// The next status of a ticket's deliveries.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct SetTicketDeliveries {
    status: DeliveryStatus,
    /// The status that the caller saw; the named delivery's own if it is left out. Deliveries with yet another status
    /// stay as they are.
    from: Option<DeliveryStatus>,
}

/// The result of a change of a ticket's deliveries.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeliveriesAnswer {
    message: String,
    /// The deliveries that have the new status, the first one first.
    deliveries: Vec<DeliveryView>,
}

refused_by! {
    UpdateTicketStatusRefusals:
        BadBody, BadField, BadKey, BadPath, BadToken, WrongCaller::{Role}, TooMany,
        Refusal::{NotFound, MovedOn, OrderCancelled},
}

/// Moves the deliveries of a ticket to any of their statuses: all of one checkout from one restaurant that one driver
/// brings and that have the same status, or none of them. Their orders follow, forward only. A change that comes late
/// and repeated, as from a phone without network, takes effect once by its key.
#[utoipa::path(
    put,
    path = "/api/v1/delivery/ticket/{id}",
    tag = "delivery",
    params(
        ("id" = String, Path, description = "The `_id` of one of the deliveries, or its order's `_id` or `orderId`."),
        ("Idempotency-Key" = Option<String>, Header, description = "The same key and body give the first answer again."),
    ),
    request_body = SetTicketDeliveries,
    responses(
        (status = 200, description = "The deliveries as they are now.", body = DeliveriesAnswer),
        UpdateTicketStatusRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["delivery", "admin"]))),
)]
pub async fn update_ticket_status(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    idempotency_key: IdempotencyKey,
    Path(key): Path<String>,
    Json(request): Json<SetTicketDeliveries>,
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
    let named = deliveries::find(&mut tx, scope, &key)
        .await?
        .ok_or(Refusal::NotFound)?;
    let meant = request.meant(&mut tx, named).await?;
    let cause = crate::State::cause(&caller);
    let now = state.clock.now();
    let mut moved = Vec::with_capacity(meant.len());
    for id in meant {
        tiffin_bus::change(
            &mut tx,
            &state.recorder,
            &cause,
            (scope, id),
            |delivery: &mut Delivery| delivery.set_status(request.status, now),
        )
        .await?;
        moved.push(delivery_list::find(&mut tx, scope, id).await?);
    }
    let answer = DeliveriesAnswer {
        message: format!("Delivery status updated to {}", request.status.as_str()),
        deliveries: moved,
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

impl SetTicketDeliveries {
    /// The deliveries that are meant, locked: those with the status before, and those that have taken the step already.
    async fn meant(
        &self,
        tx: &mut PgConnection,
        named: DeliveryId,
    ) -> Result<Vec<DeliveryId>, Error> {
        let ticket = tickets::lock(tx, named).await?;
        let own = ticket.iter().find(|delivery| delivery.id == named);
        let from = self.from.or(own.map(|delivery| delivery.status));
        let meant = ticket
            .iter()
            .filter(|delivery| Some(delivery.status) == from || delivery.status == self.status);
        let meant: Vec<_> = meant.map(|delivery| delivery.id).collect();
        if meant.is_empty() {
            return Err(Refusal::MovedOn.into());
        }
        Ok(meant)
    }
}
