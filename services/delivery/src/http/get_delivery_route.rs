use axum::extract::State;
use tiffin_chassis::{
    Caller, Json, Path, Problem, Scope,
    refusal::{BadPath, BadToken},
    refused_by,
};
use tiffin_events::delivery::DeliveryStatus;

use crate::{
    delivery::Refusal,
    routing::{Profile, Router, is_within_reach},
    store::{deliveries, routes},
    view::{DeliveryRoute, RouteLeg},
};

refused_by! {
    GetDeliveryRouteRefusals:
        BadPath, BadToken, Refusal::{NotFound},
}

/// The distance in metres from the route to the driver, beyond which a new one begins where the driver is.
const OFF_ROUTE: f64 = 60.0;

/// The route of a delivery: from the driver to the restaurant while the food is there, and from the restaurant to the
/// customer. A driver on the way who has left the route gets another one.
#[utoipa::path(
    get,
    path = "/api/v1/delivery/route/{id}",
    tag = "delivery",
    params(("id" = String, Path, description = "The delivery's `_id`, or its order's `_id` or `orderId`.")),
    responses(
        (status = 200, description = "The route on streets; straight lines where no street is known.", body = DeliveryRoute),
        GetDeliveryRouteRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"]))),
)]
pub async fn get_delivery_route(
    State(state): State<crate::State>,
    caller: Caller,
    Path(key): Path<String>,
) -> Result<Json<DeliveryRoute>, Problem> {
    let mut places = {
        let mut connection = state.pool.acquire().await?;
        let id = deliveries::find(&mut connection, Scope::of(&caller), &key)
            .await?
            .ok_or(Refusal::NotFound)?;
        routes::places(&mut connection, id).await?
    };
    places.driver = places
        .driver
        .zip(places.destination)
        .and_then(|(driver, destination)| {
            is_within_reach(driver, places.restaurant, destination).then_some(driver)
        });
    let profile = Profile::of(places.vehicle);
    let to_restaurant = match (places.status, places.driver, places.restaurant) {
        (DeliveryStatus::PickedUp, Some(driver), Some(restaurant)) => {
            Some(state.router.route(profile, driver, restaurant).await.into())
        }
        _ => None,
    };
    let to_destination = to_destination(&state.router, profile, &places).await;
    Ok(Json(DeliveryRoute {
        to_restaurant,
        to_destination,
    }))
}

/// The route with the food: as planned from the restaurant, or from the driver who has left the planned one.
async fn to_destination(
    router: &Router,
    profile: Profile,
    places: &routes::Places,
) -> Option<RouteLeg> {
    let destination = places.destination?;
    let driver = places
        .driver
        .filter(|_| places.status == DeliveryStatus::OnTheWay);
    let Some(restaurant) = places.restaurant else {
        let route = router.route(profile, driver?, destination).await;
        return Some(route.into());
    };
    let planned = router.route(profile, restaurant, destination).await;
    match driver {
        Some(driver) if planned.metres_off(driver) > OFF_ROUTE => {
            Some(router.route(profile, driver, destination).await.into())
        }
        _ => Some(planned.into()),
    }
}
