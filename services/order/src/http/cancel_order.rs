use axum::extract::State;
use serde::Deserialize;
use tiffin_chassis::{
    Caller, Json, Path, Problem, Scope, Writes,
    refusal::{BadBody, BadField, BadPath, BadToken, TooMany, WrongCaller},
    refused_by,
};
use tiffin_events::{Role, order::CancelReason};
use utoipa::ToSchema;

use super::OrderAnswer;
use crate::{
    cancellation::{BadCancellation, Cancellation},
    limits,
    order::{Order, Refusal},
    store::{deliveries, order_list, orders},
};

/// The reason of a cancellation, which the customer reads. The restaurant and administrators give one; customers
/// send no body.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct CancelOrder {
    reason: Option<CancelReason>,
    /// A line to the customer, of at most 200 characters.
    note: Option<String>,
}

refused_by! {
    CancelOrderRefusals:
        BadBody, BadField, BadPath, BadToken, WrongCaller::{Role}, TooMany, BadCancellation,
        Refusal::{NotFound, Taken, OnItsWay},
}

/// Cancels an order: its customer while it is pending, the owner or an administrator until it is on
/// the way. What was paid for it goes back.
#[utoipa::path(
    post,
    path = "/api/v1/orders/cancel/{orderId}",
    tag = "order",
    params(("orderId" = String, Path, description = "The order's `_id` or `orderId`.")),
    request_body = Option<CancelOrder>,
    responses(
        (status = 200, description = "The order as it is now.", body = OrderAnswer),
        CancelOrderRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["customer", "restaurant", "admin"]))),
)]
pub async fn cancel_order(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    Path(key): Path<String>,
    body: Option<Json<Option<CancelOrder>>>,
) -> Result<Json<OrderAnswer>, Problem> {
    caller.require(&[Role::Customer, Role::Restaurant, Role::Admin])?;
    let CancelOrder { reason, note } = body.and_then(|Json(body)| body).unwrap_or_default();
    let cancellation = Cancellation::new(caller.role, reason, note.as_deref())?;
    writes.count(&limits::CHANGES, &caller).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let id = orders::find(&mut tx, Scope::of(&caller), &key)
        .await?
        .ok_or(Refusal::NotFound)?;
    let has_left = deliveries::has_left(&mut tx, id).await?;
    let cause = crate::State::cause(&caller);
    tiffin_bus::change(&mut tx, &state.recorder, &cause, id, |order: &mut Order| {
        order.cancel(cancellation, has_left)
    })
    .await?;
    let order = order_list::find(&mut tx, id).await?;
    tx.commit().await?;
    Ok(Json(OrderAnswer {
        message: "Order cancelled".to_owned(),
        order,
    }))
}
