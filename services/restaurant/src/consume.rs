//! Consumers of others' events. Each handler changes this service's own tables, within the transaction it
//! is given, and nothing else.

mod account;

use tiffin_bus::{Consumer, Consumers};
use tiffin_events::{Stream, user::UserEvent};

use crate::{NAME, State};

/// The service's consumer: `restaurant_USERS`.
pub fn consumers(state: &State) -> Vec<Consumer> {
    let consumers = Consumers::new(NAME, &state.pool, &state.clock, state.clone());
    vec![
        consumers
            .of(Stream::Users)
            .on::<UserEvent>()
            .projects(&["people"]),
    ]
}
