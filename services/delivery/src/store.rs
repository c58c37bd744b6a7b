//! Storage: deliveries with the driver's position, and read models of other services' aggregates.

pub mod accounts;
pub mod accuracy;
pub mod candidates;
pub mod deliveries;
pub mod delivery_list;
pub mod driver_deliveries;
pub mod drivers;
pub mod etas;
pub mod orders;
pub mod personal;
pub mod phone_tokens;
pub mod positions;
pub mod restaurants;
pub mod routes;
pub mod statistics;
pub mod suggestions;
pub mod tickets;
pub mod trips;

use std::collections::BTreeSet;

use sqlx::PgConnection;
use tiffin_bus::{Aggregate, Cause, Change, Outgoing, Recorder, StoredAggregate};
use tiffin_chassis::Scope;
use tiffin_events::{
    Clock, DeliveryId, UserId,
    audience::{self, DriverDeliveries},
    delivery::DeliveryEvent,
};
use uuid::Uuid;

use crate::{
    delivery::{Delivery, Order, Refusal},
    error::Error,
};

impl Aggregate for Delivery {
    type Event = DeliveryEvent;
    type Error = Error;

    fn id(&self) -> Uuid {
        self.id.0
    }

    fn version(&self) -> i64 {
        self.sequence
    }

    fn concerned(&self, _event: &DeliveryEvent) -> Vec<UserId> {
        self.concerned().to_vec()
    }

    fn order(&self) -> Option<Uuid> {
        Some(self.order_id.0)
    }

    /// The delivery's audience and the lists of its drivers, if they changed.
    async fn ahead_of_events(
        &self,
        tx: &mut PgConnection,
        change: &Change<'_, Self>,
    ) -> Result<Vec<Outgoing>, Error> {
        if change.before.map(Self::audience) == Some(self.audience()) {
            return Ok(Vec::new());
        }
        let key = audience::delivery_key(self.id);
        let watchers = self.audience().at(self.sequence);
        let entry = Outgoing::audience(change.clock, &key, self.id.0, &watchers)?;
        let mut outgoing = vec![entry];
        outgoing.extend(driver_deliveries(tx, change.clock, change.before, self).await?);
        Ok(outgoing)
    }
}

/// A delivery is locked within the caller's scope; outside of it, it is not found.
impl StoredAggregate for Delivery {
    type Key = (Scope, DeliveryId);
    type Refusal = Refusal;

    fn version_mut(&mut self) -> &mut i64 {
        &mut self.sequence
    }

    async fn lock(tx: &mut PgConnection, (scope, id): (Scope, DeliveryId)) -> Result<Self, Error> {
        let delivery = deliveries::lock(tx, scope, id).await?;
        delivery.ok_or(Refusal::NotFound.into())
    }

    async fn save(&self, tx: &mut PgConnection, _before: &Self) -> Result<(), Error> {
        Ok(deliveries::update(tx, self).await?)
    }
}

/// Inserts a delivery with its event. Returns false if the order has one already.
pub async fn create(
    tx: &mut PgConnection,
    recorder: &Recorder,
    cause: &Cause,
    order: &Order,
    delivery: &Delivery,
) -> Result<bool, Error> {
    if !deliveries::insert(tx, delivery).await? {
        return Ok(false);
    }
    let created = [delivery.created(order)];
    tiffin_bus::record(tx, recorder, cause, None, delivery, &created).await?;
    Ok(true)
}

/// The deliveries that each driver concerned has now. Several deliveries of one driver may change at once, so the
/// list is read under a lock on the driver, which is released by the commit: the last list sent is the newest. Locks
/// are taken in the order of ids, after the lock of the delivery itself.
async fn driver_deliveries(
    tx: &mut PgConnection,
    clock: &Clock,
    before: Option<&Delivery>,
    delivery: &Delivery,
) -> Result<Vec<Outgoing>, Error> {
    let drivers: BTreeSet<_> = before
        .into_iter()
        .chain([delivery])
        .map(|delivery| delivery.driver_id)
        .collect();
    let mut outgoing = Vec::with_capacity(drivers.len());
    for driver in drivers {
        driver_deliveries::lock(tx, driver).await?;
        let deliveries = driver_deliveries::under_way(tx, driver).await?;
        let is_idle = deliveries.is_empty();
        // Under the lock no two lists are of the same moment.
        let version = clock.now().unix_timestamp_nanos() / 1_000;
        let version = i64::try_from(version).unwrap_or_default();
        let entry = Outgoing::entry(
            clock,
            &audience::driver_key(driver),
            driver.0,
            &DriverDeliveries {
                deliveries,
                version,
            },
        )?;
        // A missing entry means the same.
        outgoing.push(if is_idle {
            entry.kept_for(audience::KEPT_AFTER)
        } else {
            entry
        });
    }
    Ok(outgoing)
}
