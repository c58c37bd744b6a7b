//! The limit of a delivery's positions, over all sockets of this bridge.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use tiffin_events::DeliveryId;
use time::{Duration, OffsetDateTime};

/// Positions that may come at once: ten minutes without a connection, at one a second.
const MAX_BURST: Duration = Duration::seconds(600);
/// After a burst a delivery takes one position in this time.
const POSITION_INTERVAL: Duration = Duration::SECOND;
/// The number of deliveries from which on those with a whole allowance are dropped.
const MAX_REMEMBERED: usize = 4_096;

/// A token bucket for each delivery. It counts arrivals, so made-up times of positions change nothing.
#[derive(Clone, Debug, Default)]
pub struct PositionRates(Arc<Mutex<HashMap<DeliveryId, OffsetDateTime>>>);

impl PositionRates {
    /// Counts a position; false where there are too many. Each delivery has the time at which its
    /// allowance is whole again.
    pub fn take(&self, id: DeliveryId, now: OffsetDateTime) -> bool {
        let mut whole = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if whole.len() >= MAX_REMEMBERED {
            whole.retain(|_, at| *at > now);
        }
        let at = whole.entry(id).or_insert(now);
        let next = (*at).max(now) + POSITION_INTERVAL;
        let is_allowed = next - now <= MAX_BURST;
        if is_allowed {
            *at = next;
        }
        is_allowed
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_delivery_takes_a_buffer_and_then_one_a_second() {
        let (rates, now) = (PositionRates::default(), datetime!(2026-11-21 09:00 UTC));
        let count = |n: u128, now, tries: usize| {
            let id = DeliveryId(Uuid::from_u128(n));
            (0..tries).filter(|_| rates.take(id, now)).count()
        };
        assert_eq!(count(1, now, 22_000), 600);
        assert_eq!(count(1, now + Duration::seconds(5), 22_000), 5);
        assert_eq!(count(2, now, 100), 100);
    }
}
