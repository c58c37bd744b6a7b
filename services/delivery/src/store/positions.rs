//! The driver's last position of each delivery.

use sqlx::PgConnection;
use tiffin_events::position::PositionUpdatedV1;

/// Stores positions in one statement, at most one a delivery: those that are newer by the device's
/// clock than what is stored, of its driver, while it is under way.
pub async fn save(tx: &mut PgConnection, positions: &[&PositionUpdatedV1]) -> sqlx::Result<u64> {
    let ids: Vec<_> = positions
        .iter()
        .map(|position| position.delivery_id.0)
        .collect();
    let drivers: Vec<_> = positions
        .iter()
        .map(|position| position.driver_id.0)
        .collect();
    let lats: Vec<_> = positions.iter().map(|position| position.lat).collect();
    let lngs: Vec<_> = positions.iter().map(|position| position.lng).collect();
    let times: Vec<_> = positions.iter().map(|position| position.at).collect();
    let done = sqlx::query!(
        "update deliveries d
         set lat = p.lat, lng = p.lng, position_at = p.at
         from unnest($1::uuid[], $2::uuid[], $3::float8[], $4::float8[], $5::timestamptz[])
             as p (id, driver_id, lat, lng, at)
         where d.id = p.id and d.driver_id = p.driver_id
           and d.cancelled_at is null and d.status <> 'delivered'
           and (d.position_at is null or d.position_at < p.at)",
        &ids,
        &drivers,
        &lats,
        &lngs,
        &times,
    )
    .execute(tx)
    .await?;
    Ok(done.rows_affected())
}
