//! The precision of the distances that owners get. A driver's position is moved to the middle of its grid cell
//! first, and the distance is then rounded down to one of four. Any number of requests from different places
//! reveals the cell and no more.

use tiffin_events::Coordinates;

/// The distances that owners get, in metres: from this one up to the next.
const DISTANCES: [i64; 4] = [0, 1_000, 2_000, 5_000];

/// At least how far a driver's cell is from a restaurant, metres: 0, 1,000, 2,000 or 5,000.
pub fn distance(from: Coordinates, driver: Coordinates) -> i64 {
    let metres = from.metres_to(driver.cell());
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

#[cfg(test)]
mod tests {
    use tiffin_events::Coordinates;

    use super::distance;

    fn at(lat: f64, lng: f64) -> Coordinates {
        Coordinates { lat, lng }
    }

    #[test]
    fn distances_come_in_four_steps() {
        let driver = at(6.9271, 79.8612);
        let middle = driver.cell();
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
