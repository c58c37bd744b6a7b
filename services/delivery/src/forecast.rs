//! The time of arrival as a range, from the rides still to come and from the statistics of past trips.

use tiffin_events::{
    RestaurantId,
    delivery::{DeliveryStatus, EtaBasis, EtaReason},
};
use time::{Duration, OffsetDateTime};

pub use statistics::TripStatistics;
pub(crate) use statistics::{LEADS, Spread, Typical};

use crate::{arrivals::SAME_DOOR, routing::Ride};

mod statistics;
#[cfg(test)]
mod tests;

/// The time that a driver takes at a door or a counter after a ride.
pub(crate) const STOP: Duration = Duration::minutes(2);
/// The longest time without a position that counts as ridden.
const MAX_UNSEEN: Duration = Duration::minutes(3);
/// The smallest movement of a range that is worth an event.
const MIN_MOVE: Duration = Duration::minutes(2);
/// The part of the time left by which a range has to move to be worth an event.
const MIN_MOVE_SHARE: f64 = 0.25;

/// The time in which eight deliveries in ten arrive, to the minute: from the beginning of the first to the end of the
/// last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub earliest: OffsetDateTime,
    pub latest: OffsetDateTime,
}

/// The facts that an arrival depends on.
#[derive(Clone, Debug)]
pub(crate) struct Situation {
    pub status: DeliveryStatus,
    pub restaurant: RestaurantId,
    /// The time that the restaurant needs more because it is busy.
    pub busy: Duration,
    /// The time of the assignment, or of setting out: whichever the status says.
    pub since: OffsetDateTime,
    /// The time of the driver's position by the device's clock.
    pub seen_at: Option<OffsetDateTime>,
    /// The rides until the driver has the food: other doors first, then the restaurant. Empty once it is on the way,
    /// and while the driver's position is unknown.
    pub rides_before: Vec<Ride>,
    /// The rides with the food: other doors on the way first, then the customer's.
    pub rides_with_food: Vec<Ride>,
}

/// A range with the rides that it is drawn from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Forecast {
    pub range: Range,
    pub expected: OffsetDateTime,
    pub basis: EtaBasis,
    pub ride_metres: f64,
    pub ride_seconds: f64,
}

/// The expected arrival of a delivery as it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Eta {
    pub range: Range,
    /// The time of the forecast.
    pub at: OffsetDateTime,
}

/// The shown part of a delivery under way: the expected arrival, if there is one yet, and the status with its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    pub eta: Option<Eta>,
    pub status: DeliveryStatus,
    pub since: OffsetDateTime,
}

impl Shown {
    /// The reason to show another range; `None` while that is not worth an event.
    pub fn reason_for(&self, next: Range, now: OffsetDateTime) -> Option<EtaReason> {
        let Some(eta) = self.eta else {
            return Some(EtaReason::Assigned);
        };
        if eta.at >= self.since {
            return eta.range.reason_for(next, now);
        }
        Some(match self.status {
            DeliveryStatus::PickedUp => EtaReason::Reassigned,
            DeliveryStatus::OnTheWay | DeliveryStatus::Delivered => EtaReason::SetOut,
        })
    }
}

impl Situation {
    /// The range for the arrival as it looks now; `None` if the route to the customer is unknown.
    pub fn forecast(&self, statistics: &TripStatistics, now: OffsetDateTime) -> Option<Forecast> {
        if self.rides_with_food.is_empty() {
            return None;
        }
        // A driver who is not seen rides on, for a while.
        let seen_at = |at: OffsetDateTime| at.clamp(now - MAX_UNSEEN, now);
        let departure = match self.status {
            DeliveryStatus::PickedUp => {
                let ready = self.since + statistics.preparation(self.restaurant) + self.busy;
                let there = seen_at(self.seen_at.unwrap_or(now))
                    + riding(&self.rides_before, statistics, now);
                ready.max(there).max(now)
            }
            DeliveryStatus::OnTheWay | DeliveryStatus::Delivered => {
                self.seen_at.map_or(self.since, seen_at)
            }
        };
        let arrival = departure + riding(&self.rides_with_food, statistics, now);
        let arrival = arrival.max(now + STOP);
        let is_on_streets = |ride: &Ride| ride.basis == EtaBasis::Street;
        let range = statistics.range(now, arrival);
        Some(Forecast {
            range: if self.is_at_the_door() {
                range.begun_by(now)
            } else {
                range
            },
            expected: arrival,
            basis: if self.rides_with_food.iter().all(is_on_streets) {
                EtaBasis::Street
            } else {
                EtaBasis::Straight
            },
            ride_metres: self.rides_with_food.iter().map(|ride| ride.metres).sum(),
            ride_seconds: self.rides_with_food.iter().map(|ride| ride.seconds).sum(),
        })
    }

    /// True once only the hand-over is still to come.
    fn is_at_the_door(&self) -> bool {
        let is_on_the_way = self.status == DeliveryStatus::OnTheWay;
        is_on_the_way
            && matches!(self.rides_with_food.as_slice(), [last] if last.metres <= SAME_DOOR)
    }
}

/// The time that rides take, with a stop at the end of each.
fn riding(rides: &[Ride], statistics: &TripStatistics, now: OffsetDateTime) -> Duration {
    rides
        .iter()
        .map(|ride| statistics.riding_with_stop(ride, now))
        .sum()
}

impl Range {
    /// Eight in ten arrive between these parts of the time left.
    pub fn around(now: OffsetDateTime, arrival: OffsetDateTime, (low, high): (f64, f64)) -> Self {
        let left = (arrival - now).max(Duration::ZERO);
        let earliest = nearest_minute(now + left * low);
        // The last minute is part of the range, to its end.
        let latest = nearest_minute(now + left * high - Duration::MINUTE);
        Self {
            earliest,
            latest: latest.max(earliest + Duration::MINUTE),
        }
    }

    /// The range, begun by now: the hand-over may be in this minute. Otherwise a driver who waits at the door would move
    /// it away without end.
    fn begun_by(self, now: OffsetDateTime) -> Self {
        let minute = now
            .replace_second(0)
            .and_then(|now| now.replace_nanosecond(0));
        Self {
            earliest: self.earliest.min(minute.unwrap_or(now)),
            ..self
        }
    }

    pub fn middle(self) -> OffsetDateTime {
        self.earliest + (self.latest - self.earliest) / 2
    }

    /// The reason to replace this range by another one; `None` while they are close.
    fn reason_for(self, next: Self, now: OffsetDateTime) -> Option<EtaReason> {
        let moved = next.middle() - self.middle();
        let worth = ((self.middle() - now) * MIN_MOVE_SHARE).max(MIN_MOVE);
        let is_over = now > self.latest && next.latest > self.latest;
        if moved <= -worth {
            Some(EtaReason::Earlier)
        } else if moved >= worth || is_over {
            Some(EtaReason::Later)
        } else {
            None
        }
    }
}

fn nearest_minute(time: OffsetDateTime) -> OffsetDateTime {
    let time = time + Duration::seconds(30);
    time.replace_second(0)
        .and_then(|time| time.replace_nanosecond(0))
        .unwrap_or(time)
}
