use axum::extract::State;
use tiffin_chassis::{
    Caller, Json, Path, Problem, Writes,
    refusal::{BadPath, BadToken, TooMany, WrongCaller},
    refused_by,
};
use tiffin_events::Role;

use super::{RestaurantAnswer, restaurant_id};
use crate::{
    error::Refusal,
    limits,
    restaurant::{Actor, Restaurant},
};

refused_by! {
    CloseRestaurantRefusals:
        BadPath, BadToken, WrongCaller::{Role}, TooMany, Refusal::{NoRestaurant, NotYours},
}

/// Closes the shop: it is still shown, but takes no orders.
#[utoipa::path(
    post,
    path = "/api/v1/restaurant/isClose/{id}",
    tag = "restaurant",
    params(("id" = String, Path, description = "The restaurant's `_id`.")),
    responses(
        (status = 200, description = "The restaurant, closed.", body = RestaurantAnswer),
        CloseRestaurantRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["restaurant", "admin"]))),
)]
pub async fn close_restaurant(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    Path(id): Path<String>,
) -> Result<Json<RestaurantAnswer>, Problem> {
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
            restaurant.close()
        },
    )
    .await?;
    let answer = RestaurantAnswer::new(
        &mut tx,
        "Restaurant closed successfully",
        id,
        state.clock.now(),
    )
    .await?;
    tx.commit().await?;
    Ok(Json(answer))
}
