//! References to pictures, from others' events. Each handler changes this service's own tables, within the
//! transaction it is given, and nothing else.

mod references;

use std::collections::HashMap;

use sqlx::PgConnection;
use tiffin_bus::{AggregateHandler, Consumer, Consumers, Decoded, Failure};
use tiffin_events::{
    Event, Stream, item::ItemEvent, order::OrderEvent, restaurant::RestaurantEvent, user::UserEvent,
};

use crate::{
    NAME, State,
    picture::name_in,
    store::{
        pictures,
        uses::{self, Referrer},
    },
};
use references::References;

/// The service's consumers: `media_USERS`, `media_CATALOG`, `media_ORDERS`.
pub fn consumers(state: &State) -> Vec<Consumer> {
    let consumers = Consumers::new(NAME, &state.pool, &state.clock, state.clone());
    vec![
        consumers
            .of(Stream::Users)
            .on::<UserEvent>()
            .projects(&["uses"]),
        consumers
            .of(Stream::Catalog)
            .on::<RestaurantEvent>()
            .on::<ItemEvent>()
            .projects(&["uses"]),
        consumers
            .of(Stream::Orders)
            .on::<OrderEvent>()
            .projects(&["uses"]),
    ]
}

impl<E: Event + References + 'static> AggregateHandler<E> for State {
    /// Applies many events at once: the last event of each referrer counts.
    async fn handle(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, E>],
    ) -> Result<(), Failure> {
        let references: HashMap<_, _> = events
            .iter()
            .filter_map(|(_, event)| reference(event))
            .collect();
        if references.is_empty() {
            return Ok(());
        }
        let released = uses::set(tx, &references).await?;
        let names: Vec<_> = references.into_values().flatten().collect();
        pictures::mark_used(tx, &names).await?;
        pictures::mark_unused(tx, &released, self.clock.now()).await?;
        Ok(())
    }

    /// Applies many events at once: the last event of each referrer counts.
    async fn project(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, E>],
    ) -> Result<(), Failure> {
        let references = events.iter().filter_map(|(_, event)| reference(event));
        uses::set(tx, &references.collect()).await?;
        Ok(())
    }
}

/// The aggregate that refers to these pictures from this event on; `None` if the event changes no
/// reference.
fn reference(event: &impl References) -> Option<(Referrer, Vec<String>)> {
    let (referrer, urls) = event.pictures()?;
    let names = urls.iter().filter_map(|url| name_in(url)).collect();
    Some((referrer, names))
}
