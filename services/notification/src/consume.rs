//! The consumers of other services' events.

mod account;
mod create;
mod delivery;
mod order;
mod payment;
mod restaurant;
mod suggestion;

use tiffin_bus::{Consumer, Consumers};
use tiffin_events::{
    Stream, delivery::DeliveryEvent, order::OrderEvent, payment::PaymentEvent,
    restaurant::RestaurantEvent, suggestion::SuggestionEvent, user::UserEvent,
};

use crate::{NAME, State};

/// The service's consumers: `notification_CATALOG`, `notification_USERS`, `notification_ORDERS`,
/// `notification_DELIVERIES`, `notification_PAYMENTS`.
pub fn consumers(state: &State) -> Vec<Consumer> {
    let consumers = Consumers::new(NAME, &state.pool, &state.clock, state.clone());
    vec![
        consumers
            .of(Stream::Catalog)
            .on::<RestaurantEvent>()
            .projects(&["restaurants"]),
        consumers
            .of(Stream::Users)
            .on::<UserEvent>()
            .projects(&["people"]),
        consumers
            .of(Stream::Orders)
            .on::<OrderEvent>()
            .projects(&["orders"]),
        consumers
            .of(Stream::Deliveries)
            .on::<DeliveryEvent>()
            .on::<SuggestionEvent>()
            .projects(&[]),
        consumers
            .of(Stream::Payments)
            .on::<PaymentEvent>()
            .projects(&[]),
    ]
}
