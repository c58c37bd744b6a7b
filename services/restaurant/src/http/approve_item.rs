use axum::extract::State;
use tiffin_chassis::{
    Caller, Json, Path, Problem, Writes,
    refusal::{BadPath, BadToken, TooMany, WrongCaller},
    refused_by,
};
use tiffin_events::Role;

use super::ItemAnswer;
use crate::{error::Refusal, item::Item, limits, store::items};

refused_by! {
    ApproveItemRefusals:
        BadPath, BadToken, WrongCaller::{Role}, TooMany, Refusal::{NoItem},
}

/// Lets a dish be shown and ordered.
#[utoipa::path(
    post,
    path = "/api/v1/collection/isApprove/{id}",
    tag = "restaurant",
    params(("id" = String, Path, description = "The dish's `_id` or `itemId`.")),
    responses(
        (status = 200, description = "The dish, approved.", body = ItemAnswer),
        ApproveItemRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["admin"]))),
)]
pub async fn approve_item(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    Path(key): Path<String>,
) -> Result<Json<ItemAnswer>, Problem> {
    caller.require(&[Role::Admin])?;
    writes.count(&limits::CHANGES, &caller).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let id = items::find(&mut tx, &key).await?.ok_or(Refusal::NoItem)?.id;
    let cause = crate::State::cause(&caller);
    let item = tiffin_bus::change(&mut tx, &state.recorder, &cause, id, Item::approve).await?;
    tx.commit().await?;
    Ok(Json(ItemAnswer {
        message: "Item approved successfully!",
        item: item.into(),
    }))
}
