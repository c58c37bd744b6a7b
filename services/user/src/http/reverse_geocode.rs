use axum::extract;
use serde::{Deserialize, Serialize};
use tiffin_chassis::{
    Caller, Json, Problem, Query,
    refusal::{BadField, BadQuery, BadToken},
    refusals, refused_by,
};
use tiffin_events::Coordinates;
use utoipa::{IntoParams, ToSchema};

use crate::{State, rules::BadInput};

/// A place on the map.
#[derive(Deserialize, IntoParams)]
pub(crate) struct LocationQuery {
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

refusals! {
    /// A place without an address.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Nowhere {
        NoAddress = 404, "user.no-address-there", "No address is known there.";
    }
}

refused_by! {
    ReverseGeocodeRefusals:
        BadQuery, BadField, BadToken, BadInput::{NoPlace}, Nowhere,
}

/// The address at a place.
///
/// Where no geocoder is set up, or it is away, the built-in map tells the street and the part of town.
#[utoipa::path(
    get, path = "/api/v1/geocode/reverse", tag = "user", security(("bearer" = [])), params(LocationQuery),
    responses(
        (status = 200, description = "The address.", body = Address),
        ReverseGeocodeRefusals,
    ),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"])))
)]
pub(crate) async fn reverse_geocode(
    extract::State(state): extract::State<State>,
    _caller: Caller,
    Query(LocationQuery { lat, lon }): Query<LocationQuery>,
) -> Result<Json<Address>, Problem> {
    let at = Coordinates::new(lat, lon).map_err(|_| Problem::from(BadInput::NoPlace).at("lat"))?;
    let display_name = state.geocoder.address(at).await?;
    let display_name = display_name.ok_or(Nowhere::NoAddress)?;
    Ok(Json(Address {
        display_name,
        lat,
        lon,
    }))
}
