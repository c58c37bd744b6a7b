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
    order::Refusal,
    print_job::PrintRefusal,
    store::{orders, print_jobs},
};

refused_by! {
    ReprintTicketRefusals:
        BadPath, BadToken, WrongCaller::{Role}, TooMany, Refusal::{NotFound}, PrintRefusal::{Off, NothingToPrint},
}

/// Has the ticket of an order printed again, with all its dishes and the word REPRINT. While a reprint waits, a second
/// one is not made.
#[utoipa::path(
    post,
    path = "/api/v1/orders/reprint/{orderId}",
    tag = "order",
    params(("orderId" = String, Path, description = "The `_id` or `orderId` of an order of the ticket.")),
    responses(
        (status = 200, description = "The reprint waits for the printer.", body = Message),
        ReprintTicketRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["restaurant"]))),
)]
pub async fn reprint_ticket(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    Path(key): Path<String>,
) -> Result<Json<Message>, Problem> {
    caller.require(&[Role::Restaurant])?;
    writes.count(&limits::CHANGES, &caller).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let order = orders::find(&mut tx, Scope::of(&caller), &key)
        .await?
        .ok_or(Refusal::NotFound)?;
    let now = state.clock.now();
    print_jobs::add_reprint(&mut tx, order, state.clock.new_id(), now).await??;
    tx.commit().await?;
    Ok(Json(Message {
        message: "The reprint waits for the printer.",
    }))
}
