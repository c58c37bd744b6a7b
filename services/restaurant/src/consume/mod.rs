//! Consumers of others' events. Each handler changes this service's own tables, within the transaction it
//! is given, and nothing else.

mod person;

use futures_util::future::BoxFuture;
use sqlx::PgConnection;
use tiffin_bus::{Cause, Consumer, Failure, Handler, Received};
use tiffin_events::{Clock, Stream, user::UserEvent};

use crate::{NAME, State};

/// The service's consumer: `restaurant_USERS`.
pub fn consumers(state: &State) -> Vec<Consumer> {
    let people = EventHandler(state.clock.clone());
    let consumer = Consumer::new(
        NAME,
        Stream::Users,
        state.pool.clone(),
        state.clock.clone(),
        people,
    );
    vec![consumer.only(&["user"]).projects(&["people"])]
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
