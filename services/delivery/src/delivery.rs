//! A delivery and what may happen to it. Every transition returns the events it caused, or refuses;
//! an empty list means that nothing changed.

use tiffin_chassis::refusals;
use tiffin_events::{
    CheckoutId, Coordinates, DeliveryId, Money, OrderId, RestaurantId, UserId,
    audience::Audience,
    delivery::{
        DeliveryCancelRefusedV1, DeliveryCreatedV1, DeliveryEtaChangedV1, DeliveryEvent,
        DeliveryReassignedV1, DeliveryRefV1, DeliveryStatus, EtaReason,
    },
    driver::VehicleType,
    order::OrderStatus,
};
use time::{Duration, OffsetDateTime};

use crate::forecast::{Eta, Forecast, Range, Shown};

#[cfg(test)]
mod tests;

/// The time from the creation of a delivery to its promised time, unless a confirmation sets another.
pub const DELIVERY_TIME: Duration = Duration::minutes(30);

/// One order on its way to one customer.
#[derive(Clone, Debug, PartialEq)]
pub struct Delivery {
    pub id: DeliveryId,
    pub order_id: OrderId,
    pub order_code: String,
    pub customer_id: UserId,
    pub owner_id: UserId,
    pub restaurant_id: RestaurantId,
    pub driver_id: UserId,
    /// The driver's vehicle, where it is known.
    pub vehicle: Option<VehicleType>,
    pub status: DeliveryStatus,
    /// Half an hour after the confirmation, as the specification has it.
    pub estimated_time: OffsetDateTime,
    pub created_at: OffsetDateTime,
    /// The time of its status.
    pub status_at: OffsetDateTime,
    pub eta: Option<Eta>,
    /// The promised time: the end of the first range that was shown for this driver.
    pub promised_time: Option<OffsetDateTime>,
    /// The time its order was cancelled, if it was.
    pub cancelled_at: Option<OffsetDateTime>,
    /// The sequence of its last event.
    pub sequence: i64,
}

/// A driver whom a delivery is given to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AssignedDriver {
    pub id: UserId,
    /// Their vehicle; only a confirmation says it.
    pub vehicle: Option<VehicleType>,
}

/// The part of an order that its delivery needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    pub id: OrderId,
    pub code: String,
    /// Unknown of orders that were placed before checkouts were kept here.
    pub checkout_id: Option<CheckoutId>,
    pub customer_id: UserId,
    pub owner_id: UserId,
    pub restaurant_id: RestaurantId,
    pub item_name: String,
    pub image: Option<String>,
    pub quantity: i32,
    pub price: Money,
    pub total: Money,
    pub address: String,
    pub destination: Option<Coordinates>,
    /// Cancelled or deleted: no driver delivers it.
    pub is_cancelled: bool,
}

refusals! {
    /// The reason why a delivery stays as it is, in words for the caller.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Refusal {
        NotFound = 404, "delivery.not-found", "There is no such delivery.";
        NoOrder = 404, "delivery.order-not-found", "There is no such order.";
        OrderCancelled =
            409, "delivery.order-cancelled",
            "The order was cancelled; there is nothing to deliver.";
        MovedOn =
            409, "delivery.moved-on",
            "The deliveries have another status now. Please look at them again.";
        NotUnderWay = 409, "delivery.not-under-way", "The delivery is not under way.";
    }
}

impl Order {
    /// Refuses a cancelled order.
    pub fn check_deliverable(&self) -> Result<(), Refusal> {
        if self.is_cancelled {
            Err(Refusal::OrderCancelled)
        } else {
            Ok(())
        }
    }
}

/// The events that a transition caused, or its refusal.
type Transition = Result<Vec<DeliveryEvent>, Refusal>;

impl Delivery {
    /// A new delivery, assigned to `driver_id`.
    pub fn of(
        order: &Order,
        id: DeliveryId,
        driver: AssignedDriver,
        estimated_time: OffsetDateTime,
        now: OffsetDateTime,
    ) -> Result<Self, Refusal> {
        order.check_deliverable()?;
        Ok(Self {
            id,
            order_id: order.id,
            order_code: order.code.clone(),
            customer_id: order.customer_id,
            owner_id: order.owner_id,
            restaurant_id: order.restaurant_id,
            driver_id: driver.id,
            vehicle: driver.vehicle,
            status: DeliveryStatus::PickedUp,
            estimated_time,
            created_at: now,
            status_at: now,
            eta: None,
            promised_time: None,
            cancelled_at: None,
            sequence: 1,
        })
    }

    /// The event of its creation.
    pub fn created(&self, order: &Order) -> DeliveryEvent {
        DeliveryEvent::Created(DeliveryCreatedV1 {
            delivery: self.reference(),
            order_name: order.item_name.clone(),
            quantity: order.quantity,
            address: order.address.clone(),
            dest_lat: order.destination.map(|place| place.lat),
            dest_lng: order.destination.map(|place| place.lng),
            estimated_time: self.estimated_time,
        })
    }

    /// Moves to any of the three statuses, in any order. Delivered ends it.
    pub fn set_status(&mut self, to: DeliveryStatus, now: OffsetDateTime) -> Transition {
        if self.cancelled_at.is_some() {
            return Err(Refusal::OrderCancelled);
        }
        if std::mem::replace(&mut self.status, to) == to {
            return Ok(Vec::new());
        }
        self.status_at = now;
        let delivery = self.reference();
        Ok(vec![match to {
            DeliveryStatus::PickedUp => DeliveryEvent::PickedUp(delivery),
            DeliveryStatus::OnTheWay => DeliveryEvent::OnTheWay(delivery),
            DeliveryStatus::Delivered => DeliveryEvent::Delivered(delivery),
        }])
    }

    /// Follows another confirmation of its order. A new driver begins again; the same one only gets a new
    /// time, and only before the delivery is over.
    pub fn reassign(
        &mut self,
        driver: AssignedDriver,
        estimated_time: OffsetDateTime,
        now: OffsetDateTime,
    ) -> Vec<DeliveryEvent> {
        let is_same = driver.id == self.driver_id;
        let is_unchanged =
            is_same && (estimated_time == self.estimated_time || !self.is_under_way());
        if self.cancelled_at.is_some() || is_unchanged {
            return Vec::new();
        }
        if !is_same {
            self.status = DeliveryStatus::PickedUp;
            self.status_at = now;
            self.vehicle = driver.vehicle;
            self.promised_time = None;
        }
        let previous_driver_id = std::mem::replace(&mut self.driver_id, driver.id);
        self.estimated_time = estimated_time;
        vec![DeliveryEvent::Reassigned(DeliveryReassignedV1 {
            delivery: self.reference(),
            previous_driver_id,
            status: self.status,
            estimated_time,
        })]
    }

    /// Takes a forecast if it is worth an event: the first one, one after setting out or for another driver, and one
    /// that moved.
    pub fn set_eta(&mut self, forecast: &Forecast, now: OffsetDateTime) -> Vec<DeliveryEvent> {
        let reason = self.eta_reason(forecast.range, now);
        self.take_eta(reason, forecast, now)
    }

    /// Takes the forecast of its ticket, whose deliveries arrive together, unless it shows that range already.
    pub fn share_eta(&mut self, forecast: &Forecast, now: OffsetDateTime) -> Vec<DeliveryEvent> {
        let shown = self.eta.map(|eta| eta.range);
        let other = shown.filter(|shown| self.is_under_way() && *shown != forecast.range);
        let moved = other.map(|shown| {
            if forecast.range.latest < shown.latest {
                EtaReason::Earlier
            } else {
                EtaReason::Later
            }
        });
        let reason = self.eta_reason(forecast.range, now).or(moved);
        self.take_eta(reason, forecast, now)
    }

    fn take_eta(
        &mut self,
        reason: Option<EtaReason>,
        forecast: &Forecast,
        now: OffsetDateTime,
    ) -> Vec<DeliveryEvent> {
        let Some(reason) = reason else {
            return Vec::new();
        };
        let Range { earliest, latest } = forecast.range;
        self.eta = Some(Eta {
            range: forecast.range,
            at: now,
        });
        self.promised_time.get_or_insert(latest);
        vec![DeliveryEvent::EtaChanged(DeliveryEtaChangedV1 {
            delivery: self.reference(),
            earliest,
            latest,
            expected: forecast.expected,
            reason,
            status: self.status,
            basis: forecast.basis,
            ride_metres: forecast.ride_metres,
            ride_seconds: forecast.ride_seconds,
        })]
    }

    fn eta_reason(&self, next: Range, now: OffsetDateTime) -> Option<EtaReason> {
        let shown = Shown {
            eta: self.eta,
            status: self.status,
            since: self.status_at,
        };
        self.is_under_way()
            .then(|| shown.reason_for(next, now))
            .flatten()
    }

    /// Follows the word of the owner or an administrator that its order was delivered, or was not after all: the lists
    /// of driver and owner never disagree.
    pub fn follow_order(&mut self, order: OrderStatus, now: OffsetDateTime) -> Vec<DeliveryEvent> {
        let is_delivered = self.status == DeliveryStatus::Delivered;
        let to = match order {
            OrderStatus::Delivered => DeliveryStatus::Delivered,
            _ if !is_delivered => return Vec::new(),
            OrderStatus::Dispatched => DeliveryStatus::OnTheWay,
            _ => DeliveryStatus::PickedUp,
        };
        // A cancelled delivery follows nothing any more.
        self.set_status(to, now).unwrap_or_default()
    }

    /// Ends with its order, or refuses if it has set out: the delivery's status decides whether an order
    /// can still be cancelled.
    pub fn cancel(&mut self, now: OffsetDateTime) -> Vec<DeliveryEvent> {
        if self.cancelled_at.is_some() {
            return Vec::new();
        }
        if self.status != DeliveryStatus::PickedUp {
            let delivery = self.reference();
            let status = self.status;
            return vec![DeliveryEvent::CancelRefused(DeliveryCancelRefusedV1 {
                delivery,
                status,
            })];
        }
        self.cancelled_at = Some(now);
        vec![DeliveryEvent::Cancelled(self.reference())]
    }

    /// True until it is delivered or cancelled. Positions are taken and shown only while it is.
    pub fn is_under_way(&self) -> bool {
        self.cancelled_at.is_none() && self.status != DeliveryStatus::Delivered
    }

    /// The accounts that may watch it, and the one that may send positions.
    pub fn audience(&self) -> Audience {
        Audience {
            users: self.concerned().to_vec(),
            driver: Some(self.driver_id),
            active: self.is_under_way(),
            version: 0,
        }
    }

    /// The accounts that its events concern: customer, owner and driver.
    pub fn concerned(&self) -> [UserId; 3] {
        [self.customer_id, self.owner_id, self.driver_id]
    }

    fn reference(&self) -> DeliveryRefV1 {
        DeliveryRefV1 {
            delivery_id: self.id,
            order_id: self.order_id,
            order_code: self.order_code.clone(),
            customer_id: self.customer_id,
            owner_id: self.owner_id,
            restaurant_id: self.restaurant_id,
            driver_id: self.driver_id,
        }
    }
}
