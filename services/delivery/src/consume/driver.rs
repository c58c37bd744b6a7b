use std::collections::HashMap;

use sqlx::PgConnection;
use tiffin_bus::{AggregateHandler, Decoded, Failure};
use tiffin_events::driver::DriverEvent;

use crate::{State, store::vehicles};

/// Keeps each driver's vehicle.
impl AggregateHandler<DriverEvent> for State {
    async fn project(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, DriverEvent>],
    ) -> Result<(), Failure> {
        // The last event of each driver counts.
        let vehicles: HashMap<_, _> = events
            .iter()
            .filter_map(|(_, event)| match event {
                DriverEvent::Registered(driver) | DriverEvent::Updated(driver) => {
                    Some((driver.driver_id, driver.vehicle_type))
                }
                DriverEvent::Available(_) | DriverEvent::Unavailable(_) => None,
            })
            .collect();
        Ok(vehicles::save(tx, &vehicles).await?)
    }
}
