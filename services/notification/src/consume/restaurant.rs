use sqlx::PgConnection;
use tiffin_bus::{AggregateHandler, Decoded, Failure};
use tiffin_events::restaurant::RestaurantEvent;

use crate::{State, store::restaurants};

/// Saves the name of a restaurant. That of a deleted one is kept for its orders.
impl AggregateHandler<RestaurantEvent> for State {
    async fn project(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, RestaurantEvent>],
    ) -> Result<(), Failure> {
        for (_, event) in events {
            if let RestaurantEvent::Created(restaurant) | RestaurantEvent::Updated(restaurant) =
                event
            {
                restaurants::save(tx, restaurant).await?;
            }
        }
        Ok(())
    }
}
