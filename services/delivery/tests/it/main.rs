//! The delivery service against a real database, through its routes and consumers.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it should be"
)]

mod arrivals;
mod consume;
mod create_delivery;
mod fixture;
mod limits;
mod list_deliveries;
mod openapi;
mod personal;
mod phone;
mod phone_tokens;
mod positions;
mod record_positions;
mod routing;
mod suggestions;
mod update_delivery_location;
mod update_delivery_status;
mod update_ticket_status;
