use axum::{extract::State, response::Response};
use tiffin_chassis::{
    Problem, Query,
    refusal::{BadField, BadQuery, BadValue},
    refused_by,
};

use crate::{search::Search, store::restaurant_list, view::RestaurantView};

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
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let restaurants = restaurant_list::list(&mut tx, &search, state.clock.now()).await?;
    Ok(search.answer(LIST, restaurants))
}
