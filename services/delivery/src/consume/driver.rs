use std::collections::BTreeMap;

use sqlx::PgConnection;
use tiffin_bus::{AggregateHandler, Decoded, Failure};
use tiffin_events::driver::{DriverEvent, DriverProfileV1};

use crate::{State, store::drivers};

/// Keeps vehicles, and who takes deliveries.
impl AggregateHandler<DriverEvent> for State {
    async fn project(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, DriverEvent>],
    ) -> Result<(), Failure> {
        let ids: Vec<_> = events
            .iter()
            .map(|(received, _)| received.envelope.subject.into())
            .collect();
        let known = drivers::find(tx, &ids).await?.into_iter();
        let mut known: BTreeMap<_, DriverProfileV1> =
            known.map(|driver| (driver.driver_id, driver)).collect();
        for (_, event) in events {
            let (id, is_available) = match event {
                DriverEvent::Registered(driver) | DriverEvent::Updated(driver) => {
                    known.insert(driver.driver_id, driver.clone());
                    continue;
                }
                DriverEvent::Available(driver) => (driver.driver_id, true),
                DriverEvent::Unavailable(driver) => (driver.driver_id, false),
            };
            if let Some(driver) = known.get_mut(&id) {
                driver.is_available = is_available;
            }
        }
        let changed: Vec<_> = known.into_values().collect();
        Ok(drivers::save(tx, &changed).await?)
    }
}
