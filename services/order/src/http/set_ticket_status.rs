use axum::{extract::State, http::StatusCode, response::Response};
use serde::{Deserialize, Serialize};
use tiffin_chassis::{
    Caller, IdempotencyKey, Json, Path, Problem, Scope, Writes, idempotency,
    refusal::{BadBody, BadField, BadKey, BadPath, BadToken, TooMany, WrongCaller},
    refused_by,
};
use tiffin_events::{Role, order::OrderStatus};
use utoipa::ToSchema;
use uuid::Uuid;

use super::set_order_status::{self, BadDriver};
use crate::{
    limits,
    order::Refusal,
    store::{order_list, orders},
    ticket::{self, Extent},
    view::OrderView,
};

/// The operation that keys belong to.
const OPERATION: &str = "set_ticket_status";

/// The next status of a ticket.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetTicketStatus {
    /// Any of the five but `cancelled`.
    status: OrderStatus,
    /// The status that the caller saw; the named order's own if it is left out. Orders with yet another status stay as
    /// they are.
    from: Option<OrderStatus>,
    /// The driver. Needed to confirm orders that have no driver yet; ignored otherwise.
    driver_id: Option<Uuid>,
}

/// The result of a change of a ticket.
#[derive(Debug, Serialize, ToSchema)]
pub struct TicketAnswer {
    message: String,
    /// The orders that have the new status, in the order in which they were placed.
    orders: Vec<OrderView>,
}

refused_by! {
    SetTicketStatusRefusals:
        BadBody, BadField, BadKey, BadPath, BadToken, WrongCaller::{Role}, TooMany,
        Refusal::{NotFound, MovedOn, Cancelled, CancelInstead, NoDriver}, BadDriver,
}

/// Moves a ticket to a status: all orders of one checkout from one restaurant that have the same status, or none of
/// them. Confirming gives them to one driver.
#[utoipa::path(
    put,
    path = "/api/v1/orders/ticket/{orderId}",
    tag = "order",
    params(
        ("orderId" = String, Path, description = "The `_id` or `orderId` of an order of the ticket."),
        ("Idempotency-Key" = Option<String>, Header, description = "The same key and body give the first answer again."),
    ),
    request_body = SetTicketStatus,
    responses(
        (status = 200, description = "The orders as they are now.", body = TicketAnswer),
        SetTicketStatusRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["restaurant", "admin"]))),
)]
pub async fn set_ticket_status(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    idempotency_key: IdempotencyKey,
    Path(key): Path<String>,
    Json(request): Json<SetTicketStatus>,
) -> Result<Response, Problem> {
    caller.require(&[Role::Restaurant, Role::Admin])?;
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
    let id = orders::find(&mut tx, Scope::of(&caller), &key)
        .await?
        .ok_or(Refusal::NotFound)?;
    let step = set_order_status::step(&mut tx, request.status, request.driver_id).await?;
    let extent = Extent::Ticket { from: request.from };
    let cause = crate::State::cause(&caller);
    let moved = ticket::step(&mut tx, &state.recorder, &cause, id, extent, step).await?;
    let mut orders = Vec::with_capacity(moved.len());
    for id in moved {
        orders.push(order_list::find(&mut tx, id).await?);
    }
    let answer = TicketAnswer {
        message: format!("Order status updated to {}", request.status.as_str()),
        orders,
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
    Ok(answer)
}
