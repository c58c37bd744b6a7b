//! The routes of this service.

mod approve_order;
mod cancel_order;
mod claim_print_job;
mod count_orders;
mod delete_order;
mod get_figures;
mod list_orders;
mod list_print_jobs;
mod place_orders;
mod quote;
mod report_print_job;
mod reprint_ticket;
mod set_order_status;
mod set_ticket_status;
mod turn_off_printing;
mod turn_on_printing;

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
        .routes(routes!(set_ticket_status::set_ticket_status))
        .routes(routes!(cancel_order::cancel_order))
        .routes(routes!(approve_order::approve_order))
        .routes(routes!(delete_order::delete_order))
        .routes(routes!(turn_on_printing::turn_on_printing))
        .routes(routes!(turn_off_printing::turn_off_printing))
        .routes(routes!(list_print_jobs::list_print_jobs))
        .routes(routes!(claim_print_job::claim_print_job))
        .routes(routes!(report_print_job::report_print_job))
        .routes(routes!(reprint_ticket::reprint_ticket))
        .with_state(state)
}

/// The result of a change of an order.
#[derive(Debug, Serialize, ToSchema)]
struct OrderAnswer {
    message: String,
    order: OrderView,
}

/// The result of the request.
#[derive(Debug, Serialize, ToSchema)]
struct Message {
    message: &'static str,
}
