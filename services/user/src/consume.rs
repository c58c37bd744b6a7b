//! Consumers of others' events. Each handler changes this service's own tables, within the transaction it
//! is given, and nothing else.

mod order;

use tiffin_bus::{Consumer, Consumers};
use tiffin_events::{Stream, order::OrderEvent};

use crate::{NAME, State};

/// The service's consumer: `user_ORDERS`.
pub fn consumers(state: &State) -> Vec<Consumer> {
    let consumers = Consumers::new(NAME, &state.pool, &state.clock, state.clone());
    vec![
        consumers
            .of(Stream::Orders)
            .on::<OrderEvent>()
            .projects(&["orders_under_way"]),
    ]
}
