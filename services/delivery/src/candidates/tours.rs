//! The tours that drivers have already.

use std::collections::HashMap;

use tiffin_events::{Coordinates, RestaurantId, UserId, delivery::DeliveryStatus};
use time::OffsetDateTime;

use super::{Facts, stop};
use crate::{
    dispatch::{self, Courier, OpenOrder, Stop, Task},
    store::candidates::{Candidate, Carried},
};

/// The largest number of orders of one driver that count.
const MAX_ORDERS: usize = 16;

impl Facts {
    /// Every driver with their tour.
    pub(super) fn couriers(&self) -> Vec<Courier> {
        let mut orders: HashMap<UserId, Vec<&Carried>> = HashMap::new();
        for carried in self.carried.values() {
            orders.entry(carried.driver_id).or_default().push(carried);
        }
        let courier = |candidate: &Candidate| {
            let mut orders = orders.remove(&candidate.id).unwrap_or_default();
            // What is on its way comes first, then the oldest.
            orders.sort_by_key(|it| (it.status != DeliveryStatus::OnTheWay, it.order_id));
            orders.truncate(MAX_ORDERS);
            self.courier(candidate, &orders)
        };
        let mut couriers: Vec<_> = self.candidates.values().map(courier).collect();
        couriers.sort_by_key(|courier| courier.id);
        couriers
    }

    /// A driver with a tour through all their orders, each at its best place.
    fn courier(&self, candidate: &Candidate, orders: &[&Carried]) -> Courier {
        let mut courier = Courier {
            id: candidate.id,
            place: candidate.place.map(Coordinates::cell),
            vehicle: Some(candidate.vehicle),
            leaves_in: 0.0,
            tour: Vec::new(),
        };
        for carried in orders {
            let Some(door) = carried.door.map(|door| self.shown(carried, door)) else {
                continue;
            };
            let due = carried.promised_time.map(|time| self.seconds_until(time));
            match (carried.status, carried.restaurant) {
                (DeliveryStatus::PickedUp, Some(restaurant)) => {
                    let order = OpenOrder {
                        id: carried.order_id,
                        restaurant,
                        door,
                        ready: self.ready(carried),
                        due,
                    };
                    let plans =
                        dispatch::rank(&[courier.clone()], &order, &self.straight(), stop());
                    courier.tour = plans.into_iter().flat_map(|plan| plan.tour).collect();
                }
                _ => courier.tour.push(Stop {
                    order: carried.order_id,
                    place: door,
                    task: Task::Bring { due },
                }),
            }
        }
        courier
    }

    /// The door of a carried order as its suggestion's owner may know it.
    fn shown(&self, carried: &Carried, door: Coordinates) -> Coordinates {
        if carried.owner_id == self.owner {
            door
        } else {
            door.cell()
        }
    }

    fn ready(&self, carried: &Carried) -> f64 {
        let restaurant = RestaurantId(carried.restaurant_id);
        let cooked = carried.since + self.statistics.preparation(restaurant);
        self.seconds_until(cooked).max(0.0)
    }

    fn seconds_until(&self, time: OffsetDateTime) -> f64 {
        (time - self.now).as_seconds_f64()
    }
}
