use axum::extract::State;
use tiffin_chassis::{
    Caller, Json, Path, Problem, Writes,
    documented::{BadToken, TooMany},
    problem::ProblemBody,
};
use tiffin_events::Role;

use super::ItemAnswer;
use crate::{error::Refusal, item::Item, limits, store::items};

/// Lets a dish be shown and ordered.
#[utoipa::path(
    post,
    path = "/api/v1/collection/isApprove/{id}",
    tag = "restaurant",
    params(("id" = String, Path, description = "The dish's `_id` or `itemId`.")),
    responses(
        (status = 200, description = "The dish, approved.", body = ItemAnswer),
        BadToken,
        TooMany,
        (
            status = 403,
            description = "The caller is no administrator.",
            body = ProblemBody,
            content_type = "application/problem+json",
        ),
        (
            status = 404,
            description = "There is no such dish.",
            body = ProblemBody,
            content_type = "application/problem+json",
        ),
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
    let mut tx = state.pool.begin().await?;
    let id = items::find(&mut tx, &key).await?.ok_or(Refusal::NoItem)?.id;
    let cause = crate::State::cause(&caller);
    let item = tiffin_bus::change(&mut tx, &state.clock, &cause, id, Item::approve).await?;
    tx.commit().await?;
    Ok(Json(ItemAnswer {
        message: "Item approved successfully!",
        item: item.into(),
    }))
}
