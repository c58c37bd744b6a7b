//! An order and what may happen to it. Every transition returns the events it caused, or refuses;
//! an empty list means that nothing changed.

use tiffin_chassis::refusals;
use tiffin_events::{
    CheckoutId, Coordinates, ItemId, Money, OrderCode, OrderId, RestaurantId, UserId,
    audience::Audience,
    driver::VehicleType,
    order::{
        OrderCancelRefusedV1, OrderCancelledV1, OrderConfirmedV1, OrderEvent, OrderPlacedV1,
        OrderRefV1, OrderRemindedV1, OrderReopenedV1, OrderStatus,
    },
};
use time::{Duration, OffsetDateTime};

use crate::{
    cancellation::{Cancellation, Side},
    deadline::Deadline,
};

#[cfg(test)]
mod tests;

/// The time from confirmation to the promised delivery.
const DELIVERY_TIME: Duration = Duration::minutes(30);

/// A driver whom an order is given to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AssignedDriver {
    pub id: UserId,
    pub vehicle: Option<VehicleType>,
}

/// One dish, ordered by one customer at one restaurant.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    pub id: OrderId,
    pub code: OrderCode,
    pub checkout_id: CheckoutId,
    pub customer_id: UserId,
    pub restaurant_id: RestaurantId,
    pub owner_id: UserId,
    /// The driver, once confirmed.
    pub driver_id: Option<UserId>,
    pub item_id: ItemId,
    pub item_name: String,
    pub image: Option<String>,
    /// The customer's words to the kitchen about this dish.
    pub note: Option<String>,
    pub quantity: i32,
    /// The price of one dish, at the moment of ordering.
    pub price: Money,
    pub total: Money,
    /// The address to deliver to.
    pub address: String,
    pub destination: Option<Coordinates>,
    pub status: OrderStatus,
    /// True once an administrator has approved it; independent of the status.
    pub approved: bool,
    /// The promised time, once confirmed.
    pub estimated_time: Option<OffsetDateTime>,
    pub created_at: OffsetDateTime,
    /// The deadline for the restaurant's answer, until one comes. It does not come back with the status.
    pub deadline: Option<Deadline>,
    /// The time of the restaurant's first confirmation.
    pub confirmed_at: Option<OffsetDateTime>,
    /// The time of delivery.
    pub delivered_at: Option<OffsetDateTime>,
    pub deleted_at: Option<OffsetDateTime>,
    /// Its cancellation, if it is cancelled; none of an order that was cancelled before they were kept.
    pub cancellation: Option<Cancellation>,
    /// The sequence of its last event.
    pub sequence: i64,
}

refusals! {
    /// The reason why an order stays as it is, in words for the caller.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Refusal {
        /// Or it was deleted.
        NotFound = 404, "order.not-found", "There is no such order.";
        MovedOn =
            409, "order.moved-on", "The orders have another status now. Please look at them again.";
        Cancelled = 409, "order.cancelled", "The order was cancelled and can't change any more.";
        CancelInstead =
            422, "order.cancel-instead", "An order is cancelled by a separate call.", at "status";
        NoDriver =
            422, "order.driver-required", "Please select a driver before confirming.", at "driverId";
        Taken =
            409, "order.taken", "The restaurant has taken the order; it can't be cancelled any more.";
        OnItsWay =
            409, "order.on-its-way", "The order is on its way; it can't be cancelled any more.";
        KeptForDelivery =
            409, "order.kept-for-delivery", "The order is on its way; it can't be deleted any more.";
        Paid = 409, "order.paid", "The order is paid; please cancel it first.";
    }
}

/// The events that a transition caused, or its refusal.
type Transition = Result<Vec<OrderEvent>, Refusal>;

impl Order {
    /// The event of its creation. `ticket_orders` is the number of its checkout's orders from the same restaurant.
    pub fn placed(&self, ticket_orders: usize) -> OrderEvent {
        OrderEvent::Placed(OrderPlacedV1 {
            order: self.reference(),
            item_id: self.item_id,
            item_name: self.item_name.clone(),
            image: self.image.clone(),
            quantity: self.quantity,
            price: self.price,
            total_amount: self.total,
            address: self.address.clone(),
            dest_lat: self.destination.map(|place| place.lat),
            dest_lng: self.destination.map(|place| place.lng),
            answer_by: self.deadline.map(|deadline| deadline.answer_by),
            ticket_orders: i32::try_from(ticket_orders).ok(),
            note: self.note.clone(),
        })
    }

    /// Moves to any of the five statuses, in any order. Confirming needs a driver: the one given, or
    /// the one assigned before. Confirming again with the same driver changes nothing.
    pub fn set_status(
        &mut self,
        to: OrderStatus,
        driver: Option<AssignedDriver>,
        now: OffsetDateTime,
    ) -> Transition {
        self.check_live()?;
        match to {
            OrderStatus::Confirmed => self.confirm(driver, now),
            OrderStatus::Cancelled => Err(Refusal::CancelInstead),
            _ => Ok(self.move_to(to, now)),
        }
    }

    fn confirm(&mut self, driver: Option<AssignedDriver>, now: OffsetDateTime) -> Transition {
        let vehicle_type = driver.and_then(|driver| driver.vehicle);
        let driver = driver.map(|driver| driver.id).or(self.driver_id);
        let driver = driver.ok_or(Refusal::NoDriver)?;
        if self.driver_id == Some(driver) && self.status >= OrderStatus::Confirmed {
            return Ok(self.move_to(OrderStatus::Confirmed, now));
        }
        let estimated_time = now + DELIVERY_TIME;
        self.status = OrderStatus::Confirmed;
        self.deadline = None;
        self.confirmed_at.get_or_insert(now);
        self.delivered_at = None;
        self.driver_id = Some(driver);
        self.estimated_time = Some(estimated_time);
        Ok(vec![OrderEvent::Confirmed(OrderConfirmedV1 {
            order: self.reference(),
            assigned_driver: driver,
            vehicle_type,
            item_name: self.item_name.clone(),
            image: self.image.clone(),
            quantity: self.quantity,
            price: self.price,
            total_amount: self.total,
            address: self.address.clone(),
            dest_lat: self.destination.map(|place| place.lat),
            dest_lng: self.destination.map(|place| place.lng),
            estimated_time,
        })])
    }

    /// Follows the rest of its ticket to another driver, and keeps its status. An order that waits for its
    /// confirmation, or has left the restaurant, stays as it is.
    pub fn follow_to(
        &mut self,
        driver: AssignedDriver,
        now: OffsetDateTime,
    ) -> Result<Vec<OrderEvent>, Refusal> {
        let status = self.status;
        let is_in_kitchen = matches!(status, OrderStatus::Confirmed | OrderStatus::Preparing);
        if self.check_live().is_err() || !is_in_kitchen || self.driver_id == Some(driver.id) {
            return Ok(Vec::new());
        }
        let mut events = self.confirm(Some(driver), now)?;
        events.extend(self.move_to(status, now));
        Ok(events)
    }

    /// Moves on or back. Going back is an event too and undoes nothing outside.
    fn move_to(&mut self, to: OrderStatus, now: OffsetDateTime) -> Vec<OrderEvent> {
        let from = self.status;
        if from == to {
            return Vec::new();
        }
        self.status = to;
        self.deadline = None;
        self.delivered_at = (to == OrderStatus::Delivered).then_some(now);
        let order = self.reference();
        if to < from {
            return vec![OrderEvent::Reopened(OrderReopenedV1 { order, from, to })];
        }
        match to {
            OrderStatus::Preparing => vec![OrderEvent::Preparing(order)],
            OrderStatus::Dispatched => vec![OrderEvent::Dispatched(order)],
            OrderStatus::Delivered => vec![OrderEvent::Delivered(order)],
            // Pending is never ahead, and the other two have separate transitions.
            OrderStatus::Pending | OrderStatus::Confirmed | OrderStatus::Cancelled => Vec::new(),
        }
    }

    /// Follows its delivery by `driver`: forward only, and never out of a cancellation. The former driver's
    /// steps don't count once the order was given to another, who begins again.
    pub fn apply_delivery_status(
        &mut self,
        to: OrderStatus,
        driver: UserId,
        now: OffsetDateTime,
    ) -> Vec<OrderEvent> {
        let is_over = self.deleted_at.is_some() || self.status == OrderStatus::Cancelled;
        let is_reassigned = self.driver_id.is_some_and(|current| current != driver);
        if is_over || is_reassigned || self.status >= to {
            Vec::new()
        } else {
            self.move_to(to, now)
        }
    }

    /// Returns to its delivery's status, because the delivery refused to end: the order was cancelled or
    /// deleted before this service knew that the delivery had set out.
    pub fn restore(&mut self, to: OrderStatus, now: OffsetDateTime) -> Vec<OrderEvent> {
        if self.deleted_at.is_none() && self.status != OrderStatus::Cancelled {
            return Vec::new();
        }
        self.deleted_at = None;
        self.cancellation = None;
        self.status = to;
        self.delivered_at = (to == OrderStatus::Delivered).then_some(now);
        let order = self.reference();
        vec![OrderEvent::CancelRefused(OrderCancelRefusedV1 {
            order,
            to,
        })]
    }

    /// Cancels it: the customer while it is pending, the restaurant and administrators until it is on the way.
    /// `has_left` is true once its delivery has left, even if the status was changed since.
    pub fn cancel(&mut self, cancellation: Cancellation, has_left: bool) -> Transition {
        if self.deleted_at.is_some() {
            return Err(Refusal::NotFound);
        }
        match self.status {
            OrderStatus::Cancelled => Ok(Vec::new()),
            OrderStatus::Dispatched | OrderStatus::Delivered => Err(Refusal::OnItsWay),
            _ if has_left => Err(Refusal::OnItsWay),
            OrderStatus::Confirmed | OrderStatus::Preparing
                if cancellation.by == Side::Customer =>
            {
                Err(Refusal::Taken)
            }
            _ => Ok(self.end(cancellation)),
        }
    }

    /// Reminds the restaurant of an order that waits for its answer, or refuses the order at its deadline. An answer
    /// that comes first ends the deadline: both lock the order.
    pub fn come_due(&mut self, now: OffsetDateTime) -> Vec<OrderEvent> {
        let is_answered = self.status != OrderStatus::Pending || self.confirmed_at.is_some();
        if is_answered || self.deleted_at.is_some() {
            // A process of the release before takes orders and leaves their deadlines.
            self.deadline = None;
        }
        let Some(deadline) = self.deadline else {
            return Vec::new();
        };
        if now >= deadline.answer_by {
            return self.end(Cancellation::unanswered());
        }
        let Some(next) = deadline.reminded(self.created_at, now) else {
            return Vec::new();
        };
        self.deadline = Some(next);
        vec![OrderEvent::Reminded(OrderRemindedV1 {
            order: self.reference(),
            answer_by: next.answer_by,
            number: next.reminders,
            is_last: next.is_last(),
        })]
    }

    fn end(&mut self, cancellation: Cancellation) -> Vec<OrderEvent> {
        self.status = OrderStatus::Cancelled;
        let deadline = self.deadline.take();
        let event = OrderCancelledV1 {
            order: self.reference(),
            by: cancellation.by.account(),
            reason: cancellation.reason,
            note: cancellation.note.clone(),
            answer_by: deadline
                .filter(|_| cancellation.by == Side::Deadline)
                .map(|deadline| deadline.answer_by),
        };
        self.cancellation = Some(cancellation);
        vec![OrderEvent::Cancelled(event)]
    }

    /// Approves the order. The approval can't be withdrawn.
    pub fn approve(&mut self) -> Transition {
        self.check_live()?;
        if std::mem::replace(&mut self.approved, true) {
            return Ok(Vec::new());
        }
        Ok(vec![OrderEvent::Approved(self.reference())])
    }

    /// Takes it off everybody's lists, unless it has set out, or there is money for it and it was not
    /// cancelled.
    pub fn delete(&mut self, has_left: bool, is_paid: bool, now: OffsetDateTime) -> Transition {
        if self.deleted_at.is_some() {
            return Err(Refusal::NotFound);
        }
        if has_left
            || matches!(
                self.status,
                OrderStatus::Dispatched | OrderStatus::Delivered
            )
        {
            return Err(Refusal::KeptForDelivery);
        }
        if is_paid && self.status != OrderStatus::Cancelled {
            return Err(Refusal::Paid);
        }
        self.deleted_at = Some(now);
        self.deadline = None;
        Ok(vec![OrderEvent::Deleted(self.reference())])
    }

    /// The accounts that may watch it, and its state: under way or not.
    pub fn audience(&self) -> Audience {
        let is_over = matches!(self.status, OrderStatus::Delivered | OrderStatus::Cancelled);
        Audience {
            users: self.concerned().collect(),
            driver: self.driver_id,
            active: !is_over && self.deleted_at.is_none(),
            version: 0,
        }
    }

    /// The accounts that its events concern: customer, owner and driver.
    pub fn concerned(&self) -> impl Iterator<Item = UserId> + use<> {
        [Some(self.customer_id), Some(self.owner_id), self.driver_id]
            .into_iter()
            .flatten()
    }

    fn check_live(&self) -> Result<(), Refusal> {
        match self {
            Self {
                deleted_at: Some(_),
                ..
            } => Err(Refusal::NotFound),
            Self {
                status: OrderStatus::Cancelled,
                ..
            } => Err(Refusal::Cancelled),
            _ => Ok(()),
        }
    }

    fn reference(&self) -> OrderRefV1 {
        OrderRefV1 {
            order_id: self.id,
            order_code: self.code.to_string(),
            checkout_id: self.checkout_id,
            customer_id: self.customer_id,
            restaurant_id: self.restaurant_id,
            owner_id: self.owner_id,
            driver_id: self.driver_id,
        }
    }
}
