use sqlx::PgConnection;
use tiffin_bus::{AggregateHandler, Decoded, Failure};
use tiffin_events::restaurant::RestaurantEvent;

use crate::{State, store::items};

impl AggregateHandler<RestaurantEvent> for State {
    async fn project(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, RestaurantEvent>],
    ) -> Result<(), Failure> {
        for (_, event) in events {
            match event {
                RestaurantEvent::Created(restaurant) | RestaurantEvent::Updated(restaurant) => {
                    items::save_restaurant(tx, restaurant).await
                }
                RestaurantEvent::Opened(restaurant) => {
                    items::set_open(tx, restaurant.restaurant_id, true).await
                }
                RestaurantEvent::Closed(restaurant) => {
                    items::set_open(tx, restaurant.restaurant_id, false).await
                }
                RestaurantEvent::Deleted(restaurant) => {
                    items::remove_restaurant(tx, restaurant.restaurant_id).await
                }
                RestaurantEvent::Paused(paused) => {
                    items::pause(tx, paused.restaurant.restaurant_id, paused.until).await
                }
                RestaurantEvent::Verified(_) | RestaurantEvent::Slowed(_) => Ok(()),
            }?;
        }
        Ok(())
    }
}
