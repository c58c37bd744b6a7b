use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Deserializer, de::Error};
use tiffin_chassis::{
    Caller, Json, Problem, Query, Writes,
    paging::{self, Cursor},
    refusal::{BadField, BadQuery, BadToken, BadValue, TooMany, WrongCaller},
    refused_by,
};
use tiffin_events::{Coordinates, Role};
use time::Duration;
use utoipa::IntoParams;

use crate::{
    limits,
    store::{
        driver_list::{self, Filter},
        restaurants,
    },
    view::DriverView,
};

const LIST: &str = "/api/v1/driver";
/// An older position says nothing about the distance.
const MAX_POSITION_AGE: Duration = Duration::minutes(30);

/// The filters of the list.
#[derive(Debug, Deserialize, IntoParams)]
pub struct DriverSearch {
    /// Only those who take deliveries, or only those who do not; owners see none of the latter.
    available: Option<bool>,
    /// A place, `lat,lng` in degrees: for administrators, each driver who was seen lately has a
    /// `distance` from it; for owners, it names that of their verified restaurants which is nearest to
    /// it, and distances are from there. Without it, an owner's are from their oldest.
    #[param(value_type = Option<String>, example = "6.9271,79.8612")]
    near: Option<Near>,
    /// The largest number of rows, 1 to 500; 1,000 by default.
    limit: Option<i64>,
    /// The cursor from the previous page's `Link`.
    #[param(value_type = Option<String>)]
    cursor: Option<Cursor>,
}

#[derive(Clone, Copy, Debug)]
struct Near(Coordinates);

impl<'de> Deserialize<'de> for Near {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let degrees = text.split_once(',').and_then(|(lat, lng)| {
            let (lat, lng) = (lat.trim().parse().ok()?, lng.trim().parse().ok()?);
            Coordinates::new(lat, lng).ok()
        });
        degrees
            .map(Self)
            .ok_or_else(|| Error::custom("a place is lat,lng in degrees"))
    }
}

refused_by! {
    ListDriversRefusals:
        BadQuery, BadField, BadToken, WrongCaller::{Role}, TooMany,
        BadValue::{NoCursor, PlaceMalformed},
}

/// Drivers, newest first: all of them, whole, for an administrator; their own row for a driver; those
/// who take deliveries, by first name, vehicle and a coarse distance, for the owner of a verified
/// restaurant. Other owners get an empty list.
#[utoipa::path(
    get,
    path = "/api/v1/driver",
    tag = "driver",
    params(DriverSearch),
    responses(
        (status = 200, description = "The drivers; `Link` leads to the next page.", body = Vec<DriverView>),
        ListDriversRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["restaurant", "delivery", "admin"]))),
)]
pub async fn list_drivers(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    Query(search): Query<DriverSearch>,
) -> Result<Response, Problem> {
    caller.require(&[Role::Restaurant, Role::Delivery, Role::Admin])?;
    writes.count(&limits::LISTS, &caller).await?;
    let asked_from = search.near.map(|Near(place)| place);
    let mut connection = state.pool.acquire().await?;
    let is_owner = caller.role == Role::Restaurant;
    let (from, available) = if is_owner {
        let restaurants = restaurants::verified_of(&mut connection, caller.id).await?;
        if restaurants.is_empty() || search.available == Some(false) {
            return Ok(Json(Vec::<DriverView>::new()).into_response());
        }
        (nearest_restaurant(&restaurants, asked_from), Some(true))
    } else {
        (asked_from, search.available)
    };
    let since = state.clock.now() - MAX_POSITION_AGE;
    let filter = Filter {
        only: (caller.role == Role::Delivery).then_some(caller.id.0),
        available,
        before: search.cursor.map(|cursor| cursor.id),
        limit: paging::sql_limit(search.limit),
        all_fields: !is_owner,
        near: from.map(|place| (place, since)),
    };
    let drivers = driver_list::list(&mut connection, filter).await?;
    let rows = drivers.into_iter().map(|driver| {
        let cursor = Cursor::at(driver.id);
        (driver, cursor)
    });
    let available = search
        .available
        .map(|yes| if yes { "true" } else { "false" });
    let near = search
        .near
        .map(|Near(Coordinates { lat, lng })| format!("{lat},{lng}"));
    let asked = [("available", available), ("near", near.as_deref())];
    Ok(paging::answer(LIST, &asked, search.limit, rows.collect()))
}

/// The owner's restaurant that distances are measured from: the nearest to the place in the request, or the
/// first.
fn nearest_restaurant(
    restaurants: &[Option<Coordinates>],
    asked_from: Option<Coordinates>,
) -> Option<Coordinates> {
    let places = restaurants.iter().copied().flatten();
    match asked_from {
        Some(asked) => places.min_by(|a, b| asked.metres_to(*a).total_cmp(&asked.metres_to(*b))),
        None => restaurants.iter().copied().flatten().next(),
    }
}
