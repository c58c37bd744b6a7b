//! The routes of this service.

mod check_payment;
mod get_invoice;
mod get_refunds;
mod issue_refund;
mod list_payments;
mod make_payment;
mod take_stripe_event;
mod view;

use axum::routing::get;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::State;

/// The service's HTTP interface.
pub fn router(state: State) -> OpenApiRouter {
    OpenApiRouter::with_openapi(tiffin_chassis::refusal::openapi::base())
        .routes(routes!(
            list_payments::list_payments,
            make_payment::make_payment
        ))
        .routes(routes!(get_invoice::get_invoice))
        .routes(routes!(
            get_refunds::get_refunds,
            issue_refund::issue_refund
        ))
        .routes(routes!(check_payment::check_payment))
        .routes(routes!(take_stripe_event::take_stripe_event))
        // The web pages call both operations under this older path.
        .route(
            "/api/payment",
            get(list_payments::list_payments).post(make_payment::make_payment),
        )
        .with_state(state)
}
