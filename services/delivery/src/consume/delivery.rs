use std::collections::{BTreeMap, BTreeSet};

use sqlx::PgConnection;
use tiffin_bus::{AggregateHandler, Decoded, Failure};
use tiffin_events::{
    DeliveryId, OrderId,
    delivery::{DeliveryEvent, DeliveryRefV1, EtaReason},
};
use time::OffsetDateTime;

use crate::{
    State,
    store::trips::{self, ShownRange, Trip},
};

/// Keeps trips and shown ranges, from which forecasts learn.
impl AggregateHandler<DeliveryEvent> for State {
    async fn project(
        &self,
        tx: &mut PgConnection,
        events: &[Decoded<'_, DeliveryEvent>],
    ) -> Result<(), Failure> {
        let ids: BTreeSet<_> = events
            .iter()
            .map(|(_, event)| reference(event).delivery_id)
            .collect();
        let mut fold = Fold {
            trips: trips::find(tx, &ids).await?,
            ranges: Vec::new(),
        };
        for (received, event) in events {
            let envelope = &received.envelope;
            fold.apply(event, envelope.time, envelope.causationid.is_none());
        }
        let gone = ids.iter().filter(|id| !fold.trips.contains_key(id));
        trips::remove(tx, &gone.map(|id| id.0).collect::<Vec<_>>()).await?;
        trips::save(tx, &fold.trips.values().collect::<Vec<_>>()).await?;
        Ok(trips::save_ranges(tx, &fold.ranges).await?)
    }
}

/// Trips while events are applied to them in order.
struct Fold {
    trips: BTreeMap<DeliveryId, Trip>,
    ranges: Vec<ShownRange>,
}

impl Fold {
    fn apply(&mut self, event: &DeliveryEvent, at: OffsetDateTime, is_own: bool) {
        let delivery = reference(event);
        let id = delivery.delivery_id;
        match event {
            DeliveryEvent::Created(_) => {
                self.trips.insert(id, begin(delivery, at));
            }
            DeliveryEvent::Reassigned(moved)
                if moved.previous_driver_id != moved.delivery.driver_id =>
            {
                self.trips.insert(id, begin(delivery, at));
            }
            DeliveryEvent::Cancelled(_) => {
                self.trips.remove(&id);
                self.ranges.retain(|range| range.delivery_id != id.0);
            }
            DeliveryEvent::PickedUp(_)
            | DeliveryEvent::OnTheWay(_)
            | DeliveryEvent::Delivered(_)
            | DeliveryEvent::EtaChanged(_)
            | DeliveryEvent::Reassigned(_)
            | DeliveryEvent::CancelRefused(_) => {
                if let Some(trip) = self.trips.get_mut(&id) {
                    self.ranges.extend(trip.apply(event, at, is_own));
                }
            }
        }
    }
}

impl Trip {
    /// Applies an event, and returns the range that it shows. `is_own` is false where the event follows from the order's.
    fn apply(
        &mut self,
        event: &DeliveryEvent,
        at: OffsetDateTime,
        is_own: bool,
    ) -> Option<ShownRange> {
        match event {
            DeliveryEvent::PickedUp(_) => {
                (self.set_out_at, self.ride_seconds, self.delivered_at) = (None, None, None);
            }
            DeliveryEvent::OnTheWay(_) => {
                self.set_out_at.get_or_insert(at);
                self.delivered_at = None;
            }
            // Who calls the order delivered was not at the door: forecasts don't learn from that time.
            DeliveryEvent::Delivered(_) => self.delivered_at = is_own.then_some(at),
            DeliveryEvent::EtaChanged(changed) => {
                if changed.reason == EtaReason::SetOut {
                    self.ride_seconds = Some(changed.ride_seconds);
                }
                return Some(ShownRange {
                    delivery_id: self.delivery_id,
                    shown_at: at,
                    earliest: changed.earliest,
                    latest: changed.latest,
                    expected_at: changed.expected,
                });
            }
            DeliveryEvent::Created(_)
            | DeliveryEvent::Reassigned(_)
            | DeliveryEvent::Cancelled(_)
            | DeliveryEvent::CancelRefused(_) => {}
        }
        None
    }
}

/// A trip of a driver who is assigned now.
fn begin(delivery: &DeliveryRefV1, at: OffsetDateTime) -> Trip {
    Trip {
        delivery_id: delivery.delivery_id.0,
        restaurant_id: delivery.restaurant_id.0,
        owner_id: delivery.owner_id.0,
        driver_id: delivery.driver_id.0,
        ordered_at: time_of(delivery.order_id),
        assigned_at: at,
        set_out_at: None,
        ride_seconds: None,
        delivered_at: None,
    }
}

/// The time of an order: its id is a `UUIDv7`.
fn time_of(OrderId(id): OrderId) -> Option<OffsetDateTime> {
    let (seconds, nanoseconds) = id.get_timestamp()?.to_unix();
    let nanoseconds = i128::from(seconds) * 1_000_000_000 + i128::from(nanoseconds);
    OffsetDateTime::from_unix_timestamp_nanos(nanoseconds).ok()
}

fn reference(event: &DeliveryEvent) -> &DeliveryRefV1 {
    match event {
        DeliveryEvent::Created(created) => &created.delivery,
        DeliveryEvent::Reassigned(moved) => &moved.delivery,
        DeliveryEvent::EtaChanged(changed) => &changed.delivery,
        DeliveryEvent::CancelRefused(refused) => &refused.delivery,
        DeliveryEvent::PickedUp(delivery)
        | DeliveryEvent::OnTheWay(delivery)
        | DeliveryEvent::Delivered(delivery)
        | DeliveryEvent::Cancelled(delivery) => delivery,
    }
}

#[cfg(test)]
mod tests {
    use tiffin_events::{RestaurantId, UserId};
    use time::Duration;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_trip_ends_when_its_driver_says_so() {
        let user = || UserId(Uuid::from_u128(1));
        let delivery = DeliveryRefV1 {
            delivery_id: DeliveryId(Uuid::from_u128(2)),
            order_id: OrderId(Uuid::from_u128(3)),
            order_code: "ORD-7K3M9QX2".to_owned(),
            customer_id: user(),
            owner_id: user(),
            restaurant_id: RestaurantId(Uuid::from_u128(4)),
            driver_id: user(),
        };
        let began = OffsetDateTime::UNIX_EPOCH;
        let at = began + Duration::minutes(20);
        for (is_own, delivered_at) in [(true, Some(at)), (false, None)] {
            let mut trip = begin(&delivery, began);
            trip.apply(&DeliveryEvent::Delivered(delivery.clone()), at, is_own);
            assert_eq!(trip.delivered_at, delivered_at);
        }
    }
}
