//! The read model of restaurants.

use sqlx::PgConnection;
use tiffin_events::restaurant::RestaurantProfileV1;

pub async fn save(tx: &mut PgConnection, restaurant: &RestaurantProfileV1) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into restaurants (id, name, lat, lng) values ($1, $2, $3, $4)
         on conflict (id) do update set name = excluded.name, lat = excluded.lat, lng = excluded.lng",
        restaurant.restaurant_id.0,
        restaurant.name,
        restaurant.lat,
        restaurant.lng,
    )
    .execute(tx)
    .await?;
    Ok(())
}
