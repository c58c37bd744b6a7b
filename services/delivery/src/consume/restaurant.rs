use sqlx::PgConnection;
use tiffin_bus::{AggregateHandler, Decoded, Failure};
use tiffin_events::restaurant::RestaurantEvent;

use crate::{State, store::restaurants};

/// The place of a deleted restaurant is kept for its orders.
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
                RestaurantEvent::Verified(restaurant) => {
                    restaurants::set_verified(tx, restaurant.restaurant_id, true).await
                }
                RestaurantEvent::Deleted(restaurant) => {
                    restaurants::set_verified(tx, restaurant.restaurant_id, false).await
                }
                RestaurantEvent::Slowed(slowed) => restaurants::set_busy(tx, slowed).await,
                RestaurantEvent::Opened(_)
                | RestaurantEvent::Closed(_)
                | RestaurantEvent::Paused(_) => Ok(()),
            }?;
        }
        Ok(())
    }
}
