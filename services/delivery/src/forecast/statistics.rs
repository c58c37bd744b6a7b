//! Statistics of past trips. A median of few trips counts less than what is assumed without any.

use std::collections::HashMap;

use tiffin_events::RestaurantId;
use time::{Duration, OffsetDateTime};

use super::{Range, STOP};
use crate::routing::Ride;

/// A median with the number of deliveries behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Typical {
    pub count: i64,
    pub median: f64,
}

/// The lower and the upper bound of eight in ten, as parts of the expected time left, with the number behind them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    pub count: i64,
    pub low: f64,
    pub high: f64,
}

/// The facts of past deliveries that forecasts use.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TripStatistics {
    /// Seconds from the assignment of a driver until they set out.
    pub preparation: HashMap<RestaurantId, Typical>,
    /// The same of all restaurants.
    pub any_preparation: Option<Typical>,
    /// The ratio of a ride's duration to the router's, by hour of the day in UTC.
    pub pace: HashMap<i32, Typical>,
    /// The same of the whole day.
    pub any_pace: Option<Typical>,
    /// The bounds of eight in ten arrivals, by [`lead`].
    pub spread: HashMap<i32, Spread>,
    /// Seconds from an order until a driver was assigned.
    pub confirmation: Option<Typical>,
}

/// The number of deliveries whose median counts as much as the assumption.
const ASSUMED_COUNT: f64 = 8.0;
/// Seconds until a driver sets out, in a restaurant without deliveries.
const PREPARATION: f64 = 15.0 * 60.0;
/// The ratio of a ride's duration to the router's, without deliveries: lights, parking, stairs.
const PACE: f64 = 1.25;
/// Seconds until a restaurant confirms, without orders.
const CONFIRMATION: f64 = 3.0 * 60.0;
/// The bounds of eight in ten, without deliveries.
const SPREAD: (f64, f64) = (0.7, 1.45);
/// The number of arrivals whose bounds count as much as the assumption.
const ASSUMED_ARRIVALS: f64 = 20.0;
/// The ends of the classes of lead time, in minutes.
pub(crate) const LEADS: [i32; 5] = [5, 10, 20, 30, 45];

/// The class of a lead time: the number of [`LEADS`] at or below its minutes.
pub(crate) fn lead(left: Duration) -> i32 {
    let minutes = left.whole_minutes();
    let below = LEADS.iter().filter(|end| i64::from(**end) <= minutes);
    i32::try_from(below.count()).unwrap_or_default()
}

/// A median drawn towards an assumption, the more the fewer deliveries there are.
fn drawn(typical: Option<&Typical>, assumed: f64) -> f64 {
    typical.map_or(assumed, |typical| {
        weighted(typical.count, typical.median, assumed, ASSUMED_COUNT)
    })
}

#[expect(clippy::cast_precision_loss, reason = "a count of deliveries is small")]
fn weighted(count: i64, value: f64, assumed: f64, assumed_count: f64) -> f64 {
    let count = count as f64;
    (value * count + assumed * assumed_count) / (count + assumed_count)
}

impl TripStatistics {
    /// The time from the assignment of a driver until they set out.
    pub fn preparation(&self, restaurant: RestaurantId) -> Duration {
        let any = drawn(self.any_preparation.as_ref(), PREPARATION);
        Duration::seconds_f64(drawn(self.preparation.get(&restaurant), any))
    }

    /// The time from an order until a driver is assigned.
    pub fn confirmation(&self) -> Duration {
        Duration::seconds_f64(drawn(self.confirmation.as_ref(), CONFIRMATION))
    }

    /// The time of a ride at this time of the day that takes `seconds` by the router.
    pub fn riding(&self, seconds: f64, at: OffsetDateTime) -> Duration {
        let any = drawn(self.any_pace.as_ref(), PACE);
        let pace = drawn(self.pace.get(&i32::from(at.hour())), any);
        Duration::seconds_f64(seconds * pace)
    }

    /// The time of a ride with the stop at its end.
    pub fn riding_with_stop(&self, ride: &Ride, at: OffsetDateTime) -> Duration {
        self.riding(ride.seconds, at) + STOP
    }

    /// The range for an order that is placed now.
    pub fn before_ordering(
        &self,
        restaurant: RestaurantId,
        busy: Duration,
        ride: Ride,
        now: OffsetDateTime,
    ) -> Range {
        let departure = now + self.confirmation() + self.preparation(restaurant) + busy;
        self.range(now, departure + self.riding_with_stop(&ride, departure))
    }

    /// The range around an expected arrival.
    pub fn range(&self, now: OffsetDateTime, arrival: OffsetDateTime) -> Range {
        let spread = self.spread.get(&lead(arrival - now));
        let bounds = spread.map_or(SPREAD, |spread| {
            let bound = |value, assumed| weighted(spread.count, value, assumed, ASSUMED_ARRIVALS);
            (bound(spread.low, SPREAD.0), bound(spread.high, SPREAD.1))
        });
        Range::around(now, arrival, bounds)
    }
}
