//! The drivers who were suggested for an order, and what may happen to that. Every transition returns the events it
//! caused, or refuses; an empty list means that nothing is worth an event.

use tiffin_chassis::refusals;
use tiffin_events::{
    DeliveryId, OrderId, RestaurantId, SuggestionId, UserId,
    suggestion::{
        SuggestedDriverV1, SuggestionDeclinedV1, SuggestionEvent, SuggestionMadeV1,
        SuggestionPickedV1, SuggestionRefV1,
    },
};
use time::{Duration, OffsetDateTime};

use crate::delivery::{Delivery, Order};

#[cfg(test)]
mod tests;

/// The time for which a picked driver counts as taken until the order's confirmation arrives.
pub const RESERVED: Duration = Duration::minutes(2);

/// The suggestions for one order.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    pub id: SuggestionId,
    pub order_id: OrderId,
    pub order_code: String,
    pub owner_id: UserId,
    pub restaurant_id: RestaurantId,
    /// Those suggested last, the best one first.
    pub drivers: Vec<UserId>,
    pub declined: Vec<UserId>,
    pub picked: Option<Pick>,
    /// The sequence of its last event.
    pub sequence: i64,
}

/// A driver whom the owner picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pick {
    pub driver: UserId,
    pub at: OffsetDateTime,
}

refusals! {
    /// The reason why a driver is not picked, or does not decline.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum NotPicked {
        Taken = 409, "delivery.driver-taken", "Another restaurant picked this driver a moment ago.";
        HasSetOut = 409, "delivery.set-out", "The driver has set out with this order already.";
    }
}

impl Suggestion {
    /// The suggestions for an order that has none yet.
    pub fn new(id: SuggestionId, order: &Order) -> Self {
        Self {
            id,
            order_id: order.id,
            order_code: order.code.clone(),
            owner_id: order.owner_id,
            restaurant_id: order.restaurant_id,
            drivers: Vec::new(),
            declined: Vec::new(),
            picked: None,
            sequence: 0,
        }
    }

    /// The same for the order of a delivery.
    pub fn of_delivery(id: SuggestionId, delivery: &Delivery) -> Self {
        Self {
            id,
            order_id: delivery.order_id,
            order_code: delivery.order_code.clone(),
            owner_id: delivery.owner_id,
            restaurant_id: delivery.restaurant_id,
            drivers: Vec::new(),
            declined: Vec::new(),
            picked: None,
            sequence: 0,
        }
    }

    /// Suggests drivers, the best one first. The same drivers in the same order are no event: only minutes passed.
    pub fn suggest(&mut self, drivers: Vec<SuggestedDriverV1>) -> Vec<SuggestionEvent> {
        let ids: Vec<_> = drivers.iter().map(|driver| driver.driver_id).collect();
        if ids == self.drivers {
            return Vec::new();
        }
        self.drivers = ids;
        vec![SuggestionEvent::Made(SuggestionMadeV1 {
            suggestion: self.reference(),
            drivers,
        })]
    }

    /// Picks a driver. `is_taken` is true where another restaurant did meanwhile: that is refused unless the owner
    /// does it knowingly. Picking the same driver again only holds them longer.
    pub fn pick(
        &mut self,
        pick: Pick,
        is_taken: bool,
        knowingly: bool,
    ) -> Result<Vec<SuggestionEvent>, NotPicked> {
        if is_taken && !knowingly {
            return Err(NotPicked::Taken);
        }
        let before = self.picked.replace(pick);
        let had_declined = self.declined.contains(&pick.driver);
        // The owner asks them again.
        self.declined.retain(|driver| *driver != pick.driver);
        if before.map(|before| before.driver) == Some(pick.driver) && !had_declined {
            return Ok(Vec::new());
        }
        let place = self
            .drivers
            .iter()
            .position(|driver| *driver == pick.driver);
        Ok(vec![SuggestionEvent::Picked(SuggestionPickedV1 {
            suggestion: self.reference(),
            driver_id: pick.driver,
            rank: place.and_then(|place| i64::try_from(place + 1).ok()),
            knowingly: is_taken,
        })])
    }

    /// The driver of its delivery declines it. Declining again changes nothing.
    pub fn decline(&mut self, driver_id: UserId, delivery_id: DeliveryId) -> Vec<SuggestionEvent> {
        if self.declined.contains(&driver_id) {
            return Vec::new();
        }
        self.declined.push(driver_id);
        self.picked = None;
        vec![SuggestionEvent::Declined(SuggestionDeclinedV1 {
            suggestion: self.reference(),
            driver_id,
            delivery_id,
        })]
    }

    fn reference(&self) -> SuggestionRefV1 {
        SuggestionRefV1 {
            suggestion_id: self.id,
            order_id: self.order_id,
            order_code: self.order_code.clone(),
            owner_id: self.owner_id,
            restaurant_id: self.restaurant_id,
        }
    }
}
