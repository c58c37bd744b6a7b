//! Straight lines, where the router has no route.

use tiffin_events::{Coordinates, delivery::EtaBasis};

use super::{Ride, Route};

/// The ratio of a street's length to the straight line.
const DETOUR: f64 = 1.35;
/// The speed of a scooter in a town, in metres a second.
const SPEED: f64 = 6.0;

pub(super) fn ride(from: Coordinates, to: Coordinates) -> Ride {
    let metres = from.metres_to(to) * DETOUR;
    Ride {
        metres,
        seconds: metres / SPEED,
        basis: EtaBasis::Straight,
    }
}

pub(super) fn rides(places: &[Coordinates]) -> Vec<Ride> {
    places
        .windows(2)
        .map(|pair| ride(pair[0], pair[1]))
        .collect()
}

pub(super) fn route(from: Coordinates, to: Coordinates) -> Route {
    Route {
        points: vec![from, to],
        ride: ride(from, to),
    }
}
