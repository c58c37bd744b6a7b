//! The last positions of drivers.

use sqlx::PgConnection;
use tiffin_events::{UserId, position::PositionUpdatedV1};

/// A position is saved if it is this many seconds newer than the last: distances need not be fresher.
const MIN_SECONDS_APART: f64 = 10.0;

/// Saves positions in one statement, at most one a driver.
pub async fn save(tx: &mut PgConnection, positions: &[&PositionUpdatedV1]) -> sqlx::Result<()> {
    let drivers: Vec<_> = positions.iter().map(|it| it.driver_id.0).collect();
    let lats: Vec<_> = positions.iter().map(|it| it.lat).collect();
    let lngs: Vec<_> = positions.iter().map(|it| it.lng).collect();
    let times: Vec<_> = positions.iter().map(|it| it.at).collect();
    sqlx::query!(
        "insert into positions as p (driver_id, lat, lng, at)
         select f.driver_id, f.lat, f.lng, f.at
         from unnest($1::uuid[], $2::float8[], $3::float8[], $4::timestamptz[]) as f (driver_id, lat, lng, at)
         join drivers d on d.id = f.driver_id
         on conflict (driver_id) do update set lat = excluded.lat, lng = excluded.lng, at = excluded.at
         where p.at + make_interval(secs => $5) <= excluded.at",
        &drivers,
        &lats,
        &lngs,
        &times,
        MIN_SECONDS_APART,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Deletes the position of a closed account.
pub async fn delete(tx: &mut PgConnection, UserId(driver): UserId) -> sqlx::Result<()> {
    sqlx::query!("delete from positions where driver_id = $1", driver)
        .execute(tx)
        .await?;
    Ok(())
}
