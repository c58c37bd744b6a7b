use axum::extract::State;
use tiffin_chassis::{
    Caller, Json, Path, Problem, Writes,
    refusal::{BadPath, BadToken, TooMany, WrongCaller},
    refused_by,
};
use tiffin_events::Role;
use uuid::Uuid;

use super::Message;
use crate::{limits, print_job::PrintRefusal, store::printing};

refused_by! {
    TurnOffPrintingRefusals:
        BadPath, BadToken, WrongCaller::{Role}, TooMany, PrintRefusal::{NoRestaurant, NotYours},
}

/// Has no more tickets of a restaurant printed. Those that wait are left out.
#[utoipa::path(
    delete,
    path = "/api/v1/orders/printing/{id}",
    tag = "order",
    params(("id" = String, Path, description = "The restaurant's `_id`.")),
    responses(
        (status = 200, description = "Printing is off.", body = Message),
        TurnOffPrintingRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["restaurant"]))),
)]
pub async fn turn_off_printing(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    Path(id): Path<String>,
) -> Result<Json<Message>, Problem> {
    caller.require(&[Role::Restaurant])?;
    let id: Uuid = id.parse().map_err(|_| PrintRefusal::NoRestaurant)?;
    writes.count(&limits::CHANGES, &caller).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    printing::check_owner(&mut tx, caller.id, &[id]).await??;
    printing::remove(&mut tx, id, state.clock.now()).await?;
    tx.commit().await?;
    Ok(Json(Message {
        message: "Printing is off.",
    }))
}
