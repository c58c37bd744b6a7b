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
    store::{accounts, restaurants},
};

refused_by! {
    OpenRestaurantRefusals:
        BadPath, BadToken, WrongCaller::{Role}, TooMany,
        Refusal::{NoRestaurant, NotYours, OwnerBlocked},
}

/// Opens the shop: it takes orders from now on.
#[utoipa::path(
    post,
    path = "/api/v1/restaurant/isOpen/{id}",
    tag = "restaurant",
    params(("id" = String, Path, description = "The restaurant's `_id`.")),
    responses(
        (status = 200, description = "The restaurant, open.", body = RestaurantAnswer),
        OpenRestaurantRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["restaurant", "admin"]))),
)]
pub async fn open_restaurant(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    Path(id): Path<String>,
) -> Result<Json<RestaurantAnswer>, Problem> {
    caller.require(&[Role::Restaurant, Role::Admin])?;
    let (actor, id) = (Actor::from(&caller), restaurant_id(&id)?);
    writes.count(&limits::CHANGES, &caller).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    // Locked before the owner is read: a block that comes meanwhile waits for this transaction, then closes the
    // restaurant.
    let owner = restaurants::lock(&mut tx, id)
        .await?
        .ok_or(Refusal::NoRestaurant)?
        .owner_id;
    let is_blocked = accounts::is_blocked(&mut tx, owner).await?;
    tiffin_bus::change(
        &mut tx,
        &state.recorder,
        &crate::State::cause(&caller),
        id,
        |restaurant: &mut Restaurant| {
            restaurant.check_access(actor)?;
            restaurant.open(is_blocked)
        },
    )
    .await?;
    let answer = RestaurantAnswer::new(
        &mut tx,
        "Restaurant opened successfully",
        id,
        state.clock.now(),
    )
    .await?;
    tx.commit().await?;
    Ok(Json(answer))
}
