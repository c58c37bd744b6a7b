//! A day with one way to choose drivers.

use std::collections::{HashMap, HashSet};

use anyhow::{Context, Result};

use tiffin_delivery::dispatching::{AtSpeed, Courier, OpenOrder, Stop, Task, at_end, rank, times};
use tiffin_events::{Coordinates, OrderId, driver::VehicleType};

use super::day::{Day, Shift};

/// Seconds at each stop.
pub const STOP: f64 = 4.0 * 60.0;
/// 320 metres a minute.
pub const TRAVEL: AtSpeed = AtSpeed {
    speed: 320.0 / 60.0,
};
/// The longest time from click to door that is not late.
const TARGET: f64 = 40.0 * 60.0;

/// A way to choose a driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// The nearest to the restaurant, with the order at the end of their tour.
    Nearest,
    /// The one who drops it off first, with the order at the end of their tour.
    Earliest,
    /// The first suggestion.
    Suggested,
}

impl Policy {
    pub const ALL: [Self; 3] = [Self::Nearest, Self::Earliest, Self::Suggested];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Nearest => "nearest first",
            Self::Earliest => "earliest drop-off",
            Self::Suggested => "suggested first",
        }
    }

    /// The driver's index, and their tour with the order.
    fn choose(self, couriers: &[Courier], order: &OpenOrder) -> Result<(usize, Vec<Stop>)> {
        let at_end = |courier| at_end(courier, order, &TRAVEL, STOP);
        let plan = match self {
            Self::Nearest => {
                let metres = |courier: &&Courier| {
                    let place = courier.place.unwrap_or(order.door);
                    place.metres_to(order.restaurant)
                };
                let nearest = couriers
                    .iter()
                    .min_by(|a, b| metres(a).total_cmp(&metres(b)));
                nearest.map(at_end)
            }
            Self::Earliest => {
                let plans = couriers.iter().map(at_end);
                plans.min_by(|one, other| one.door.total_cmp(&other.door))
            }
            Self::Suggested => rank(couriers, order, &TRAVEL, STOP).into_iter().next(),
        };
        let plan = plan.context("no driver is on shift")?;
        let of_plan = |courier: &Courier| courier.id == plan.driver;
        let index = couriers.iter().position(of_plan).unwrap_or_default();
        Ok((index, plan.tour))
    }
}

/// The sums of a day.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outcome {
    orders: u32,
    seconds: f64,
    late: u32,
    bundled: u32,
}

impl Outcome {
    pub fn add(&mut self, other: &Self) {
        self.orders += other.orders;
        self.seconds += other.seconds;
        self.late += other.late;
        self.bundled += other.bundled;
    }

    pub fn mean_minutes(&self) -> f64 {
        self.seconds / 60.0 / f64::from(self.orders)
    }

    pub fn late_percent(&self) -> f64 {
        100.0 * f64::from(self.late) / f64::from(self.orders)
    }

    /// The part of the orders that were on the vehicle together with another.
    pub fn bundled_percent(&self) -> f64 {
        100.0 * f64::from(self.bundled) / f64::from(self.orders)
    }
}

/// A driver at a time of the day: their place and tour from there, both with times of the day.
struct Vehicle<'a> {
    shift: &'a Shift,
    place: Coordinates,
    /// The time from which they are at the place.
    since: f64,
    tour: Vec<Stop>,
    /// The orders on the vehicle.
    loaded: Vec<OrderId>,
}

/// The orders' times at the door, and those that were on a vehicle with another.
#[derive(Default)]
struct Record {
    doors: HashMap<OrderId, f64>,
    bundled: HashSet<OrderId>,
}

pub fn simulate(day: &Day, policy: Policy) -> Result<Outcome> {
    let mut record = Record::default();
    let mut vehicles: Vec<_> = day.shifts.iter().map(Vehicle::new).collect();
    for placed in &day.orders {
        for vehicle in &mut vehicles {
            vehicle.advance(placed.at, &mut record);
        }
        let on_shift: Vec<_> = on_shift(&vehicles, placed.at);
        let couriers: Vec<_> = on_shift
            .iter()
            .map(|index| vehicles[*index].courier(placed.at))
            .collect();
        let order = OpenOrder {
            ready: placed.order.ready - placed.at,
            ..placed.order
        };
        let (index, tour) = policy.choose(&couriers, &order)?;
        vehicles[on_shift[index]].take(tour, placed.at);
    }
    for vehicle in &mut vehicles {
        vehicle.advance(f64::INFINITY, &mut record);
    }
    Ok(record.outcome(day))
}

/// The drivers on shift; without any, the one whose shift begins next or ended last.
fn on_shift(vehicles: &[Vehicle<'_>], now: f64) -> Vec<usize> {
    let away = |vehicle: &Vehicle<'_>| (vehicle.shift.from - now).max(now - vehicle.shift.until);
    let least = vehicles.iter().map(away).fold(f64::INFINITY, f64::min);
    let indices = (0..vehicles.len()).filter(|index| away(&vehicles[*index]) <= least.max(0.0));
    indices.collect()
}

impl<'a> Vehicle<'a> {
    fn new(shift: &'a Shift) -> Self {
        Self {
            shift,
            place: shift.place,
            since: f64::NEG_INFINITY,
            tour: Vec::new(),
            loaded: Vec::new(),
        }
    }

    /// The driver as suggestions see them: times are from now.
    fn courier(&self, now: f64) -> Courier {
        let tour = self.tour.iter().map(|stop| Stop {
            task: match stop.task {
                Task::Fetch { ready } => Task::Fetch { ready: ready - now },
                task @ Task::Bring { .. } => task,
            },
            ..*stop
        });
        Courier {
            id: self.shift.id,
            place: Some(self.place),
            vehicle: Some(VehicleType::Bike),
            leaves_in: (self.since - now).max(0.0),
            tour: tour.collect(),
        }
    }

    fn take(&mut self, tour: Vec<Stop>, now: f64) {
        self.tour = tour
            .into_iter()
            .map(|stop| Stop {
                task: match stop.task {
                    Task::Fetch { ready } => Task::Fetch { ready: ready + now },
                    task @ Task::Bring { .. } => task,
                },
                ..stop
            })
            .collect();
        self.since = self.since.max(now);
    }

    /// Makes the stops that are over by then, and rides towards the next one.
    fn advance(&mut self, until: f64, record: &mut Record) {
        while let Some(stop) = self.tour.first().copied() {
            let courier = self.courier(self.since);
            let over = self.since + times(&courier, &TRAVEL, STOP)[0];
            let ride = self.place.metres_to(stop.place) / TRAVEL.speed;
            if self.since + ride > until {
                self.ride_towards(stop.place, ride, until);
                return;
            }
            // A stop that has begun is made to its end.
            self.tour.remove(0);
            (self.place, self.since) = (stop.place, over);
            self.record(stop, record);
        }
    }

    fn ride_towards(&mut self, to: Coordinates, ride: f64, until: f64) {
        if until <= self.since {
            return;
        }
        let part = (until - self.since) / ride;
        let between = |from: f64, to: f64| from + (to - from) * part;
        self.place = Coordinates {
            lat: between(self.place.lat, to.lat),
            lng: between(self.place.lng, to.lng),
        };
        self.since = until;
    }

    fn record(&mut self, stop: Stop, record: &mut Record) {
        match stop.task {
            Task::Fetch { .. } => {
                self.loaded.push(stop.order);
                if self.loaded.len() > 1 {
                    record.bundled.extend(&self.loaded);
                }
            }
            Task::Bring { .. } => {
                self.loaded.retain(|order| *order != stop.order);
                record.doors.insert(stop.order, self.since);
            }
        }
    }
}

impl Record {
    fn outcome(&self, day: &Day) -> Outcome {
        let mut outcome = Outcome::default();
        for placed in &day.orders {
            let seconds = self
                .doors
                .get(&placed.order.id)
                .map_or(f64::INFINITY, |door| door - placed.at);
            outcome.add(&Outcome {
                orders: 1,
                seconds,
                late: u32::from(seconds > TARGET),
                bundled: u32::from(self.bundled.contains(&placed.order.id)),
            });
        }
        outcome
    }
}
