//! Checks of a position.

use tiffin_events::{Coordinates, live::DevicePosition};
use time::{Duration, OffsetDateTime};

use crate::refusal::Refusal;

/// The furthest that a device's clock may be ahead of ours.
const MAX_AHEAD: Duration = Duration::seconds(60);
/// The oldest position that is of use: the stream keeps them for a day.
const MAX_AGE: Duration = Duration::hours(24);

/// Checks that a position's values are within bounds and its time is of the last day.
pub fn check(position: &DevicePosition, now: OffsetDateTime) -> Result<(), Refusal> {
    if Coordinates::new(position.lat, position.lng).is_err() {
        return Err(Refusal::Coordinates);
    }
    let is_fine = |value: Option<f64>, most: f64| value.is_none_or(|v| (0.0..=most).contains(&v));
    if !is_fine(position.heading, 360.0) {
        return Err(Refusal::Heading);
    }
    if !is_fine(position.speed, 1_000.0) {
        return Err(Refusal::Speed);
    }
    if !is_fine(position.accuracy, f64::MAX) {
        return Err(Refusal::Accuracy);
    }
    if position.at > now + MAX_AHEAD {
        return Err(Refusal::Future);
    }
    if position.at < now - MAX_AGE {
        return Err(Refusal::Past);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-11-21 09:00 UTC);

    fn checked(change: impl FnOnce(&mut DevicePosition)) -> Result<(), Refusal> {
        let mut position = DevicePosition {
            delivery_id: None,
            lat: 6.9,
            lng: 79.8,
            accuracy: Some(5.0),
            heading: Some(0.0),
            speed: Some(7.5),
            at: NOW,
        };
        change(&mut position);
        check(&position, NOW)
    }

    #[test]
    fn only_a_place_and_time_that_can_be_is_taken() {
        assert_eq!(checked(|_| {}), Ok(()));
        assert_eq!(checked(|position| position.at = NOW + MAX_AHEAD), Ok(()));
        let wrong: [fn(&mut DevicePosition); 8] = [
            |position| position.lat = 90.5,
            |position| position.lng = f64::NAN,
            |position| position.heading = Some(361.0),
            |position| position.heading = Some(f64::NAN),
            |position| position.speed = Some(-1.0),
            |position| position.accuracy = Some(-0.5),
            |position| position.at = NOW + MAX_AHEAD + Duration::SECOND,
            |position| position.at = NOW - MAX_AGE - Duration::SECOND,
        ];
        for change in wrong {
            assert!(checked(change).is_err());
        }
    }
}
