//! The read model of restaurants: their names.

use sqlx::PgConnection;
use tiffin_events::restaurant::RestaurantProfileV1;

use crate::Error;

/// Saves the name of a restaurant.
pub async fn save(tx: &mut PgConnection, restaurant: &RestaurantProfileV1) -> Result<(), Error> {
    sqlx::query!(
        "insert into restaurants (id, name) values ($1, $2)
         on conflict (id) do update set name = excluded.name",
        restaurant.restaurant_id.0,
        restaurant.name,
    )
    .execute(tx)
    .await?;
    Ok(())
}
