//! The read model of drivers.

use sqlx::PgConnection;
use tiffin_events::{
    UserId,
    driver::{DriverProfileV1, VehicleType},
};
use uuid::Uuid;

/// Saves drivers whole.
pub async fn save(tx: &mut PgConnection, drivers: &[DriverProfileV1]) -> sqlx::Result<()> {
    if drivers.is_empty() {
        return Ok(());
    }
    let ids: Vec<Uuid> = drivers.iter().map(|driver| driver.driver_id.0).collect();
    let vehicles: Vec<_> = drivers.iter().map(|it| it.vehicle_type.as_str()).collect();
    let available: Vec<_> = drivers.iter().map(|driver| driver.is_available).collect();
    sqlx::query!(
        "insert into drivers (id, vehicle_type, is_available)
         select * from unnest($1::uuid[], $2::text[], $3::bool[])
         on conflict (id) do update
         set vehicle_type = excluded.vehicle_type, is_available = excluded.is_available",
        &ids,
        &vehicles as &[&str],
        &available,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The known ones among these drivers.
pub async fn find(tx: &mut PgConnection, ids: &[UserId]) -> sqlx::Result<Vec<DriverProfileV1>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let rows = sqlx::query!(
        "select id, vehicle_type, is_available from drivers where id = any ($1)",
        &ids
    )
    .fetch_all(tx)
    .await?;
    let rows = rows.into_iter().map(|row| {
        Ok(DriverProfileV1 {
            driver_id: UserId(row.id),
            vehicle_type: vehicle(&row.vehicle_type)?,
            is_available: row.is_available,
        })
    });
    rows.collect()
}

/// Reads a stored vehicle.
pub fn vehicle(text: &str) -> sqlx::Result<VehicleType> {
    VehicleType::parse(text)
        .ok_or_else(|| sqlx::Error::Decode(format!("drivers.vehicle_type holds {text:?}").into()))
}
