use axum::{extract::State, response::Response};
use tiffin_chassis::{
    Json, Path, Problem, Query,
    refusal::{BadField, BadPath, BadQuery, BadValue},
    refused_by,
};

use super::restaurant_id;
use crate::{error::Refusal, search::Search, store::restaurant_rows, view::RestaurantView};

const LIST: &str = "/api/v1/restaurant";

refused_by! {
    ListRestaurantsRefusals:
        BadQuery, BadField, BadValue::{NoCursor, WordsTooLong, CategoryUnknown},
}

/// The restaurants, closed ones too.
#[utoipa::path(
    get,
    path = "/api/v1/restaurant",
    tag = "restaurant",
    params(Search),
    responses(
        (status = 200, description = "The restaurants; `Link` leads to the next page.", body = Vec<RestaurantView>),
        ListRestaurantsRefusals,
    ),
    extensions(("x-roles" = json!(["*"]))),
)]
pub async fn list_restaurants(
    State(state): State<crate::State>,
    Query(search): Query<Search>,
) -> Result<Response, Problem> {
    let mut tx = state.pool.begin().await?;
    let restaurants = restaurant_rows::read(&mut tx, &search).await?;
    Ok(search.answer(LIST, restaurants))
}

refused_by! {
    GetRestaurantRefusals:
        BadPath, Refusal::{NoRestaurant},
}

/// One restaurant.
#[utoipa::path(
    get,
    path = "/api/v1/restaurant/getOne/{id}",
    tag = "restaurant",
    params(("id" = String, Path, description = "The restaurant's `_id`.")),
    responses(
        (status = 200, description = "The restaurant.", body = RestaurantView),
        GetRestaurantRefusals,
    ),
    extensions(("x-roles" = json!(["*"]))),
)]
pub async fn get_restaurant(
    State(state): State<crate::State>,
    Path(id): Path<String>,
) -> Result<Json<RestaurantView>, Problem> {
    let mut connection = state.pool.acquire().await?;
    let restaurant = restaurant_rows::one(&mut connection, restaurant_id(&id)?).await?;
    Ok(Json(restaurant.ok_or(Refusal::NoRestaurant)?))
}
