//! The table `drivers`.

use sqlx::PgConnection;
use tiffin_bus::{Aggregate, Cause, Recorder, StoredAggregate};
use tiffin_events::{
    UserId,
    driver::{DriverEvent, VehicleType},
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    driver::Driver,
    error::{Error, Refusal},
};

impl Aggregate for Driver {
    type Event = DriverEvent;
    type Error = Error;

    fn id(&self) -> Uuid {
        self.id.0
    }

    fn version(&self) -> i64 {
        self.sequence
    }

    fn concerned(&self, _event: &DriverEvent) -> Vec<UserId> {
        vec![self.id]
    }
}

impl StoredAggregate for Driver {
    type Key = UserId;
    type Refusal = Refusal;

    fn version_mut(&mut self) -> &mut i64 {
        &mut self.sequence
    }

    async fn lock(tx: &mut PgConnection, id: UserId) -> Result<Self, Error> {
        Ok(lock(tx, id).await?.ok_or(Refusal::Unknown)?)
    }

    async fn save(&self, tx: &mut PgConnection, _before: &Self) -> Result<(), Error> {
        Ok(update(tx, self).await?)
    }
}

/// Inserts a driver with its event and returns it. An account that is a driver already stays as it is, and no event
/// follows.
pub async fn register(
    tx: &mut PgConnection,
    recorder: &Recorder,
    cause: &Cause,
    driver: Driver,
) -> Result<Driver, Error> {
    if insert(tx, &driver).await? {
        tiffin_bus::record(tx, recorder, cause, None, &driver, &[driver.registered()]).await?;
        return Ok(driver);
    }
    Ok(lock(tx, driver.id).await?.ok_or(Refusal::Unknown)?)
}

/// One driver, locked until the transaction ends.
pub async fn lock(tx: &mut PgConnection, UserId(id): UserId) -> sqlx::Result<Option<Driver>> {
    let row = sqlx::query_as!(
        DriverRow,
        "select id, vehicle_type, dr_nic, is_available, unavailable_by_block, created_at, version
         from drivers where id = $1 for update",
        id,
    )
    .fetch_optional(tx)
    .await?;
    row.map(DriverRow::into_driver).transpose()
}

/// True if they were no driver before.
async fn insert(tx: &mut PgConnection, driver: &Driver) -> sqlx::Result<bool> {
    let inserted = sqlx::query!(
        "insert into drivers (id, vehicle_type, dr_nic, is_available, created_at, version)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (id) do nothing",
        driver.id.0,
        driver.vehicle_type.as_str(),
        driver.dr_nic,
        driver.is_available,
        driver.created_at,
        driver.sequence,
    )
    .execute(tx)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

async fn update(tx: &mut PgConnection, driver: &Driver) -> sqlx::Result<()> {
    sqlx::query!(
        "update drivers
         set vehicle_type = $2, dr_nic = $3, is_available = $4, version = $5, unavailable_by_block = $6
         where id = $1",
        driver.id.0,
        driver.vehicle_type.as_str(),
        driver.dr_nic,
        driver.is_available,
        driver.sequence,
        driver.unavailable_by_block,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Erases the identity number of a closed account. No event follows.
pub async fn erase_nic(tx: &mut PgConnection, UserId(id): UserId) -> sqlx::Result<()> {
    sqlx::query!("update drivers set dr_nic = '' where id = $1", id)
        .execute(tx)
        .await?;
    Ok(())
}

/// Reads a stored vehicle type.
pub fn vehicle_type(text: &str) -> sqlx::Result<VehicleType> {
    VehicleType::parse(text)
        .ok_or_else(|| sqlx::Error::Decode(format!("drivers.vehicle_type holds {text:?}").into()))
}

/// A row as it is stored.
struct DriverRow {
    id: Uuid,
    vehicle_type: String,
    dr_nic: String,
    is_available: bool,
    unavailable_by_block: bool,
    created_at: OffsetDateTime,
    version: i64,
}

impl DriverRow {
    fn into_driver(self) -> sqlx::Result<Driver> {
        Ok(Driver {
            id: UserId(self.id),
            vehicle_type: vehicle_type(&self.vehicle_type)?,
            dr_nic: self.dr_nic,
            is_available: self.is_available,
            unavailable_by_block: self.unavailable_by_block,
            created_at: self.created_at,
            sequence: self.version,
        })
    }
}
