//! One made-up day.

use rand::{RngExt, SeedableRng, rngs::StdRng};
use tiffin_delivery::dispatching::{Courier, OpenOrder, Stop, Task};
use tiffin_events::{Coordinates, OrderId, UserId, driver::VehicleType};
use uuid::Uuid;

const MINUTE: f64 = 60.0;
const ORDERS: u32 = 505;
const RESTAURANTS: u32 = 116;
const DRIVERS: u32 = 113;
/// The length of the day in minutes.
const LENGTH: f64 = 882.0;
/// The middle and the spread of lunch and dinner in minutes, and the part of the orders that comes then.
const PEAKS: [(f64, f64, f64); 2] = [(170.0, 55.0, 0.3), (540.0, 80.0, 0.5)];
/// The mean length of a shift in minutes.
const SHIFT: f64 = 303.0 * 60.0 / 113.0;
/// The minutes by which shifts begin before orders do.
const LEAD: f64 = 75.0;
/// The spread of restaurants on each axis in metres: they are 3.3 km from each other.
const SPREAD: f64 = 1_850.0;

/// A driver's time on shift, in seconds.
pub struct Shift {
    pub id: UserId,
    pub from: f64,
    pub until: f64,
    pub place: Coordinates,
}

/// An order, with its times in seconds of the day.
pub struct Placed {
    pub at: f64,
    pub order: OpenOrder,
}

pub struct Day {
    pub shifts: Vec<Shift>,
    /// In the order in which they are placed.
    pub orders: Vec<Placed>,
}

impl Day {
    pub fn new(seed: u64) -> Self {
        let mut random = Random(StdRng::seed_from_u64(seed));
        let restaurants: Vec<_> = (0..RESTAURANTS).map(|_| random.restaurant()).collect();
        let shifts = (0..DRIVERS).map(|id| {
            let from = (random.moment() - LEAD).max(0.0);
            Shift {
                id: UserId(Uuid::from_u128(u128::from(id))),
                from: from * MINUTE,
                until: (from + random.between(0.6 * SHIFT, 1.4 * SHIFT)) * MINUTE,
                place: random.pick(&restaurants),
            }
        });
        let shifts = shifts.collect();
        let orders = (0..ORDERS).map(|id| random.order(id, &restaurants));
        let mut orders: Vec<_> = orders.collect();
        orders.sort_by(|one, other| one.at.total_cmp(&other.at));
        Self { shifts, orders }
    }
}

/// Drivers in the same town with two orders each, and an order.
pub fn busy_fleet(count: u32) -> (Vec<Courier>, OpenOrder) {
    let mut random = Random(StdRng::seed_from_u64(count.into()));
    let restaurants: Vec<_> = (0..RESTAURANTS).map(|_| random.restaurant()).collect();
    let couriers = (0..count).map(|id| {
        let orders = [0, 1].map(|second| random.order(2 * id + second, &restaurants).order);
        let fetch = |order: &OpenOrder| Stop {
            order: order.id,
            place: order.restaurant,
            task: Task::Fetch { ready: 300.0 },
        };
        let bring = |order: &OpenOrder| Stop {
            order: order.id,
            place: order.door,
            task: Task::Bring { due: None },
        };
        Courier {
            id: UserId(Uuid::from_u128(u128::from(id))),
            place: Some(random.restaurant()),
            vehicle: Some(VehicleType::Bike),
            leaves_in: 0.0,
            tour: [
                &orders.each_ref().map(fetch)[..],
                &orders.each_ref().map(bring),
            ]
            .concat(),
        }
    });
    let couriers = couriers.collect();
    let order = random.order(2 * count, &restaurants).order;
    (couriers, order)
}

struct Random(StdRng);

impl Random {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0.random_range(low..high)
    }

    /// A number of the normal distribution (Box and Muller).
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * self.between(f64::MIN_POSITIVE, 1.0).ln()).sqrt();
        radius * (self.between(0.0, std::f64::consts::TAU)).cos()
    }

    fn restaurant(&mut self) -> Coordinates {
        let (north, east) = (self.normal() * SPREAD, self.normal() * SPREAD);
        moved(
            Coordinates {
                lat: 41.88,
                lng: -87.63,
            },
            north,
            east,
        )
    }

    fn pick(&mut self, places: &[Coordinates]) -> Coordinates {
        places[self.0.random_range(0..places.len())]
    }

    /// A minute of the day at which orders come.
    fn moment(&mut self) -> f64 {
        let [lunch, dinner] = PEAKS;
        let draw = self.between(0.0, 1.0);
        let minute = if draw < lunch.2 {
            lunch.0 + lunch.1 * self.normal()
        } else if draw < lunch.2 + dinner.2 {
            dinner.0 + dinner.1 * self.normal()
        } else {
            self.between(0.0, LENGTH)
        };
        minute.clamp(0.0, LENGTH)
    }

    fn order(&mut self, id: u32, restaurants: &[Coordinates]) -> Placed {
        let at = self.moment() * MINUTE;
        let restaurant = self.pick(restaurants);
        // Anywhere on a disc of 3.3 km: 2.2 km on average.
        let metres = self.between(0.0, 1.0).sqrt() * 3_300.0;
        let angle = self.between(0.0, std::f64::consts::TAU);
        // A median of 15 minutes, a tenth below 6 and a tenth above 30.
        let cooking = (15.0 * (0.6 * self.normal()).exp()).clamp(1.0, 55.0);
        let order = OpenOrder {
            id: OrderId(Uuid::from_u128(u128::from(id))),
            restaurant,
            door: moved(restaurant, metres * angle.sin(), metres * angle.cos()),
            ready: at + cooking * MINUTE,
            due: None,
        };
        Placed { at, order }
    }
}

/// The place some metres north and east of another.
fn moved(from: Coordinates, north: f64, east: f64) -> Coordinates {
    let degree = 111_195.0;
    Coordinates {
        lat: from.lat + north / degree,
        lng: from.lng + east / (degree * from.lat.to_radians().cos()),
    }
}
