//! Drivers that no form makes: the demo's.

use sqlx::PgPool;
use tiffin_bus::Cause;
use tiffin_events::{Clock, UserId, driver::VehicleType};

use crate::{Error, NAME, driver::Driver, store::drivers};

/// A driver to make, as they shall be. The account under the same id is the user service's to make.
#[derive(Clone, Debug)]
pub struct NewDriver {
    pub id: UserId,
    pub vehicle_type: VehicleType,
    pub dr_nic: String,
    pub is_available: bool,
}

/// Makes a driver with the event that says so; one who is there already stays as they are.
pub async fn register(pool: &PgPool, clock: &Clock, new: NewDriver) -> Result<(), Error> {
    let driver = Driver {
        is_available: new.is_available,
        ..Driver::register(new.id, new.vehicle_type, new.dr_nic, clock.now())
    };
    let mut tx = pool.begin().await?;
    drivers::register(&mut tx, clock, &Cause::service(NAME), driver).await?;
    tx.commit().await?;
    Ok(())
}
