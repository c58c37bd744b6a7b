//! Consumers of others' events. Each handler changes this service's own tables, within the transaction it
//! is given, and nothing else.

mod order;
mod person;
mod positions;
mod restaurant;

use std::slice;

use futures_util::future::BoxFuture;
use sqlx::PgConnection;
use tiffin_bus::{BatchConsumer, Consumer, Failure, Handler, Received};
use tiffin_events::{Clock, Stream, order::OrderEvent, user::UserEvent};

use crate::{NAME, State};

/// The service's consumers: `delivery_ORDERS`, `delivery_USERS`, `delivery_CATALOG`.
pub fn consumers(state: &State) -> Vec<Consumer> {
    let consumer = |stream: Stream, learn: Learn| {
        Consumer::new(NAME, stream, state.pool.clone(), state.clock.clone(), learn)
    };
    vec![
        consumer(Stream::Orders, Learn::Orders(state.clock.clone())).projects(&["orders"]),
        consumer(Stream::Users, Learn::Users)
            .only(&["user"])
            .projects(&["people"]),
        consumer(Stream::Catalog, Learn::Catalog)
            .only(&["restaurant"])
            .projects(&["restaurants"]),
    ]
}

/// The service's batched consumer: `delivery_POSITIONS`.
pub fn batches(state: &State) -> Vec<BatchConsumer> {
    vec![BatchConsumer::new(
        NAME,
        Stream::Positions,
        state.pool.clone(),
        positions::Keep,
    )]
}

/// A handler a stream.
enum Learn {
    Orders(Clock),
    Users,
    Catalog,
}

impl Handler for Learn {
    fn handle<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        event: &'a Received,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            match self {
                Self::Orders(clock) => {
                    if let Some(order) = event.decode::<OrderEvent>()? {
                        order::learn(tx, clock, &event.envelope, order).await?;
                    }
                }
                Self::Users => {
                    if let Some(event) = event.decode::<UserEvent>()? {
                        person::learn(tx, event).await?;
                    }
                }
                Self::Catalog => self.project(tx, slice::from_ref(event)).await?,
            }
            Ok(())
        })
    }

    fn project<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        events: &'a [Received],
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            match self {
                Self::Orders(_) => order::project(tx, &Received::decode_all(events)?).await?,
                Self::Users => {
                    for (_, event) in Received::decode_all(events)? {
                        person::project(tx, event).await?;
                    }
                }
                Self::Catalog => {
                    for (_, event) in Received::decode_all(events)? {
                        restaurant::learn(tx, event).await?;
                    }
                }
            }
            Ok(())
        })
    }
}
