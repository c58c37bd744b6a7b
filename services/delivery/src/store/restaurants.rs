//! The read model of restaurants.

use sqlx::PgConnection;
use tiffin_events::{
    Coordinates, RestaurantId,
    restaurant::{RestaurantProfileV1, RestaurantSlowedV1},
};
use time::{Duration, OffsetDateTime};

use super::routes;

pub async fn save(tx: &mut PgConnection, restaurant: &RestaurantProfileV1) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into restaurants (id, name, lat, lng, verified) values ($1, $2, $3, $4, $5)
         on conflict (id) do update
         set name = excluded.name, lat = excluded.lat, lng = excluded.lng, verified = excluded.verified",
        restaurant.restaurant_id.0,
        restaurant.name,
        restaurant.lat,
        restaurant.lng,
        restaurant.verified,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Sets the verification, which goes with the restaurant.
pub async fn set_verified(
    tx: &mut PgConnection,
    RestaurantId(id): RestaurantId,
    verified: bool,
) -> sqlx::Result<()> {
    sqlx::query!(
        "update restaurants set verified = $2 where id = $1",
        id,
        verified
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Saves the minutes that a busy restaurant needs more, and the end of that.
pub async fn set_busy(tx: &mut PgConnection, slowed: &RestaurantSlowedV1) -> sqlx::Result<()> {
    sqlx::query!(
        "update restaurants set busy_minutes = $2, busy_until = $3 where id = $1",
        slowed.restaurant.restaurant_id.0,
        slowed.minutes,
        slowed.until,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The place of a verified restaurant, if it is known.
pub async fn verified_place(
    connection: &mut PgConnection,
    RestaurantId(id): RestaurantId,
) -> sqlx::Result<Option<Coordinates>> {
    let row = sqlx::query!(
        "select lat, lng from restaurants where id = $1 and verified",
        id
    )
    .fetch_optional(connection)
    .await?;
    Ok(row.and_then(|row| routes::place(row.lat, row.lng)))
}

/// A restaurant whose place is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kitchen {
    pub id: RestaurantId,
    pub place: Coordinates,
    /// The time that it needs more now.
    pub busy: Duration,
}

/// Those of the restaurants whose place is known.
pub async fn kitchens(
    connection: &mut PgConnection,
    ids: &[RestaurantId],
    now: OffsetDateTime,
) -> sqlx::Result<Vec<Kitchen>> {
    let ids: Vec<_> = ids.iter().map(|id| id.0).collect();
    let rows = sqlx::query!(
        r#"select id, lat, lng, case when busy_until > $2 then busy_minutes else 0 end as "busy_minutes!"
         from restaurants where id = any ($1) order by id"#,
        &ids,
        now,
    )
    .fetch_all(connection)
    .await?;
    let known = rows.into_iter().filter_map(|row| {
        Some(Kitchen {
            id: RestaurantId(row.id),
            place: routes::place(row.lat, row.lng)?,
            busy: Duration::minutes(row.busy_minutes.into()),
        })
    });
    Ok(known.collect())
}
