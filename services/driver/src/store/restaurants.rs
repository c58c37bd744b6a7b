//! The read model of restaurants.

use sqlx::PgConnection;
use tiffin_events::{Coordinates, RestaurantId, UserId, restaurant::RestaurantProfileV1};

/// The places of an owner's verified restaurants, the oldest first; `None` for one whose place is unknown.
/// Empty for an owner without a verified restaurant.
pub async fn verified_of(
    tx: &mut PgConnection,
    UserId(owner): UserId,
) -> sqlx::Result<Vec<Option<Coordinates>>> {
    let rows = sqlx::query!(
        "select lat, lng from restaurants where owner_id = $1 and verified order by id",
        owner
    )
    .fetch_all(tx)
    .await?;
    let places = rows.into_iter().map(|row| {
        let (lat, lng) = row.lat.zip(row.lng)?;
        Some(Coordinates { lat, lng })
    });
    Ok(places.collect())
}

pub async fn save(tx: &mut PgConnection, restaurant: &RestaurantProfileV1) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into restaurants (id, owner_id, verified, lat, lng) values ($1, $2, $3, $4, $5)
         on conflict (id) do update
         set owner_id = excluded.owner_id, verified = excluded.verified, lat = excluded.lat, lng = excluded.lng",
        restaurant.restaurant_id.0,
        restaurant.owner_id.0,
        restaurant.verified,
        restaurant.lat,
        restaurant.lng,
    )
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn verify(tx: &mut PgConnection, RestaurantId(id): RestaurantId) -> sqlx::Result<()> {
    sqlx::query!("update restaurants set verified = true where id = $1", id)
        .execute(tx)
        .await?;
    Ok(())
}

pub async fn delete(tx: &mut PgConnection, RestaurantId(id): RestaurantId) -> sqlx::Result<()> {
    sqlx::query!("delete from restaurants where id = $1", id)
        .execute(tx)
        .await?;
    Ok(())
}
