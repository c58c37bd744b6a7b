use axum::extract;
use serde::{Deserialize, Serialize};
use tiffin_chassis::{Caller, Json, Problem, Query, documented::BadToken, problem::ProblemBody};
use tiffin_events::Coordinates;
use utoipa::{IntoParams, ToSchema};

use crate::State;

/// A place on the map.
#[derive(Deserialize, IntoParams)]
pub(crate) struct Spot {
    /// Degrees, −90 to 90.
    lat: f64,
    /// Degrees, −180 to 180.
    lon: f64,
}

/// An address.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Address {
    #[schema(example = "Galle Road, Kollupitiya")]
    display_name: String,
    /// The place that was asked for.
    lat: f64,
    lon: f64,
}

/// The address at a place.
///
/// Where no geocoder is set up, or it is away, the built-in map tells the street and the part of town.
#[utoipa::path(
    get, path = "/api/v1/geocode/reverse", tag = "user", security(("bearer" = [])), params(Spot),
    responses(
        (status = 200, description = "The address.", body = Address),
        BadToken,
        (status = 403, description = "The e-mail address is not proven.",
            body = ProblemBody, content_type = "application/problem+json"),
        (status = 404, description = "No address is known there.",
            body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "That is no place on earth.",
            body = ProblemBody, content_type = "application/problem+json"),
    ),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"])))
)]
pub(crate) async fn reverse_geocode(
    extract::State(state): extract::State<State>,
    _caller: Caller,
    Query(Spot { lat, lon }): Query<Spot>,
) -> Result<Json<Address>, Problem> {
    let at =
        Coordinates::new(lat, lon).map_err(|error| Problem::invalid("lat", error.to_string()))?;
    let display_name = state.geocoder.address(at).await?;
    let display_name =
        display_name.ok_or_else(|| Problem::not_found("No address is known there."))?;
    Ok(Json(Address {
        display_name,
        lat,
        lon,
    }))
}
