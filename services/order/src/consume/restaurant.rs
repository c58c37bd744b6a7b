use sqlx::PgConnection;
use tiffin_events::restaurant::RestaurantEvent;

use crate::store::items;

pub async fn handle(tx: &mut PgConnection, event: RestaurantEvent) -> sqlx::Result<()> {
    match event {
        RestaurantEvent::Created(restaurant) | RestaurantEvent::Updated(restaurant) => {
            items::keep_restaurant(tx, &restaurant).await
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
        RestaurantEvent::Verified(_) => Ok(()),
    }
}
