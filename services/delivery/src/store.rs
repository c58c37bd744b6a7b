//! Storage: deliveries with the driver's position, and read models of other services' aggregates.

pub mod deliveries;
pub mod orders;
pub mod people;
pub mod positions;
pub mod restaurants;
pub mod rows;
pub mod trips;

use std::collections::BTreeSet;

use sqlx::PgConnection;
use tiffin_bus::{Cause, Outgoing, outbox};
use tiffin_events::{
    Clock, DeliveryId,
    audience::{self, Trips},
    delivery::DeliveryEvent,
};

use crate::{
    delivery::{Delivery, Order, Refusal},
    error::Error,
    scope::Scope,
};

/// The one way to change a delivery: lock it within the caller's `scope`, let `transition` change it
/// and say what happened or refuse, save it, and append its events to the outbox. Returns the delivery
/// as it is afterwards.
pub async fn change(
    tx: &mut PgConnection,
    clock: &Clock,
    cause: &Cause,
    scope: Scope,
    id: DeliveryId,
    transition: impl FnOnce(&mut Delivery) -> Result<Vec<DeliveryEvent>, Refusal>,
) -> Result<Delivery, Error> {
    let before = deliveries::lock(tx, scope, id)
        .await?
        .ok_or(Error::NotFound)?;
    let mut delivery = before.clone();
    let events = transition(&mut delivery)?;
    if events.is_empty() {
        return Ok(delivery);
    }
    delivery.version += i64::try_from(events.len()).unwrap_or(i64::MAX);
    deliveries::update(tx, &delivery).await?;
    tell(tx, clock, cause, Some(&before), &delivery, &events).await?;
    Ok(delivery)
}

/// The one way to make a delivery. An order has one: returns whether this made it.
pub async fn create(
    tx: &mut PgConnection,
    clock: &Clock,
    cause: &Cause,
    order: &Order,
    delivery: &Delivery,
) -> Result<bool, Error> {
    if !deliveries::insert(tx, delivery).await? {
        return Ok(false);
    }
    tell(tx, clock, cause, None, delivery, &[delivery.created(order)]).await?;
    Ok(true)
}

/// Appends to the outbox: the audience of the delivery and the lists of its drivers, if they changed, then
/// the events. A driver who lost it gets them too, so that it leaves their list.
async fn tell(
    tx: &mut PgConnection,
    clock: &Clock,
    cause: &Cause,
    before: Option<&Delivery>,
    delivery: &Delivery,
    events: &[DeliveryEvent],
) -> Result<(), Error> {
    let id = delivery.id.0;
    let cause = cause.clone().about(delivery.order_id.0);
    let mut outgoing = Vec::with_capacity(events.len() + 3);
    if before.map(Delivery::audience) != Some(delivery.audience()) {
        let key = audience::delivery_key(delivery.id);
        let watchers = delivery.audience().at(delivery.version);
        let entry = Outgoing::entry(clock, &key, id, &watchers)?;
        outgoing.push(if watchers.active {
            entry
        } else {
            entry.kept_for(audience::KEPT_AFTER)
        });
        outgoing.extend(trips(tx, clock, before, delivery).await?);
    }
    let first = before.map_or(0, |before| before.version) + 1;
    for (event, sequence) in events.iter().zip(first..) {
        let event = Outgoing::event(clock, &cause, id, sequence, event)?;
        let event = event.tell(delivery.concerned());
        outgoing.push(event.tell(before.map(|before| before.driver_id)));
    }
    outbox::append(tx, &outgoing).await?;
    Ok(())
}

/// The deliveries that each driver concerned has now. Several deliveries of one driver may change at once.
/// So the list is read under a lock on the driver, which is held until the commit, and sent in the driver's
/// own order: the last list sent is the last one that was true. Locks are taken in the order of ids, after
/// that of the delivery itself.
async fn trips(
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
        trips::lock(tx, driver).await?;
        let deliveries = trips::under_way(tx, driver).await?;
        let is_idle = deliveries.is_empty();
        // Under the lock no two lists are of the same moment.
        let version = clock.now().unix_timestamp_nanos() / 1_000;
        let version = i64::try_from(version).unwrap_or_default();
        let entry = Outgoing::entry(
            clock,
            &audience::driver_key(driver),
            driver.0,
            &Trips {
                deliveries,
                version,
            },
        )?;
        // No entry says the same.
        outgoing.push(if is_idle {
            entry.kept_for(audience::KEPT_AFTER)
        } else {
            entry
        });
    }
    Ok(outgoing)
}
