//! The read model of restaurants, for the names on invoices. A deleted restaurant keeps its name there.

use sqlx::PgConnection;
use tiffin_events::restaurant::RestaurantProfileV1;

/// Saves a restaurant's data from an event.
pub async fn save(tx: &mut PgConnection, restaurant: &RestaurantProfileV1) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into restaurants (id, name, address, phone) values ($1, $2, $3, $4)
         on conflict (id) do update
         set name = excluded.name, address = excluded.address, phone = excluded.phone",
        restaurant.restaurant_id.0,
        restaurant.name,
        restaurant.address,
        restaurant.phone,
    )
    .execute(tx)
    .await?;
    Ok(())
}
