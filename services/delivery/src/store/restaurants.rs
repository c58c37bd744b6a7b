//! The read model of restaurants.

use sqlx::PgConnection;
use tiffin_events::{Coordinates, RestaurantId, restaurant::RestaurantProfileV1};

use super::routes;

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

/// The places of restaurants, as far as they are known.
pub async fn places(
    connection: &mut PgConnection,
    ids: &[RestaurantId],
) -> sqlx::Result<Vec<(RestaurantId, Coordinates)>> {
    let ids: Vec<_> = ids.iter().map(|id| id.0).collect();
    let rows = sqlx::query!(
        "select id, lat, lng from restaurants where id = any ($1) order by id",
        &ids
    )
    .fetch_all(connection)
    .await?;
    let known = |(id, lat, lng)| Some((RestaurantId(id), routes::place(lat, lng)?));
    let rows = rows.into_iter().map(|row| (row.id, row.lat, row.lng));
    Ok(rows.filter_map(known).collect())
}
