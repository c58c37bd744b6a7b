use sqlx::PgConnection;
use tiffin_events::restaurant::RestaurantEvent;

use crate::store::restaurants;

/// A restaurant that is gone stays the place where its orders come from.
pub async fn handle(tx: &mut PgConnection, event: RestaurantEvent) -> sqlx::Result<()> {
    match event {
        RestaurantEvent::Created(restaurant) | RestaurantEvent::Updated(restaurant) => {
            restaurants::keep(tx, &restaurant).await
        }
        RestaurantEvent::Verified(_)
        | RestaurantEvent::Opened(_)
        | RestaurantEvent::Closed(_)
        | RestaurantEvent::Deleted(_) => Ok(()),
    }
}
