//! The routes of this service.

mod count_deliveries;
mod create_delivery;
mod decline_delivery;
mod get_accuracy;
mod get_delivery_location;
mod get_delivery_route;
mod get_phone_token;
mod list_deliveries;
mod list_estimates;
mod make_phone_token;
mod pick_driver;
mod record_positions;
mod revoke_phone_token;
mod suggest_drivers;
mod take_own_tracks;
mod take_traccar;
mod update_delivery_location;
mod update_delivery_status;
mod update_ticket_status;

use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

pub use record_positions::{LatePosition, RecordedPositions};

use crate::{State, phone::PhoneTokenView, view::DeliveryView};

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
        .routes(routes!(suggest_drivers::suggest_drivers))
        .routes(routes!(pick_driver::pick_driver))
        .routes(routes!(decline_delivery::decline_delivery))
        .routes(routes!(update_delivery_status::update_delivery_status))
        .routes(routes!(update_ticket_status::update_ticket_status))
        .routes(routes!(record_positions::record_positions))
        .routes(routes!(update_delivery_location::update_delivery_location))
        .routes(routes!(
            get_phone_token::get_phone_token,
            make_phone_token::make_phone_token,
            revoke_phone_token::revoke_phone_token
        ))
        .routes(routes!(
            take_traccar::take_traccar,
            take_traccar::take_traccar_query
        ))
        .routes(routes!(take_own_tracks::take_own_tracks))
        .with_state(state)
}

/// The result of a change of a delivery.
#[derive(Debug, Serialize, ToSchema)]
struct DeliveryAnswer {
    message: String,
    delivery: DeliveryView,
}

/// The token of the driver's phone, if they have one.
#[derive(Debug, Serialize, ToSchema)]
struct PhoneTokenAnswer {
    token: Option<PhoneTokenView>,
}
