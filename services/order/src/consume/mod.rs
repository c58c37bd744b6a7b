//! Consumers of others' events. Each handler changes this service's own tables, within the transaction it
//! is given, and nothing else.

mod delivery;
mod driver;
mod item;
mod payment;
mod person;
mod restaurant;

use std::slice;

use futures_util::future::BoxFuture;
use sqlx::PgConnection;
use tiffin_bus::{Cause, Consumer, Failure, Handler, Received};
use tiffin_events::{Clock, Stream, delivery::DeliveryEvent, user::UserEvent};

use crate::{NAME, State};

/// The service's consumers: `order_CATALOG`, `order_USERS`, `order_DRIVERS`, `order_DELIVERIES`,
/// `order_PAYMENTS`.
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
        consumer(Stream::Catalog, EventHandler::Catalog)
            .only(&["restaurant", "item"])
            .projects(&["items", "restaurants"]),
        consumer(Stream::Users, EventHandler::Users)
            .only(&["user"])
            .projects(&["people"]),
        consumer(Stream::Drivers, EventHandler::Drivers).projects(&["drivers"]),
        consumer(
            Stream::Deliveries,
            EventHandler::Deliveries(state.clock.clone()),
        )
        .projects(&["deliveries"]),
        consumer(Stream::Payments, EventHandler::Payments).projects(&["payments"]),
    ]
}

/// A handler a stream.
enum EventHandler {
    Catalog,
    Users,
    Drivers,
    Deliveries(Clock),
    Payments,
}

impl Handler for EventHandler {
    fn handle<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        event: &'a Received,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            match self {
                Self::Users => {
                    if let Some(event) = event.decode::<UserEvent>()? {
                        person::handle(tx, event).await?;
                    }
                }
                Self::Deliveries(clock) => {
                    if let Some(delivery) = event.decode::<DeliveryEvent>()? {
                        delivery::follow(tx, clock, &Cause::event(&event.envelope), delivery)
                            .await?;
                    }
                }
                Self::Catalog | Self::Drivers | Self::Payments => {
                    self.project(tx, slice::from_ref(event)).await?;
                }
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
                Self::Catalog => {
                    for (_, event) in Received::decode_all(events)? {
                        restaurant::handle(tx, event).await?;
                    }
                    for (_, event) in Received::decode_all(events)? {
                        item::handle(tx, event).await?;
                    }
                }
                Self::Users => {
                    for (_, event) in Received::decode_all(events)? {
                        person::project(tx, event).await?;
                    }
                }
                Self::Drivers => {
                    for (_, event) in Received::decode_all(events)? {
                        driver::handle(tx, event).await?;
                    }
                }
                Self::Deliveries(_) => {
                    let events: Vec<(_, DeliveryEvent)> = Received::decode_all(events)?;
                    delivery::project(tx, events.iter().map(|(_, event)| event)).await?;
                }
                Self::Payments => payment::project(tx, &Received::decode_all(events)?).await?,
            }
            Ok(())
        })
    }
}
