use axum::extract::State;
use serde::Deserialize;
use tiffin_chassis::{
    Json, Problem, Query,
    refusal::{BadField, BadQuery},
    refusals, refused_by,
};
use tiffin_events::{Coordinates, RestaurantId};
use utoipa::IntoParams;
use uuid::Uuid;

use crate::{arrivals, store::restaurants, view::DeliveryEstimate};

/// The largest number of restaurants of a request.
const MAX_RESTAURANTS: usize = 100;

/// The customer's place and the restaurants.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct EstimateSearch {
    /// The latitude of the customer's place in degrees.
    lat: f64,
    lng: f64,
    /// The restaurants' `_id`s, separated by commas; 100 at most.
    #[param(example = "0190c7a2-7e4b-7c3d-8f21-5b6a9d0e1f23")]
    restaurants: String,
}

refusals! {
    /// The reason why no arrival is estimated.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum BadSearch {
        NotAPlace = 422, "delivery.place-invalid", "The place is not on the earth.", at "lat";
        NotIds = 422, "delivery.restaurants-invalid", "Name the restaurants by their ids, 100 at most, with commas between them.", at "restaurants";
    }
}

refused_by! {
    ListEstimatesRefusals:
        BadQuery, BadField, BadSearch,
}

/// The time in which an order placed now would arrive, by restaurant. Restaurants without a known place are left out.
#[utoipa::path(
    get,
    path = "/api/v1/delivery/estimates",
    tag = "delivery",
    params(EstimateSearch),
    responses(
        (status = 200, description = "An estimate for each restaurant whose place is known.", body = Vec<DeliveryEstimate>),
        ListEstimatesRefusals,
    ),
    extensions(("x-roles" = json!(["*"]))),
)]
pub async fn list_estimates(
    State(state): State<crate::State>,
    Query(search): Query<EstimateSearch>,
) -> Result<Json<Vec<DeliveryEstimate>>, Problem> {
    let place = Coordinates::new(search.lat, search.lng).map_err(|_| BadSearch::NotAPlace)?;
    let ids = read_ids(&search.restaurants).ok_or(BadSearch::NotIds)?;
    let restaurants = {
        let mut connection = state.pool.acquire().await?;
        restaurants::kitchens(&mut connection, &ids, state.clock.now()).await?
    };
    Ok(Json(
        arrivals::estimates(&state, &restaurants, place).await?,
    ))
}

fn read_ids(text: &str) -> Option<Vec<RestaurantId>> {
    let ids: Result<Vec<Uuid>, _> = text.split(',').map(|id| id.trim().parse()).collect();
    let ids = ids.ok().filter(|ids| ids.len() <= MAX_RESTAURANTS)?;
    Some(ids.into_iter().map(RestaurantId).collect())
}
