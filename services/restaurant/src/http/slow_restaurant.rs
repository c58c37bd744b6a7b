use axum::extract::State;
use serde::Deserialize;
use tiffin_chassis::{
    Caller, Json, Path, Problem, Writes,
    refusal::{BadBody, BadField, BadPath, BadToken, TooMany, WrongCaller},
    refused_by,
};
use tiffin_events::Role;
use time::Duration;
use utoipa::ToSchema;

use super::{RestaurantAnswer, restaurant_id};
use crate::{
    error::Refusal,
    limits,
    restaurant::{Actor, Busy, Restaurant},
    rules::BadInput,
};

/// The time after which a restaurant is as fast as before, unless it says that it is still busy.
const BUSY_FOR: Duration = Duration::HOUR;

/// The minutes that each order takes longer.
#[derive(Debug, Deserialize, ToSchema)]
pub struct SlowDown {
    /// 1 to 60; 0 if it is as fast as before.
    #[schema(minimum = 0, maximum = 60)]
    minutes: i32,
}

refused_by! {
    SlowRestaurantRefusals:
        BadBody, BadField, BadPath, BadToken, WrongCaller::{Role}, TooMany, BadInput::{BusyMinutes},
        Refusal::{NoRestaurant, NotYours},
}

/// Says that the shop is busy: each order takes some minutes longer for an hour, which lengthens forecasts.
#[utoipa::path(
    put,
    path = "/api/v1/restaurant/busy/{id}",
    tag = "restaurant",
    params(("id" = String, Path, description = "The restaurant's `_id`.")),
    request_body = SlowDown,
    responses(
        (status = 200, description = "The restaurant as it is now.", body = RestaurantAnswer),
        SlowRestaurantRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["restaurant", "admin"]))),
)]
pub async fn slow_restaurant(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    Path(id): Path<String>,
    Json(SlowDown { minutes }): Json<SlowDown>,
) -> Result<Json<RestaurantAnswer>, Problem> {
    caller.require(&[Role::Restaurant, Role::Admin])?;
    let (actor, id) = (Actor::from(&caller), restaurant_id(&id)?);
    if !(0..=60).contains(&minutes) {
        return Err(BadInput::BusyMinutes.into());
    }
    let now = state.clock.now();
    let busy = Busy {
        minutes,
        until: now + BUSY_FOR,
    };
    writes.count(&limits::CHANGES, &caller).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    tiffin_bus::change(
        &mut tx,
        &state.recorder,
        &crate::State::cause(&caller),
        id,
        |restaurant: &mut Restaurant| {
            restaurant.check_access(actor)?;
            restaurant.slow_down(busy, now)
        },
    )
    .await?;
    let answer = RestaurantAnswer::new(&mut tx, "Restaurant updated successfully", id, now).await?;
    tx.commit().await?;
    Ok(Json(answer))
}
