use axum::{extract::State, response::Response};
use serde::{Deserialize, Deserializer, de::Error};
use tiffin_chassis::{
    Caller, Page, Problem, Query,
    documented::BadToken,
    keyset::{self, Cursor},
    problem::ProblemBody,
};
use tiffin_events::{Coordinates, Role};
use time::Duration;
use utoipa::IntoParams;

use crate::{
    store::rows::{self, Filter},
    view::DriverView,
};

const LIST: &str = "/api/v1/driver";
/// Where somebody was longer ago says nothing of how far they are.
const SEEN_WITHIN: Duration = Duration::minutes(30);

/// Which drivers to list.
#[derive(Debug, Deserialize, IntoParams)]
pub struct DriverSearch {
    /// Only those who take deliveries, or only those who do not.
    available: Option<bool>,
    /// A place, `lat,lng` in degrees: each driver who was seen lately has a `distance` from it.
    #[param(value_type = Option<String>, example = "6.9271,79.8612")]
    near: Option<Near>,
    /// Rows at most, 1 to 500; all of them without it.
    limit: Option<i64>,
    /// Where the last page ended.
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

/// All drivers, newest first; a driver's own row for a driver. Identity numbers are for the driver
/// and administrators alone.
#[utoipa::path(
    get,
    path = "/api/v1/driver",
    tag = "driver",
    params(DriverSearch),
    responses(
        (status = 200, description = "The drivers; `Link` leads to the next page.", body = Vec<DriverView>),
        BadToken,
        (
            status = 403,
            description = "The caller is a customer.",
            body = ProblemBody,
            content_type = "application/problem+json",
        ),
        (
            status = 422,
            description = "What is looked for, or the page, is not valid.",
            body = ProblemBody,
            content_type = "application/problem+json",
        ),
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["restaurant", "delivery", "admin"]))),
)]
pub async fn list_drivers(
    State(state): State<crate::State>,
    caller: Caller,
    Query(search): Query<DriverSearch>,
) -> Result<Response, Problem> {
    caller.require(&[Role::Restaurant, Role::Delivery, Role::Admin])?;
    let page = Page {
        limit: search.limit,
        cursor: None,
    };
    let since = state.clock.now() - SEEN_WITHIN;
    let filter = Filter {
        only: (caller.role == Role::Delivery).then_some(caller.id.0),
        available: search.available,
        before: search.cursor.map(|cursor| cursor.id),
        limit: page.sql_limit(),
        with_nic: caller.role != Role::Restaurant,
        near: search.near.map(|Near(place)| (place, since)),
    };
    let mut connection = state.pool.acquire().await?;
    let drivers = rows::read(&mut connection, filter).await?;
    let rows = drivers.into_iter().map(|driver| {
        let id = driver.id;
        let cursor = Cursor {
            id,
            ..Cursor::default()
        };
        (driver, cursor)
    });
    let available = search
        .available
        .map(|yes| if yes { "true" } else { "false" });
    let near = search
        .near
        .map(|Near(Coordinates { lat, lng })| format!("{lat},{lng}"));
    let asked = [("available", available), ("near", near.as_deref())];
    Ok(keyset::answer(LIST, &asked, search.limit, rows.collect()))
}
