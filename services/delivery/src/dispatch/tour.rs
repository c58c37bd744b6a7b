//! The best places for an order's two stops in one driver's tour.

use tiffin_events::Coordinates;

use super::{
    Courier, GUESS_ALLOWANCE, MAX_DELAY, OpenOrder, Plan, Reason, Stop, Task, Travel, UNSEEN,
    capacity,
};
use crate::arrivals::SAME_DOOR;

/// A driver's stops and the order's two, with the rides among them.
pub(super) struct Planner<'a> {
    courier: &'a Courier,
    order: &'a OpenOrder,
    /// The tour, then the order's fetch and bring.
    stops: Vec<Stop>,
    rides: Rides,
    stop: f64,
    /// The number of orders on the vehicle now.
    loaded: usize,
    /// The times of the tour as it is.
    before: Vec<f64>,
}

/// A tour as indices of stops, and when each is over.
struct Timed {
    sequence: Vec<usize>,
    /// By index of the stop.
    over: Vec<f64>,
    /// The time for which the driver waits for the order at the restaurant.
    wait: f64,
}

impl<'a> Planner<'a> {
    pub fn new(
        courier: &'a Courier,
        order: &'a OpenOrder,
        travel: &impl Travel,
        stop: f64,
    ) -> Self {
        let fetch = Stop {
            order: order.id,
            place: order.restaurant,
            task: Task::Fetch { ready: order.ready },
        };
        let bring = Stop {
            order: order.id,
            place: order.door,
            task: Task::Bring { due: order.due },
        };
        let stops = [&*courier.tour, &[fetch, bring]].concat();
        let rides = Rides::new(courier, &stops, travel);
        let mut planner = Self {
            courier,
            order,
            stops,
            rides,
            stop,
            loaded: loaded(&courier.tour),
            before: Vec::new(),
        };
        let tour: Vec<_> = (0..courier.tour.len()).collect();
        planner.before = planner.time(tour).over;
        planner
    }

    /// The tour with the least cost, among those that delay no customer too long and fit the vehicle.
    pub fn best(&self) -> Plan {
        let count = self.courier.tour.len();
        let mut best = (self.time(self.with(count, count)), f64::INFINITY);
        best.1 = self.cost(&best.0);
        let positions =
            (0..=count).flat_map(|fetch| (fetch..=count).map(move |bring| (fetch, bring)));
        for (fetch, bring) in positions {
            let sequence = self.with(fetch, bring);
            if !self.fits(&sequence) {
                continue;
            }
            let timed = self.time(sequence);
            let cost = self.cost(&timed);
            if cost < best.1 && self.is_bearable(&timed) {
                best = (timed, cost);
            }
        }
        self.plan(&best.0)
    }

    pub fn at_end(&self) -> Plan {
        let count = self.courier.tour.len();
        self.plan(&self.time(self.with(count, count)))
    }

    /// The tour with the order fetched before the stop `fetch` and brought before the stop `bring`.
    fn with(&self, fetch: usize, bring: usize) -> Vec<usize> {
        let count = self.courier.tour.len();
        let mut sequence: Vec<_> = (0..count).collect();
        sequence.insert(bring, count + 1);
        sequence.insert(fetch, count);
        sequence
    }

    /// True if the vehicle never holds more orders than it can while it has this one.
    fn fits(&self, sequence: &[usize]) -> bool {
        let count = self.courier.tour.len();
        let mut load = self.loaded;
        let mut has_it = false;
        for index in sequence {
            match self.stops[*index].task {
                Task::Fetch { .. } => load += 1,
                // The order leaves the vehicle that it filled up to here.
                Task::Bring { .. } if *index > count => return true,
                Task::Bring { .. } => load = load.saturating_sub(1),
            }
            has_it |= *index == count;
            if has_it && load > capacity(self.courier.vehicle) {
                return false;
            }
        }
        true
    }

    fn time(&self, sequence: Vec<usize>) -> Timed {
        let own = self.courier.tour.len();
        let mut wait = 0.0;
        let over = self.rides.over(
            self.courier,
            &self.stops,
            self.stop,
            &sequence,
            |index, seconds| {
                if index == own {
                    wait = seconds;
                }
            },
        );
        Timed {
            sequence,
            over,
            wait,
        }
    }

    /// True if each carried order comes within [`MAX_DELAY`] of when it would, and none misses its promise for this
    /// one.
    fn is_bearable(&self, timed: &Timed) -> bool {
        self.doors().all(|(index, due)| {
            let (before, after) = (self.before[index], timed.over[index]);
            let latest = due.map_or(f64::INFINITY, |due| due.max(before));
            after <= (before + MAX_DELAY).min(latest)
        })
    }

    fn doors(&self) -> impl Iterator<Item = (usize, Option<f64>)> {
        let stops = self.courier.tour.iter().enumerate();
        stops.filter_map(|(index, stop)| match stop.task {
            Task::Bring { due } => Some((index, due)),
            Task::Fetch { .. } => None,
        })
    }

    fn delay(&self, timed: &Timed) -> f64 {
        let delays = self
            .doors()
            .map(|(index, _)| timed.over[index] - self.before[index]);
        delays.sum()
    }

    /// The time at the door and the delay of carried orders.
    fn cost(&self, timed: &Timed) -> f64 {
        timed.over[self.courier.tour.len() + 1] + self.delay(timed)
    }

    fn plan(&self, timed: &Timed) -> Plan {
        let count = self.courier.tour.len();
        let tour: Vec<_> = timed
            .sequence
            .iter()
            .map(|index| self.stops[*index])
            .collect();
        let is_seen = self.courier.place.is_some();
        Plan {
            driver: self.courier.id,
            fetched: timed.over[count],
            door: timed.over[count + 1],
            delay: self.delay(timed),
            reason: Reason::of(self.order, is_seen, &tour),
            tour,
            wait: timed.wait,
            cost: self.cost(timed) + if is_seen { 0.0 } else { GUESS_ALLOWANCE },
        }
    }
}

/// The seconds of the rides among a driver's place and some stops.
struct Rides(Vec<Option<f64>>);

impl Rides {
    /// From the driver's place to each stop, then from each stop to each. Stops at one door are one stop.
    fn new(courier: &Courier, stops: &[Stop], travel: &impl Travel) -> Self {
        let ride = |from: Coordinates, to: Coordinates| travel.seconds(courier.vehicle, from, to);
        let place = courier.place;
        let first = |stop: &Stop| Some(place.map_or(UNSEEN, |place| ride(place, stop.place)));
        let mut rides: Vec<_> = stops.iter().map(first).collect();
        for from in stops {
            let next = stops.iter().map(|to| {
                let is_same = from.place.metres_to(to.place) <= SAME_DOOR;
                (!is_same).then(|| ride(from.place, to.place))
            });
            rides.extend(next);
        }
        Self(rides)
    }

    /// The time at which each stop of a tour is over, by index of the stop. `on_wait` gets the time for which the driver
    /// waits at each kitchen.
    fn over(
        &self,
        courier: &Courier,
        stops: &[Stop],
        stop: f64,
        sequence: &[usize],
        mut on_wait: impl FnMut(usize, f64),
    ) -> Vec<f64> {
        let mut over = vec![0.0; stops.len()];
        let (mut now, mut row) = (courier.leaves_in, 0);
        for index in sequence {
            if let Some(ride) = self.0[row * stops.len() + index] {
                now += ride + stop;
            }
            if let Task::Fetch { ready } = stops[*index].task {
                on_wait(*index, (ready - now).max(0.0));
                now = now.max(ready);
            }
            over[*index] = now;
            row = index + 1;
        }
        over
    }
}

/// The time at which each stop of a driver's tour is over.
pub(super) fn times(courier: &Courier, travel: &impl Travel, stop: f64) -> Vec<f64> {
    let stops = &courier.tour;
    let sequence: Vec<_> = (0..stops.len()).collect();
    let rides = Rides::new(courier, stops, travel);
    rides.over(courier, stops, stop, &sequence, |_, _| {})
}

/// The number of orders that are brought without being fetched first.
fn loaded(tour: &[Stop]) -> usize {
    let is_fetch = |stop: &&Stop| matches!(stop.task, Task::Fetch { .. });
    let fetches = tour.iter().filter(is_fetch).count();
    tour.len().saturating_sub(2 * fetches)
}
