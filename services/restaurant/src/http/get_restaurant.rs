use axum::extract::State;
use tiffin_chassis::{Json, Path, Problem, refusal::BadPath, refused_by};

use super::restaurant_id;
use crate::{error::Refusal, store::restaurant_list, view::RestaurantView};

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
    let restaurant =
        restaurant_list::find(&mut connection, restaurant_id(&id)?, state.clock.now()).await?;
    Ok(Json(restaurant.ok_or(Refusal::NoRestaurant)?))
}
