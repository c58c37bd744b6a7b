//! Consumers of others' events. Each handler changes this service's own tables, within the transaction it
//! is given, and nothing else.

mod person;
mod positions;
mod restaurant;

use std::slice;

use futures_util::future::BoxFuture;
use sqlx::PgConnection;
use tiffin_bus::{BatchConsumer, Cause, Consumer, Failure, Handler, Received};
use tiffin_events::{Clock, Stream, user::UserEvent};

use crate::{NAME, State};

/// The service's consumers: `driver_CATALOG`, `driver_USERS`.
pub fn consumers(state: &State) -> Vec<Consumer> {
    let (pool, clock) = (&state.pool, &state.clock);
    let people = EventHandler(clock.clone());
    let restaurants = Consumer::new(
        NAME,
        Stream::Catalog,
        pool.clone(),
        clock.clone(),
        Restaurants,
    );
    let people = Consumer::new(NAME, Stream::Users, pool.clone(), clock.clone(), people);
    vec![
        restaurants.only(&["restaurant"]).projects(&["restaurants"]),
        people.only(&["user"]).projects(&["people"]),
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

struct Restaurants;

impl Handler for Restaurants {
    fn handle<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        event: &'a Received,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        self.project(tx, slice::from_ref(event))
    }

    fn project<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        events: &'a [Received],
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            for (_, event) in Received::decode_all(events)? {
                restaurant::handle(tx, event).await?;
            }
            Ok(())
        })
    }
}

struct EventHandler(Clock);

impl Handler for EventHandler {
    fn handle<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        event: &'a Received,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            if let Some(person) = event.decode::<UserEvent>()? {
                person::handle(tx, &self.0, &Cause::event(&event.envelope), person).await?;
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
            for (_, person) in Received::decode_all(events)? {
                person::project(tx, &person).await?;
            }
            Ok(())
        })
    }
}
