use axum::extract::State;
use tiffin_chassis::{
    Caller, Json, Path, Problem, Writes,
    refusal::{BadPath, BadToken, TooMany, WrongCaller},
    refused_by,
};
use tiffin_events::Role;

use super::{Message, restaurant_id};
use crate::{
    error::Refusal,
    limits,
    restaurant::{Actor, Restaurant},
};

refused_by! {
    DeleteRestaurantRefusals:
        BadPath, BadToken, WrongCaller::{Role}, TooMany, Refusal::{NoRestaurant, NotYours},
}

/// Takes a restaurant and its menu off all lists.
#[utoipa::path(
    delete,
    path = "/api/v1/restaurant/delete/{id}",
    tag = "restaurant",
    params(("id" = String, Path, description = "The restaurant's `_id`.")),
    responses(
        (status = 200, description = "The restaurant is deleted.", body = Message),
        DeleteRestaurantRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["restaurant", "admin"]))),
)]
pub async fn delete_restaurant(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    Path(id): Path<String>,
) -> Result<Json<Message>, Problem> {
    caller.require(&[Role::Restaurant, Role::Admin])?;
    let (actor, id) = (Actor::from(&caller), restaurant_id(&id)?);
    writes.count(&limits::CHANGES, &caller).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    tiffin_bus::change(
        &mut tx,
        &state.recorder,
        &crate::State::cause(&caller),
        id,
        |restaurant: &mut Restaurant| {
            restaurant.check_access(actor)?;
            restaurant.delete(state.clock.now())
        },
    )
    .await?;
    tx.commit().await?;
    Ok(Json(Message {
        message: "Restaurant deleted successfully",
    }))
}
