//! Consumers of others' events. Each handler changes this service's own tables, within the transaction it
//! is given, and nothing else.

mod account;
mod delivery;
mod driver;
mod item;
mod payment;
mod restaurant;

use tiffin_bus::{Consumer, Consumers};
use tiffin_events::{
    Stream, delivery::DeliveryEvent, driver::DriverEvent, item::ItemEvent, payment::PaymentEvent,
    restaurant::RestaurantEvent, user::UserEvent,
};

use crate::{NAME, State};

/// The service's consumers: `order_CATALOG`, `order_USERS`, `order_DRIVERS`, `order_DELIVERIES`,
/// `order_PAYMENTS`.
pub fn consumers(state: &State) -> Vec<Consumer> {
    let consumers = Consumers::new(NAME, &state.pool, &state.clock, state.clone());
    vec![
        consumers
            .of(Stream::Catalog)
            .on::<RestaurantEvent>()
            .on::<ItemEvent>()
            .projects(&["items", "restaurants"]),
        consumers
            .of(Stream::Users)
            .on::<UserEvent>()
            .projects(&["people"]),
        consumers
            .of(Stream::Drivers)
            .on::<DriverEvent>()
            .projects(&["drivers"]),
        consumers
            .of(Stream::Deliveries)
            .on::<DeliveryEvent>()
            .projects(&["deliveries"]),
        consumers
            .of(Stream::Payments)
            .on::<PaymentEvent>()
            .projects(&["payments", "refund_parts", "refunds"]),
    ]
}
