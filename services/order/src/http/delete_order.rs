use axum::extract::State;
use tiffin_chassis::{
    Caller, Json, Path, Problem, Scope, Writes,
    refusal::{BadPath, BadToken, TooMany, WrongCaller},
    refused_by,
};
use tiffin_events::Role;

use super::Message;
use crate::{
    limits,
    order::{Order, Refusal},
    store::{deliveries, orders, payments},
};

refused_by! {
    DeleteOrderRefusals:
        BadPath, BadToken, WrongCaller::{Role}, TooMany,
        Refusal::{NotFound, KeptForDelivery, Paid},
}

/// Takes an order off everybody's lists; what happened to it stays in its history.
#[utoipa::path(
    delete,
    path = "/api/v1/orders/delete/{orderId}",
    tag = "order",
    params(("orderId" = String, Path, description = "The order's `_id` or `orderId`.")),
    responses(
        (status = 200, description = "The order is deleted.", body = Message),
        DeleteOrderRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["restaurant", "admin"]))),
)]
pub async fn delete_order(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    Path(key): Path<String>,
) -> Result<Json<Message>, Problem> {
    caller.require(&[Role::Restaurant, Role::Admin])?;
    writes.count(&limits::CHANGES, &caller).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let id = orders::find(&mut tx, Scope::of(&caller), &key)
        .await?
        .ok_or(Refusal::NotFound)?;
    let has_left = deliveries::has_left(&mut tx, id).await?;
    let is_paid = payments::is_captured(&mut tx, id).await?;
    let (cause, now) = (crate::State::cause(&caller), state.clock.now());
    tiffin_bus::change(&mut tx, &state.recorder, &cause, id, |order: &mut Order| {
        order.delete(has_left, is_paid, now)
    })
    .await?;
    tx.commit().await?;
    Ok(Json(Message {
        message: "Order has been deleted.",
    }))
}
