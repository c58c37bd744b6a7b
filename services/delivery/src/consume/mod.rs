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
    let consumer = |stream: Stream, handler: EventHandler| {
        Consumer::new(
            NAME,
            stream,
            state.pool.clone(),
            state.clock.clone(),
            handler,
        )
    };
    vec![
        consumer(Stream::Orders, EventHandler::Orders(state.clock.clone())).projects(&["orders"]),
        consumer(Stream::Users, EventHandler::Users)
            .only(&["user"])
            .projects(&["people"]),
        consumer(Stream::Catalog, EventHandler::Catalog)
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
        positions::PositionHandler,
    )]
}

/// A handler a stream.
enum EventHandler {
    Orders(Clock),
    Users,
    Catalog,
}

impl Handler for EventHandler {
    fn handle<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        event: &'a Received,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            match self {
                Self::Orders(clock) => {
                    if let Some(order) = event.decode::<OrderEvent>()? {
                        order::handle(tx, clock, &event.envelope, order).await?;
                    }
                }
                Self::Users => {
                    if let Some(event) = event.decode::<UserEvent>()? {
                        person::handle(tx, event).await?;
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
                        restaurant::handle(tx, event).await?;
                    }
                }
            }
            Ok(())
        })
    }
}
