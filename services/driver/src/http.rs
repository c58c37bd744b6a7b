//! The routes of this service.

mod list_drivers;
mod register_driver;
mod update_driver;

use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{State, view::DriverView};

/// The service's HTTP interface.
pub fn router(state: State) -> OpenApiRouter {
    OpenApiRouter::with_openapi(tiffin_chassis::refusal::openapi::base())
        .routes(routes!(
            list_drivers::list_drivers,
            register_driver::register_driver
        ))
        .routes(routes!(update_driver::update_driver))
        .with_state(state)
}

/// The result of a change of a driver.
#[derive(Debug, Serialize, ToSchema)]
struct DriverAnswer {
    message: &'static str,
    driver: DriverView,
}
