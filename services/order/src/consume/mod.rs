//! What this service learns from others' events. Each handler changes this service's own tables
//! within the transaction it is given, and nothing else.

mod delivery;
mod driver;
mod item;
mod payment;
mod person;
mod restaurant;

use futures_util::future::BoxFuture;
use sqlx::PgConnection;
use tiffin_bus::{Cause, Consumer, Failure, Handler, Received};
use tiffin_events::{
    Clock, Stream, delivery::DeliveryEvent, driver::DriverEvent, item::ItemEvent,
    payment::PaymentEvent, restaurant::RestaurantEvent, user::UserEvent,
};

use crate::{NAME, State};

/// The service's consumers: `order_CATALOG`, `order_USERS`, `order_DRIVERS`, `order_DELIVERIES`,
/// `order_PAYMENTS`.
pub fn consumers(state: &State) -> Vec<Consumer> {
    let consumer = |stream: Stream, learn: Learn| {
        Consumer::new(NAME, stream, state.pool.clone(), state.clock.clone(), learn)
    };
    vec![
        consumer(Stream::Catalog, Learn::Catalog).only(&["restaurant", "item"]),
        consumer(Stream::Users, Learn::Users).only(&["user"]),
        consumer(Stream::Drivers, Learn::Drivers),
        consumer(Stream::Deliveries, Learn::Deliveries(state.clock.clone())),
        consumer(Stream::Payments, Learn::Payments),
    ]
}

/// A handler a stream.
enum Learn {
    Catalog,
    Users,
    Drivers,
    Deliveries(Clock),
    Payments,
}

impl Handler for Learn {
    fn handle<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        event: &'a Received,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            match self {
                Self::Catalog => {
                    if let Some(event) = event.decode::<RestaurantEvent>()? {
                        restaurant::learn(tx, event).await?;
                    } else if let Some(event) = event.decode::<ItemEvent>()? {
                        item::learn(tx, event).await?;
                    }
                }
                Self::Users => {
                    if let Some(event) = event.decode::<UserEvent>()? {
                        person::learn(tx, event).await?;
                    }
                }
                Self::Drivers => {
                    if let Some(event) = event.decode::<DriverEvent>()? {
                        driver::learn(tx, event).await?;
                    }
                }
                Self::Payments => {
                    if let Some(event) = event.decode::<PaymentEvent>()? {
                        payment::learn(tx, event).await?;
                    }
                }
                Self::Deliveries(clock) => {
                    if let Some(delivery) = event.decode::<DeliveryEvent>()? {
                        delivery::follow(tx, clock, &Cause::event(&event.envelope), delivery)
                            .await?;
                    }
                }
            }
            Ok(())
        })
    }
}
