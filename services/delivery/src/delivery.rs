//! A delivery and what may happen to it. Every transition returns the events it caused, or refuses;
//! an empty list means that nothing changed.

use tiffin_events::{
    Coordinates, DeliveryId, Money, OrderId, RestaurantId, UserId,
    audience::Audience,
    delivery::{
        DeliveryCancelRefusedV1, DeliveryCreatedV1, DeliveryEvent, DeliveryReassignedV1,
        DeliveryRefV1, DeliveryStatus,
    },
};
use time::{Duration, OffsetDateTime};

#[cfg(test)]
mod tests;

/// How long after its making a delivery is promised for, where no confirmation said otherwise.
pub const PROMISE: Duration = Duration::minutes(30);

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
    pub status: DeliveryStatus,
    /// When it is promised for.
    pub estimated_time: OffsetDateTime,
    pub created_at: OffsetDateTime,
    /// When its order was called off, if it was.
    pub cancelled_at: Option<OffsetDateTime>,
    /// How many events there are of it.
    pub version: i64,
}

/// What there is to bring: an order, as this service knows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    pub id: OrderId,
    pub code: String,
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
    /// Cancelled or deleted: nobody brings it any more.
    pub called_off: bool,
}

/// Why a delivery stays as it is, in words for the person who asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("The order was cancelled; there is nothing to deliver.")]
    CalledOff,
    #[error("The delivery is not under way.")]
    NotUnderWay,
}

impl Order {
    /// Refuses once it was called off.
    pub fn to_bring(&self) -> Result<(), Refusal> {
        if self.called_off {
            Err(Refusal::CalledOff)
        } else {
            Ok(())
        }
    }
}

/// The events it caused, or why it did not happen.
type Transition = Result<Vec<DeliveryEvent>, Refusal>;

impl Delivery {
    /// A new delivery, assigned to `driver_id`.
    pub fn of(
        order: &Order,
        id: DeliveryId,
        driver_id: UserId,
        estimated_time: OffsetDateTime,
        now: OffsetDateTime,
    ) -> Result<Self, Refusal> {
        order.to_bring()?;
        Ok(Self {
            id,
            order_id: order.id,
            order_code: order.code.clone(),
            customer_id: order.customer_id,
            owner_id: order.owner_id,
            restaurant_id: order.restaurant_id,
            driver_id,
            status: DeliveryStatus::PickedUp,
            estimated_time,
            created_at: now,
            cancelled_at: None,
            version: 1,
        })
    }

    /// The event of its making.
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
    pub fn set_status(&mut self, to: DeliveryStatus) -> Transition {
        if self.cancelled_at.is_some() {
            return Err(Refusal::CalledOff);
        }
        if std::mem::replace(&mut self.status, to) == to {
            return Ok(Vec::new());
        }
        let delivery = self.reference();
        Ok(vec![match to {
            DeliveryStatus::PickedUp => DeliveryEvent::PickedUp(delivery),
            DeliveryStatus::OnTheWay => DeliveryEvent::OnTheWay(delivery),
            DeliveryStatus::Delivered => DeliveryEvent::Delivered(delivery),
        }])
    }

    /// Follows another confirmation of its order. Another driver starts anew; the same one only gets
    /// another time, and only while there is something left to bring.
    pub fn reassign(
        &mut self,
        driver_id: UserId,
        estimated_time: OffsetDateTime,
    ) -> Vec<DeliveryEvent> {
        let same = driver_id == self.driver_id;
        let nothing_new = same && (estimated_time == self.estimated_time || !self.is_under_way());
        if self.cancelled_at.is_some() || nothing_new {
            return Vec::new();
        }
        if !same {
            self.status = DeliveryStatus::PickedUp;
        }
        let previous_driver_id = std::mem::replace(&mut self.driver_id, driver_id);
        self.estimated_time = estimated_time;
        vec![DeliveryEvent::Reassigned(DeliveryReassignedV1 {
            delivery: self.reference(),
            previous_driver_id,
            status: self.status,
            estimated_time,
        })]
    }

    /// Ends with its order, and refuses once it has set out: where it stands decides whether an order can
    /// still be called off.
    pub fn call_off(&mut self, now: OffsetDateTime) -> Vec<DeliveryEvent> {
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

    /// Whether there is still something to bring. Positions are taken and shown only while there is.
    pub fn is_under_way(&self) -> bool {
        self.cancelled_at.is_none() && self.status != DeliveryStatus::Delivered
    }

    /// Who may watch it and who may send positions.
    pub fn audience(&self) -> Audience {
        Audience {
            users: self.concerned().to_vec(),
            driver: Some(self.driver_id),
            active: self.is_under_way(),
            version: 0,
        }
    }

    /// Whom its events concern: customer, owner and driver.
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
