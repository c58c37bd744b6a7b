//! Drivers without a sign-up form: the demo's.

use sqlx::PgPool;
use tiffin_bus::{Cause, Recorder};
use tiffin_events::{UserId, driver::VehicleType};

use crate::{Error, NAME, driver::Driver, store::drivers};

/// A driver to create. The user service creates the account with the same id.
#[derive(Clone, Debug)]
pub struct NewDriver {
    pub id: UserId,
    pub vehicle_type: VehicleType,
    pub dr_nic: String,
    pub is_available: bool,
}

/// Creates a driver with its event; an existing one stays as it is.
pub async fn register(pool: &PgPool, recorder: &Recorder, new: NewDriver) -> Result<(), Error> {
    let clock = &recorder.clock;
    let driver = Driver {
        is_available: new.is_available,
        ..Driver::register(new.id, new.vehicle_type, new.dr_nic, clock.now())
    };
    let mut tx = tiffin_database::begin(pool).await?;
    drivers::register(&mut tx, recorder, &Cause::service(NAME), driver).await?;
    tx.commit().await?;
    Ok(())
}
