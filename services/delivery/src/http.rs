//! The routes of this service.

mod count_deliveries;
mod create_delivery;
mod get_accuracy;
mod get_delivery_location;
mod get_delivery_route;
mod list_deliveries;
mod list_estimates;
mod record_positions;
mod update_delivery_location;
mod update_delivery_status;

use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

pub use record_positions::{LatePosition, RecordedPositions};

use crate::{State, view::DeliveryView};

/// The service's HTTP interface.
pub fn router(state: State) -> OpenApiRouter {
    OpenApiRouter::with_openapi(tiffin_chassis::refusal::openapi::base())
        .routes(routes!(
            list_deliveries::list_deliveries,
            create_delivery::create_delivery
        ))
        .routes(routes!(count_deliveries::count_deliveries))
        .routes(routes!(get_delivery_location::get_delivery_location))
        .routes(routes!(get_accuracy::get_accuracy))
        .routes(routes!(get_delivery_route::get_delivery_route))
        .routes(routes!(list_estimates::list_estimates))
        .routes(routes!(update_delivery_status::update_delivery_status))
        .routes(routes!(record_positions::record_positions))
        .routes(routes!(update_delivery_location::update_delivery_location))
        .with_state(state)
}

/// The result of a change of a delivery.
#[derive(Debug, Serialize, ToSchema)]
struct DeliveryAnswer {
    message: String,
    delivery: DeliveryView,
}
