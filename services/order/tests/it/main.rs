//! The order service against a real database, through its routes and consumers.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it should be"
)]

mod approve_order;
mod cancel_order;
mod consume;
mod count_orders;
mod deadline;
mod delete_order;
mod figures;
mod fixture;
mod is_paid;
mod limits;
mod list_orders;
mod migrate;
mod openapi;
mod personal;
mod place_orders;
mod printing;
mod quote;
mod sealed;
mod set_order_status;
mod set_ticket_status;
