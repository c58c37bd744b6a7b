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
    order::{Order, Refusal},
    store::{order_list, orders},
};

refused_by! {
    ApproveOrderRefusals:
        BadPath, BadToken, WrongCaller::{Role}, TooMany, Refusal::{NotFound, Cancelled},
}

/// Approves an order. Approving it again changes nothing.
#[utoipa::path(
    put,
    path = "/api/v1/orders/isApprove/{orderId}",
    tag = "order",
    params(("orderId" = String, Path, description = "The order's `_id` or `orderId`.")),
    responses(
        (status = 200, description = "The order as it is now.", body = OrderAnswer),
        ApproveOrderRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["admin"]))),
)]
pub async fn approve_order(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    Path(key): Path<String>,
) -> Result<Json<OrderAnswer>, Problem> {
    caller.require(&[Role::Admin])?;
    writes.count(&limits::CHANGES, &caller).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let id = orders::find(&mut tx, Scope::of(&caller), &key)
        .await?
        .ok_or(Refusal::NotFound)?;
    tiffin_bus::change(
        &mut tx,
        &state.recorder,
        &crate::State::cause(&caller),
        id,
        Order::approve,
    )
    .await?;
    let order = order_list::find(&mut tx, id).await?;
    tx.commit().await?;
    Ok(Json(OrderAnswer {
        message: "Order approved successfully".to_owned(),
        order,
    }))
}
