use axum::extract::State;
use tiffin_chassis::{
    Caller, Json, Path, Problem, Scope, Writes,
    refusal::{BadPath, BadToken, TooMany, WrongCaller},
    refused_by,
};
use tiffin_events::Role;

use super::OrderAnswer;
use crate::{
    limits,
    order::{Canceller, Order, Refusal},
    store::{deliveries, order_list, orders},
};

refused_by! {
    CancelOrderRefusals:
        BadPath, BadToken, WrongCaller::{Role}, TooMany, Refusal::{NotFound, Taken, OnItsWay},
}

/// Calls an order off: its customer while it is pending, the owner or an administrator until it is on
/// the way.
#[utoipa::path(
    post,
    path = "/api/v1/orders/cancel/{orderId}",
    tag = "order",
    params(("orderId" = String, Path, description = "The order's `_id` or `orderId`.")),
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
) -> Result<Json<OrderAnswer>, Problem> {
    caller.require(&[Role::Customer, Role::Restaurant, Role::Admin])?;
    let by = if caller.role == Role::Customer {
        Canceller::Customer
    } else {
        Canceller::Staff
    };
    writes.count(&limits::CHANGES, &caller).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let id = orders::find(&mut tx, Scope::of(&caller), &key)
        .await?
        .ok_or(Refusal::NotFound)?;
    let has_left = deliveries::has_left(&mut tx, id).await?;
    let cause = crate::State::cause(&caller);
    tiffin_bus::change(&mut tx, &state.clock, &cause, id, |order: &mut Order| {
        order.cancel(by, has_left)
    })
    .await?;
    let order = order_list::find(&mut tx, id).await?;
    tx.commit().await?;
    Ok(Json(OrderAnswer {
        message: "Order cancelled".to_owned(),
        order,
    }))
}
