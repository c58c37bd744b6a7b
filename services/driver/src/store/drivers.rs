//! The table `drivers`.

use sqlx::PgConnection;
use tiffin_bus::{Cause, Outgoing, outbox};
use tiffin_events::{
    Clock, UserId,
    driver::{DriverEvent, VehicleType},
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    driver::{Driver, Transition},
    error::{Error, Refusal},
};

/// The one way to change a driver: lock them, let `transition` change them and say what happened or
/// refuse, save them, and append the events to the outbox. Returns them as they are afterwards.
pub async fn change(
    tx: &mut PgConnection,
    clock: &Clock,
    cause: &Cause,
    id: UserId,
    transition: impl FnOnce(&mut Driver) -> Transition,
) -> Result<Driver, Error> {
    let mut driver = lock(tx, id).await?.ok_or(Refusal::Unknown)?;
    let before = driver.version;
    let events = transition(&mut driver)?;
    if events.is_empty() {
        return Ok(driver);
    }
    driver.version += i64::try_from(events.len()).unwrap_or(i64::MAX);
    update(tx, &driver).await?;
    tell(tx, clock, cause, &driver, before, &events).await?;
    Ok(driver)
}

/// Makes a driver and returns them. An account that is a driver already stays as it is, and no event
/// follows.
pub async fn register(
    tx: &mut PgConnection,
    clock: &Clock,
    cause: &Cause,
    driver: Driver,
) -> Result<Driver, Error> {
    if insert(tx, &driver).await? {
        tell(tx, clock, cause, &driver, 0, &[driver.registered()]).await?;
        return Ok(driver);
    }
    Ok(lock(tx, driver.id).await?.ok_or(Refusal::Unknown)?)
}

/// Appends what happened to the outbox; the driver's own pages change with it.
async fn tell(
    tx: &mut PgConnection,
    clock: &Clock,
    cause: &Cause,
    driver: &Driver,
    before: i64,
    events: &[DriverEvent],
) -> Result<(), Error> {
    let outgoing = events.iter().zip(before + 1..).map(|(event, sequence)| {
        Ok(Outgoing::event(clock, cause, driver.id.0, sequence, event)?.tell([driver.id]))
    });
    outbox::append(tx, &outgoing.collect::<serde_json::Result<Vec<_>>>()?).await?;
    Ok(())
}

/// One driver, locked until the transaction ends.
pub async fn lock(tx: &mut PgConnection, UserId(id): UserId) -> sqlx::Result<Option<Driver>> {
    let row = sqlx::query_as!(
        Row,
        "select id, vehicle_type, dr_nic, is_available, created_at, version from drivers where id = $1 for update",
        id,
    )
    .fetch_optional(tx)
    .await?;
    row.map(Row::into_driver).transpose()
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
        driver.version,
    )
    .execute(tx)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

async fn update(tx: &mut PgConnection, driver: &Driver) -> sqlx::Result<()> {
    sqlx::query!(
        "update drivers set vehicle_type = $2, dr_nic = $3, is_available = $4, version = $5 where id = $1",
        driver.id.0,
        driver.vehicle_type.as_str(),
        driver.dr_nic,
        driver.is_available,
        driver.version,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Empties the identity number of a closed account. No event follows.
pub async fn forget_nic(tx: &mut PgConnection, UserId(id): UserId) -> sqlx::Result<()> {
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
struct Row {
    id: Uuid,
    vehicle_type: String,
    dr_nic: String,
    is_available: bool,
    created_at: OffsetDateTime,
    version: i64,
}

impl Row {
    fn into_driver(self) -> sqlx::Result<Driver> {
        Ok(Driver {
            id: UserId(self.id),
            vehicle_type: vehicle_type(&self.vehicle_type)?,
            dr_nic: self.dr_nic,
            is_available: self.is_available,
            created_at: self.created_at,
            version: self.version,
        })
    }
}
