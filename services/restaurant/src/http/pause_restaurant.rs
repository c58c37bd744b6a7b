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
    restaurant::{Actor, Restaurant},
    rules::BadInput,
};

/// The length of a pause.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pause {
    /// 5 minutes to 24 hours; without it, until midnight at the restaurant.
    #[schema(minimum = 5, maximum = 1440)]
    minutes: Option<i32>,
}

refused_by! {
    PauseRestaurantRefusals:
        BadBody, BadField, BadPath, BadToken, WrongCaller::{Role}, TooMany, BadInput::{PauseLength},
        Refusal::{NoRestaurant, NotYours, Closed},
}

/// Pauses the shop: it takes no orders for some minutes, or until tomorrow. The pause ends by itself, or when the shop is
/// opened.
#[utoipa::path(
    put,
    path = "/api/v1/restaurant/pause/{id}",
    tag = "restaurant",
    params(("id" = String, Path, description = "The restaurant's `_id`.")),
    request_body = Pause,
    responses(
        (status = 200, description = "The restaurant, paused.", body = RestaurantAnswer),
        PauseRestaurantRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["restaurant", "admin"]))),
)]
pub async fn pause_restaurant(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    Path(id): Path<String>,
    Json(pause): Json<Pause>,
) -> Result<Json<RestaurantAnswer>, Problem> {
    caller.require(&[Role::Restaurant, Role::Admin])?;
    let (actor, id) = (Actor::from(&caller), restaurant_id(&id)?);
    let now = state.clock.now();
    let length = pause.length()?;
    writes.count(&limits::CHANGES, &caller).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let until = match length {
        Some(length) => now + length,
        None => state.time_zone.start_of_tomorrow(now),
    };
    tiffin_bus::change(
        &mut tx,
        &state.recorder,
        &crate::State::cause(&caller),
        id,
        |restaurant: &mut Restaurant| {
            restaurant.check_access(actor)?;
            restaurant.pause(until)
        },
    )
    .await?;
    let answer = RestaurantAnswer::new(&mut tx, "Restaurant paused successfully", id, now).await?;
    tx.commit().await?;
    Ok(Json(answer))
}

impl Pause {
    fn length(&self) -> Result<Option<Duration>, BadInput> {
        match self.minutes {
            Some(minutes @ 5..=1440) => Ok(Some(Duration::minutes(minutes.into()))),
            Some(_) => Err(BadInput::PauseLength),
            None => Ok(None),
        }
    }
}
