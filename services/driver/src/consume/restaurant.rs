use sqlx::PgConnection;
use tiffin_events::restaurant::RestaurantEvent;

use crate::store::restaurants;

/// Keeps whose a restaurant is and where it stands; one that is gone shows its owner nothing more.
pub async fn learn(tx: &mut PgConnection, event: RestaurantEvent) -> sqlx::Result<()> {
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
