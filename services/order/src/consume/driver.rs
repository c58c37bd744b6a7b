use sqlx::PgConnection;
use tiffin_bus::{AggregateHandler, Decoded, Failure};
use tiffin_events::driver::DriverEvent;

use crate::{State, store::accounts};

/// Availability is shown to owners by the driver service; it does not bind them here.
impl AggregateHandler<DriverEvent> for State {
    async fn project(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, DriverEvent>],
    ) -> Result<(), Failure> {
        for (_, event) in events {
            match event {
                DriverEvent::Registered(driver) | DriverEvent::Updated(driver) => {
                    accounts::save_driver(tx, driver).await?;
                }
                DriverEvent::Available(_) | DriverEvent::Unavailable(_) => {}
            }
        }
        Ok(())
    }
}
