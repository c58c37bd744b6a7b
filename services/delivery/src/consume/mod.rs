//! What this service learns from others' events. Each handler changes this service's own tables
//! within the transaction it is given, and nothing else.

mod order_called_off;
mod order_confirmed;
mod order_placed;
mod person;
mod positions;
mod restaurant;

use futures_util::future::BoxFuture;
use sqlx::PgConnection;
use tiffin_bus::{BatchConsumer, Cause, Consumer, Failure, Handler, Received};
use tiffin_events::{
    Clock, Stream, order::OrderEvent, restaurant::RestaurantEvent, user::UserEvent,
};

use crate::{NAME, State};

/// The service's consumers: `delivery_ORDERS`, `delivery_USERS`, `delivery_CATALOG`.
pub fn consumers(state: &State) -> Vec<Consumer> {
    let consumer = |stream: Stream, learn: Learn| {
        Consumer::new(NAME, stream, state.pool.clone(), state.clock.clone(), learn)
    };
    vec![
        consumer(Stream::Orders, Learn::Orders(state.clock.clone())),
        consumer(Stream::Users, Learn::Users).only(&["user"]),
        consumer(Stream::Catalog, Learn::Catalog).only(&["restaurant"]),
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
                        orders(tx, clock, &Cause::event(&event.envelope), order).await?;
                    }
                }
                Self::Users => {
                    if let Some(event) = event.decode::<UserEvent>()? {
                        person::learn(tx, event).await?;
                    }
                }
                Self::Catalog => {
                    if let Some(event) = event.decode::<RestaurantEvent>()? {
                        restaurant::learn(tx, event).await?;
                    }
                }
            }
            Ok(())
        })
    }
}

async fn orders(
    tx: &mut PgConnection,
    clock: &Clock,
    cause: &Cause,
    event: OrderEvent,
) -> Result<(), crate::Error> {
    match event {
        OrderEvent::Placed(placed) => order_placed::handle(tx, placed).await,
        OrderEvent::Confirmed(confirmed) => {
            order_confirmed::handle(tx, clock, cause, confirmed).await
        }
        OrderEvent::Cancelled(order) | OrderEvent::Deleted(order) => {
            order_called_off::handle(tx, clock, cause, order.order_id).await
        }
        // Where the kitchen stands, and what the order learned from its delivery, is nothing new here.
        OrderEvent::Approved(_)
        | OrderEvent::Preparing(_)
        | OrderEvent::Dispatched(_)
        | OrderEvent::Delivered(_)
        | OrderEvent::Reopened(_) => Ok(()),
    }
}
