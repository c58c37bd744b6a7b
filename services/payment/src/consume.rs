//! The consumers of other services' events. A handler only changes this service's own tables, within the
//! transaction that it gets: the reconciler makes refunds.

mod account;
mod delivery;
mod order;
mod restaurant;

use tiffin_bus::{Consumer, Consumers};
use tiffin_events::{
    Stream, delivery::DeliveryEvent, order::OrderEvent, restaurant::RestaurantEvent,
    user::UserEvent,
};

use crate::{NAME, State};

/// The service's consumers: `payment_ORDERS`, `payment_DELIVERIES`, `payment_USERS`, `payment_CATALOG`.
pub fn consumers(state: &State) -> Vec<Consumer> {
    let consumers = Consumers::new(NAME, &state.pool, &state.clock, state.clone());
    vec![
        consumers
            .of(Stream::Orders)
            .on::<OrderEvent>()
            .projects(&["orders"]),
        consumers
            .of(Stream::Deliveries)
            .on::<DeliveryEvent>()
            .projects(&["deliveries"]),
        consumers.of(Stream::Users).on::<UserEvent>().projects(&[
            "orders",
            "people",
            "restaurants",
        ]),
        consumers
            .of(Stream::Catalog)
            .on::<RestaurantEvent>()
            .projects(&["restaurants"]),
    ]
}
