use axum::extract::State;
use tiffin_chassis::{
    Caller, Json, Path, Problem, Writes,
    refusal::{BadPath, BadToken, TooMany, WrongCaller},
    refused_by,
};
use tiffin_events::Role;

use super::Message;
use crate::{error::Refusal, item::Item, limits, restaurant::Actor, store::items};

refused_by! {
    DeleteItemRefusals:
        BadPath, BadToken, WrongCaller::{Role}, TooMany, Refusal::{NoItem, NotYours},
}

/// Takes a dish off the menu.
#[utoipa::path(
    delete,
    path = "/api/v1/collection/delete/{id}",
    tag = "restaurant",
    params(("id" = String, Path, description = "The dish's `_id` or `itemId`.")),
    responses(
        (status = 200, description = "The dish is deleted.", body = Message),
        DeleteItemRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["restaurant", "admin"]))),
)]
pub async fn delete_item(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    Path(key): Path<String>,
) -> Result<Json<Message>, Problem> {
    caller.require(&[Role::Restaurant, Role::Admin])?;
    writes.count(&limits::CHANGES, &caller).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let id = items::find(&mut tx, &key).await?.ok_or(Refusal::NoItem)?.id;
    tiffin_bus::change(
        &mut tx,
        &state.recorder,
        &crate::State::cause(&caller),
        id,
        |item: &mut Item| {
            item.check_access(Actor::from(&caller))?;
            item.delete(state.clock.now())
        },
    )
    .await?;
    tx.commit().await?;
    Ok(Json(Message {
        message: "Item deleted successfully!",
    }))
}
