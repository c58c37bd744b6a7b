//! The consumers of other services' events. A handler only changes this service's own tables, within the
//! transaction that it gets: the reconciler makes refunds.

mod delivery;
mod order;

use std::{slice, sync::Arc};

use futures_util::future::BoxFuture;
use sqlx::PgConnection;
use tiffin_bus::{Consumer, Failure, Handler, Received};
use tiffin_events::{
    Clock, Stream, delivery::DeliveryEvent, order::OrderEvent, restaurant::RestaurantEvent,
    user::UserEvent,
};
use tokio::sync::Notify;

use crate::{
    NAME, State,
    store::{people, restaurants},
};

/// The service's consumers: `payment_ORDERS`, `payment_DELIVERIES`, `payment_USERS`, `payment_CATALOG`.
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
    let orders = EventHandler::Orders(state.clock.clone(), Arc::clone(&state.work_waits));
    let deliveries = EventHandler::Deliveries(state.clock.clone(), Arc::clone(&state.work_waits));
    vec![
        consumer(Stream::Orders, orders).projects(&["orders"]),
        consumer(Stream::Deliveries, deliveries).projects(&["deliveries"]),
        consumer(Stream::Users, EventHandler::Users)
            .only(&["user"])
            .projects(&["people"]),
        consumer(Stream::Catalog, EventHandler::Catalog)
            .only(&["restaurant"])
            .projects(&["restaurants"]),
    ]
}

/// The handlers, one for each stream.
enum EventHandler {
    Orders(Clock, Arc<Notify>),
    Deliveries(Clock, Arc<Notify>),
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
                Self::Orders(clock, work_waits) => {
                    if let Some(order) = event.decode::<OrderEvent>()?
                        && order::handle(tx, clock, &event.envelope, order).await?
                    {
                        work_waits.notify_one();
                    }
                    Ok(())
                }
                Self::Deliveries(clock, work_waits) => {
                    if let Some(delivery) = event.decode::<DeliveryEvent>()?
                        && delivery::handle(tx, clock, &event.envelope, &delivery).await?
                    {
                        work_waits.notify_one();
                    }
                    Ok(())
                }
                Self::Users | Self::Catalog => self.project(tx, slice::from_ref(event)).await,
            }
        })
    }

    fn project<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        events: &'a [Received],
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            match self {
                Self::Orders(..) => order::project(tx, &Received::decode_all(events)?).await?,
                Self::Deliveries(..) => {
                    let events: Vec<(_, DeliveryEvent)> = Received::decode_all(events)?;
                    delivery::project(tx, events.iter().map(|(_, event)| event)).await?;
                }
                Self::Users => {
                    for (_, person) in Received::decode_all(events)? {
                        learn_person(tx, person).await?;
                    }
                }
                Self::Catalog => {
                    for (_, restaurant) in Received::decode_all(events)? {
                        learn_restaurant(tx, restaurant).await?;
                    }
                }
            }
            Ok(())
        })
    }
}

async fn learn_person(tx: &mut PgConnection, event: UserEvent) -> sqlx::Result<()> {
    match event {
        UserEvent::Registered(person) | UserEvent::Updated(person) => {
            people::keep(tx, &person).await
        }
        UserEvent::Deleted(person) => people::forget(tx, person.user_id).await,
        UserEvent::Verified(_)
        | UserEvent::Blocked(_)
        | UserEvent::Unblocked(_)
        | UserEvent::PasswordChanged(_) => Ok(()),
    }
}

async fn learn_restaurant(tx: &mut PgConnection, event: RestaurantEvent) -> sqlx::Result<()> {
    match event {
        RestaurantEvent::Created(restaurant) | RestaurantEvent::Updated(restaurant) => {
            restaurants::keep(tx, &restaurant).await
        }
        RestaurantEvent::Verified(_)
        | RestaurantEvent::Opened(_)
        | RestaurantEvent::Closed(_)
        | RestaurantEvent::Deleted(_) => Ok(()),
    }
}
