//! Distances to a piece of street, on the plane: a piece is too short for the earth to bend.

use tiffin_events::Coordinates;

/// Metres in a degree of latitude.
const METRES_PER_DEGREE: f64 = 111_195.0;

/// The distance in metres from a place to the piece between two others.
pub(super) fn metres_to(from: Coordinates, to: Coordinates, place: Coordinates) -> f64 {
    let width = METRES_PER_DEGREE * from.lat.to_radians().cos();
    let project = |other: Coordinates| {
        (
            (other.lng - from.lng) * width,
            (other.lat - from.lat) * METRES_PER_DEGREE,
        )
    };
    let ((x, y), (px, py)) = (project(to), project(place));
    let length = x * x + y * y;
    let part = if length > 0.0 {
        ((px * x + py * y) / length).clamp(0.0, 1.0)
    } else {
        0.0
    };
    (px - part * x).hypot(py - part * y)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(lat: f64, lng: f64) -> Coordinates {
        Coordinates { lat, lng }
    }

    #[test]
    fn the_distance_is_that_to_the_nearest_point_of_the_piece() {
        let (from, to) = (at(6.90, 79.86), at(6.90, 79.87));
        for (place, nearest) in [
            (at(6.901, 79.865), at(6.90, 79.865)),
            (at(6.90, 79.88), to),
            (at(6.899, 79.859), from),
        ] {
            let metres = metres_to(from, to, place);
            assert!((metres - place.metres_to(nearest)).abs() < 0.5, "{metres}");
        }
        assert!((metres_to(from, from, to) - from.metres_to(to)).abs() < 1.0);
    }
}
