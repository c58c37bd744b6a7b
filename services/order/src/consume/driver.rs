use sqlx::PgConnection;
use tiffin_events::driver::DriverEvent;

use crate::store::people;

/// Availability is shown to owners by the driver service; it does not bind them here.
pub async fn handle(tx: &mut PgConnection, event: DriverEvent) -> sqlx::Result<()> {
    match event {
        DriverEvent::Registered(driver) | DriverEvent::Updated(driver) => {
            people::keep_driver(tx, driver.driver_id).await
        }
        DriverEvent::Available(_) | DriverEvent::Unavailable(_) => Ok(()),
    }
}
