use axum::{extract::State, response::Response};
use tiffin_chassis::{Json, Path, Problem, Query, problem::ProblemBody};

use super::restaurant_id;
use crate::{error::Refusal, search::Search, store::restaurant_rows, view::RestaurantView};

const LIST: &str = "/api/v1/restaurant";

/// The restaurants, closed ones too.
#[utoipa::path(
    get,
    path = "/api/v1/restaurant",
    tag = "restaurant",
    params(Search),
    responses(
        (status = 200, description = "The restaurants; `Link` leads to the next page.", body = Vec<RestaurantView>),
        (
            status = 422,
            description = "What is looked for, or the page, is not valid.",
            body = ProblemBody,
            content_type = "application/problem+json",
        ),
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

/// One restaurant.
#[utoipa::path(
    get,
    path = "/api/v1/restaurant/getOne/{id}",
    tag = "restaurant",
    params(("id" = String, Path, description = "The restaurant's `_id`.")),
    responses(
        (status = 200, description = "The restaurant.", body = RestaurantView),
        (
            status = 404,
            description = "There is no such restaurant.",
            body = ProblemBody,
            content_type = "application/problem+json",
        ),
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
