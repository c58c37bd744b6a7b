use sqlx::PgConnection;
use tiffin_events::restaurant::RestaurantEvent;

use crate::store::restaurants;

/// Keeps a restaurant's owner and place; a deleted one shows its owner no drivers.
pub async fn handle(tx: &mut PgConnection, event: RestaurantEvent) -> sqlx::Result<()> {
    match event {
        RestaurantEvent::Created(restaurant) | RestaurantEvent::Updated(restaurant) => {
            restaurants::keep(tx, &restaurant).await
        }
        RestaurantEvent::Verified(restaurant) => {
            restaurants::verify(tx, restaurant.restaurant_id).await
        }
        RestaurantEvent::Deleted(restaurant) => {
            restaurants::forget(tx, restaurant.restaurant_id).await
        }
        RestaurantEvent::Opened(_) | RestaurantEvent::Closed(_) => Ok(()),
    }
}
