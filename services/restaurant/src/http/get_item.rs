use axum::extract::State;
use tiffin_chassis::{
    Json, OptionalCaller, Path, Problem,
    refusal::{BadPath, BadToken},
    refused_by,
};

use crate::{error::Refusal, restaurant::Actor, store::items, view::ItemView};

refused_by! {
    GetItemRefusals:
        BadPath, BadToken, Refusal::{NoItem},
}

/// One dish.
#[utoipa::path(
    get,
    path = "/api/v1/collection/getOne/{key}",
    tag = "restaurant",
    params(("key" = String, Path, description = "The dish's `_id` or `itemId`.")),
    responses(
        (status = 200, description = "The dish.", body = ItemView),
        GetItemRefusals,
    ),
    security((), ("bearer" = [])),
    extensions(("x-roles" = json!(["*"]))),
)]
pub async fn get_item(
    State(state): State<crate::State>,
    OptionalCaller(caller): OptionalCaller,
    Path(key): Path<String>,
) -> Result<Json<ItemView>, Problem> {
    let viewer = caller.as_ref().map(Actor::from);
    let mut connection = state.pool.acquire().await?;
    let item = items::find(&mut connection, &key)
        .await?
        .filter(|item| item.is_visible_to(viewer));
    Ok(Json(item.ok_or(Refusal::NoItem)?.into()))
}
