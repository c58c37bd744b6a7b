//! The precision of the distances that owners get. A driver's position is moved to the middle of its grid cell
//! first, and the distance is then rounded down to one of four. Any number of requests from different places
//! reveals the cell and no more.

use tiffin_events::Coordinates;

/// A cell's height in degrees: a kilometre.
const CELL_HEIGHT: f64 = 1.0 / 111.195;
/// The cells about a pole are this many times as wide in degrees as those at the equator, at most.
const MAX_WIDENING: f64 = 100.0;
/// The distances that owners get, in metres: from this one up to the next.
const DISTANCES: [i64; 4] = [0, 1_000, 2_000, 5_000];

/// The middle of the cell, of about one square kilometre, that a place is in.
pub fn cell(place: Coordinates) -> Coordinates {
    let lat = middle(place.lat, CELL_HEIGHT);
    let width = CELL_HEIGHT * (1.0 / lat.to_radians().cos().abs()).min(MAX_WIDENING);
    Coordinates {
        lat,
        lng: middle(place.lng, width),
    }
}

/// At least how far a driver's cell is from a restaurant, metres: 0, 1,000, 2,000 or 5,000.
pub fn distance(from: Coordinates, driver: Coordinates) -> i64 {
    let metres = from.metres_to(cell(driver));
    let distance = DISTANCES
        .into_iter()
        .rev()
        .find(|distance| is_beyond(metres, *distance));
    distance.unwrap_or_default()
}

#[expect(clippy::cast_precision_loss, reason = "the distances are small")]
fn is_beyond(metres: f64, distance: i64) -> bool {
    metres >= distance as f64
}

fn middle(degrees: f64, size: f64) -> f64 {
    ((degrees / size).floor() + 0.5) * size
}

#[cfg(test)]
mod tests {
    use tiffin_events::Coordinates;

    use super::{cell, distance};

    fn at(lat: f64, lng: f64) -> Coordinates {
        Coordinates { lat, lng }
    }

    #[test]
    fn a_cell_is_about_a_kilometre_everywhere() {
        for (lat, lng) in [
            (6.9271, 79.8612),
            (0.0, 0.0),
            (-33.87, 151.2),
            (60.17, 24.94),
        ] {
            let place = at(lat, lng);
            let middle = cell(place);
            let off = place.metres_to(middle);
            assert!(off <= 720.0, "{lat},{lng}: {off} m from the middle");
            assert_eq!(cell(middle), middle);
        }
        let pole = cell(at(90.0, 0.0));
        assert!(pole.lat.is_finite() && pole.lng.is_finite());
    }

    #[test]
    fn distances_come_in_four_steps() {
        let driver = at(6.9271, 79.8612);
        let middle = cell(driver);
        for (degrees, metres) in [
            (0.0, 0),
            (0.0089, 0),
            (0.0091, 1_000),
            (0.0181, 2_000),
            (0.0448, 2_000),
            (0.0451, 5_000),
            (1.0, 5_000),
        ] {
            let from = at(middle.lat + degrees, middle.lng);
            assert_eq!(distance(from, driver), metres, "{degrees}");
        }
    }
}
