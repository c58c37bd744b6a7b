//! The read model of restaurants, for the names on invoices. A deleted restaurant keeps its name there.

use sqlx::PgConnection;
use tiffin_events::restaurant::RestaurantProfileV1;

/// Saves a restaurant's data from an event. The phone is left out if its owner's account is closed.
pub async fn save(tx: &mut PgConnection, restaurant: &RestaurantProfileV1) -> sqlx::Result<()> {
    tiffin_database::keep_from_erasure(tx, &[restaurant.owner_id.0]).await?;
    sqlx::query!(
        "insert into restaurants (id, name, address, phone, owner_id)
         values ($1, $2, $3, case when exists (select from people where id = $5 and deleted) then '' else $4 end, $5)
         on conflict (id) do update
         set name = excluded.name, address = excluded.address, phone = excluded.phone, owner_id = excluded.owner_id",
        restaurant.restaurant_id.0,
        restaurant.name,
        restaurant.address,
        restaurant.phone,
        restaurant.owner_id.0,
    )
    .execute(tx)
    .await?;
    Ok(())
}
