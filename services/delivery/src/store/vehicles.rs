//! The read model of drivers' vehicles.

use std::collections::HashMap;

use sqlx::PgConnection;
use tiffin_events::{UserId, driver::VehicleType};

/// Saves the vehicle of each driver.
pub async fn save(
    tx: &mut PgConnection,
    vehicles: &HashMap<UserId, VehicleType>,
) -> sqlx::Result<()> {
    if vehicles.is_empty() {
        return Ok(());
    }
    let (drivers, vehicles): (Vec<_>, Vec<_>) = vehicles
        .iter()
        .map(|(driver, vehicle)| (driver.0, vehicle.as_str().to_owned()))
        .unzip();
    sqlx::query!(
        "insert into vehicles (driver_id, vehicle)
         select * from unnest($1::uuid[], $2::text[])
         on conflict (driver_id) do update set vehicle = excluded.vehicle",
        &drivers,
        &vehicles,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Reads a stored vehicle. One that this release does not know counts as unknown.
pub fn parse(text: Option<&str>) -> Option<VehicleType> {
    text.and_then(VehicleType::parse)
}
