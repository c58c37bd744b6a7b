//! The routes of this service.

mod approve_order;
mod cancel_order;
mod count_orders;
mod delete_order;
mod get_figures;
mod list_orders;
mod place_orders;
mod quote;
mod set_order_status;

use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{State, view::OrderView};

/// The service's HTTP interface.
pub fn router(state: State) -> OpenApiRouter {
    OpenApiRouter::with_openapi(tiffin_chassis::refusal::openapi::base())
        .routes(routes!(quote::quote))
        .routes(routes!(
            list_orders::list_orders,
            place_orders::place_orders
        ))
        .routes(routes!(count_orders::count_orders))
        .routes(routes!(get_figures::get_figures))
        .routes(routes!(set_order_status::set_order_status))
        .routes(routes!(cancel_order::cancel_order))
        .routes(routes!(approve_order::approve_order))
        .routes(routes!(delete_order::delete_order))
        .with_state(state)
}

/// The result of a change of an order.
#[derive(Debug, Serialize, ToSchema)]
struct OrderAnswer {
    message: String,
    order: OrderView,
}
