//! Consumers of others' events. Each handler changes this service's own tables, within the transaction it
//! is given, and nothing else.

mod account;
mod positions;
mod restaurant;

use tiffin_bus::{BatchConsumer, Consumer, Consumers};
use tiffin_events::{Stream, restaurant::RestaurantEvent, user::UserEvent};

use crate::{NAME, State};

/// The service's consumers: `driver_CATALOG`, `driver_USERS`.
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
    ]
}

/// The service's batched consumer: `driver_POSITIONS`.
pub fn batches(state: &State) -> Vec<BatchConsumer> {
    vec![BatchConsumer::new(
        NAME,
        Stream::Positions,
        state.pool.clone(),
        positions::PositionHandler,
    )]
}
