//! Consumers of events. Each handler changes this service's own tables, within the transaction it
//! is given, and nothing else.

mod account;
mod delivery;
mod driver;
mod order;
mod positions;
mod restaurant;

use tiffin_bus::{BatchConsumer, Consumer, Consumers};
use tiffin_events::{
    Stream, delivery::DeliveryEvent, driver::DriverEvent, order::OrderEvent,
    restaurant::RestaurantEvent, user::UserEvent,
};

use crate::{NAME, State};

/// The service's consumers: `delivery_ORDERS`, `delivery_USERS`, `delivery_CATALOG`, `delivery_DRIVERS`,
/// `delivery_DELIVERIES`.
pub fn consumers(state: &State) -> Vec<Consumer> {
    let consumers = Consumers::new(NAME, &state.pool, &state.clock, state.clone());
    vec![
        consumers
            .of(Stream::Orders)
            .on::<OrderEvent>()
            .projects(&["orders"]),
        consumers
            .of(Stream::Users)
            .on::<UserEvent>()
            .projects(&["orders", "people"]),
        consumers
            .of(Stream::Catalog)
            .on::<RestaurantEvent>()
            .projects(&["restaurants"]),
        consumers
            .of(Stream::Drivers)
            .on::<DriverEvent>()
            .projects(&["drivers"]),
        consumers
            .of(Stream::Deliveries)
            .on::<DeliveryEvent>()
            .projects(&["trips", "shown_ranges"]),
    ]
}

/// The service's batched consumer: `delivery_POSITIONS`.
pub fn batches(state: &State) -> Vec<BatchConsumer> {
    vec![BatchConsumer::new(
        NAME,
        Stream::Positions,
        state.pool.clone(),
        positions::PositionHandler,
    )]
}
