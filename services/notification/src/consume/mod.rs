//! The consumers of other services' events.

mod create;
mod order;
mod person;

use futures_util::future::BoxFuture;
use sqlx::PgConnection;
use tiffin_bus::{Consumer, Failure, Handler, Received};
use tiffin_events::{Stream, delivery::DeliveryEvent, order::OrderEvent, user::UserEvent};

use crate::{NAME, State};

/// The service's consumers: `notification_USERS`, `notification_ORDERS`, `notification_DELIVERIES`.
pub fn consumers(state: &State) -> Vec<Consumer> {
    let consumer = |stream: Stream| {
        let take = EventHandler {
            stream,
            state: state.clone(),
        };
        Consumer::new(NAME, stream, state.pool.clone(), state.clock.clone(), take)
    };
    vec![
        consumer(Stream::Users)
            .only(&["user"])
            .projects(&["people"]),
        consumer(Stream::Orders).projects(&["orders"]),
        consumer(Stream::Deliveries),
    ]
}

/// Handles the events of one stream.
struct EventHandler {
    stream: Stream,
    state: State,
}

impl Handler for EventHandler {
    fn handle<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        event: &'a Received,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            match self.stream {
                Stream::Users => {
                    if let Some(event) = event.decode::<UserEvent>()? {
                        person::handle(tx, &self.state.clock, event).await?;
                    }
                }
                Stream::Orders => {
                    if let Some(order) = event.decode::<OrderEvent>()? {
                        order::handle(tx, &self.state.clock, event, &order).await?;
                    }
                }
                Stream::Deliveries => {
                    if let Some(delivery) = event.decode::<DeliveryEvent>()? {
                        create::of_delivery(tx, &self.state.clock, event, &delivery).await?;
                    }
                }
                _ => {}
            }
            self.state.wake();
            Ok(())
        })
    }

    fn project<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        events: &'a [Received],
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            match self.stream {
                Stream::Users => {
                    for (_, event) in Received::decode_all(events)? {
                        person::project(tx, event).await?;
                    }
                }
                Stream::Orders => {
                    let events: Vec<(_, OrderEvent)> = Received::decode_all(events)?;
                    order::project(tx, events.iter().map(|(_, event)| event)).await?;
                }
                _ => {}
            }
            Ok(())
        })
    }
}
