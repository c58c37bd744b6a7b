//! Drivers ranked for an order by when it would be at the door. Pure: times are seconds from now.

mod reason;
#[cfg(test)]
mod tests;
mod tour;
mod travel;

use tiffin_events::{Coordinates, OrderId, UserId, driver::VehicleType};

pub use reason::Reason;
pub use travel::{AtSpeed, Travel};

use tour::Planner;

/// The longest time in seconds that a carried order waits for another one. A range of arrivals that moved by a few
/// minutes still holds for most customers, and food cools by some degrees in five.
pub const MAX_DELAY: f64 = 5.0 * 60.0;
/// The seconds to a restaurant of a driver whose place is unknown: as long as a kitchen takes.
const UNSEEN: f64 = 15.0 * 60.0;
/// The seconds by which such a driver must be earlier to rank before one who was seen, since their time is a guess.
const GUESS_ALLOWANCE: f64 = 15.0 * 60.0;

/// A driver who takes deliveries, with the stops that they still have, in their order.
#[derive(Clone, Debug, PartialEq)]
pub struct Courier {
    pub id: UserId,
    /// None if they were not seen lately.
    pub place: Option<Coordinates>,
    pub vehicle: Option<VehicleType>,
    /// The seconds until they leave the place: the rest of a stop.
    pub leaves_in: f64,
    pub tour: Vec<Stop>,
}

/// One stop of a tour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    pub order: OrderId,
    pub place: Coordinates,
    pub task: Task,
}

/// The task at a stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Task {
    /// Fetches an order that is cooked at this time.
    Fetch { ready: f64 },
    /// Brings an order, which was promised for this time.
    Bring { due: Option<f64> },
}

/// An order without a driver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpenOrder {
    pub id: OrderId,
    pub restaurant: Coordinates,
    pub door: Coordinates,
    /// The time at which it is cooked.
    pub ready: f64,
    pub due: Option<f64>,
}

/// A driver's best tour with the order.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    pub driver: UserId,
    /// The time at which the driver is at the restaurant.
    pub fetched: f64,
    /// The time at which the order is at the door.
    pub door: f64,
    /// The seconds that carried orders wait for it, of all together.
    pub delay: f64,
    pub tour: Vec<Stop>,
    pub reason: Reason,
    /// The seconds for which the driver waits for the kitchen.
    wait: f64,
    /// The seconds that drivers are ranked by.
    cost: f64,
}

/// The number of orders that a vehicle holds at once.
pub const fn capacity(vehicle: Option<VehicleType>) -> usize {
    match vehicle {
        None | Some(VehicleType::Bike) => 4,
        Some(VehicleType::Car) => 8,
        Some(VehicleType::Van | VehicleType::Truck) => 16,
    }
}

/// Ranks drivers for an order: the one first who has it at the door first and keeps other customers waiting least.
/// While the kitchen decides, the one who waits for it least: those who would be there early stay free. A driver whose
/// place is unknown comes before one who was seen only if they would be much earlier.
/// `stop` is the time in seconds at each stop.
pub fn rank(couriers: &[Courier], order: &OpenOrder, travel: &impl Travel, stop: f64) -> Vec<Plan> {
    let best = |courier| Planner::new(courier, order, travel, stop).best();
    let mut plans: Vec<_> = couriers.iter().map(best).collect();
    plans.sort_by(|one, other| {
        let seconds = one.cost.round().total_cmp(&other.cost.round());
        let waits = one.wait.total_cmp(&other.wait);
        seconds.then(waits).then(one.driver.cmp(&other.driver))
    });
    plans
}

/// A driver's tour with the order at its end.
pub fn at_end(courier: &Courier, order: &OpenOrder, travel: &impl Travel, stop: f64) -> Plan {
    Planner::new(courier, order, travel, stop).at_end()
}

/// The time at which each stop of a driver's tour is over.
pub fn times(courier: &Courier, travel: &impl Travel, stop: f64) -> Vec<f64> {
    tour::times(courier, travel, stop)
}
