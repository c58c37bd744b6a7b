use sqlx::PgConnection;
use tiffin_bus::{AggregateHandler, Decoded, Failure};
use tiffin_events::restaurant::RestaurantEvent;

use crate::{State, store::restaurants};

impl AggregateHandler<RestaurantEvent> for State {
    async fn project(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, RestaurantEvent>],
    ) -> Result<(), Failure> {
        for (_, event) in events {
            match event {
                RestaurantEvent::Created(restaurant) | RestaurantEvent::Updated(restaurant) => {
                    restaurants::save(tx, restaurant).await
                }
                RestaurantEvent::Verified(_)
                | RestaurantEvent::Opened(_)
                | RestaurantEvent::Closed(_)
                | RestaurantEvent::Paused(_)
                | RestaurantEvent::Slowed(_)
                | RestaurantEvent::Deleted(_) => Ok(()),
            }?;
        }
        Ok(())
    }
}
