//! Places on the earth.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// WGS 84 degrees. `0,0` is what the wire says when a place is unknown; it is never drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema, ToSchema)]
pub struct Coordinates {
    /// Degrees north, -90 to 90.
    pub lat: f64,
    /// Degrees east, -180 to 180.
    pub lng: f64,
}

/// A cell's height in degrees: a kilometre.
const CELL_HEIGHT: f64 = 1.0 / 111.195;
/// The cells about a pole are this many times as wide in degrees as those at the equator, at most.
const MAX_WIDENING: f64 = 100.0;

/// Coordinates that are not on the earth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("lat must be from -90 to 90 and lng from -180 to 180")]
pub struct OffTheEarth;

impl Coordinates {
    pub const UNKNOWN: Self = Self { lat: 0.0, lng: 0.0 };

    pub fn new(lat: f64, lng: f64) -> Result<Self, OffTheEarth> {
        let on_earth = (-90.0..=90.0).contains(&lat) && (-180.0..=180.0).contains(&lng);
        if on_earth {
            Ok(Self { lat, lng })
        } else {
            Err(OffTheEarth)
        }
    }

    pub fn is_known(self) -> bool {
        self != Self::UNKNOWN
    }

    /// Metres along the great circle (haversine on a sphere of 6,371,008.8 m, the IUGG mean radius).
    pub fn metres_to(self, other: Self) -> f64 {
        let (from, to) = (self.lat.to_radians(), other.lat.to_radians());
        let half_lat = ((to - from) / 2.0).sin();
        let half_lng = ((other.lng - self.lng).to_radians() / 2.0).sin();
        let a = half_lat * half_lat + from.cos() * to.cos() * half_lng * half_lng;
        2.0 * 6_371_008.8 * a.sqrt().min(1.0).asin()
    }

    /// The middle of the cell, of about one square kilometre, that the place is in. Owners see no more of a driver.
    #[must_use]
    pub fn cell(self) -> Self {
        let lat = middle(self.lat, CELL_HEIGHT);
        let width = CELL_HEIGHT * (1.0 / lat.to_radians().cos().abs()).min(MAX_WIDENING);
        Self {
            lat,
            lng: middle(self.lng, width),
        }
    }
}

fn middle(degrees: f64, size: f64) -> f64 {
    ((degrees / size).floor() + 0.5) * size
}

impl<'de> Deserialize<'de> for Coordinates {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Raw {
            lat: f64,
            lng: f64,
        }
        let raw = Raw::deserialize(deserializer)?;
        Self::new(raw.lat, raw.lng).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::Coordinates;

    #[test]
    fn only_finite_degrees_on_the_earth_are_taken() {
        assert!(Coordinates::new(6.9271, 79.8612).is_ok());
        for (lat, lng) in [
            (90.1, 0.0),
            (0.0, 180.1),
            (f64::NAN, 0.0),
            (0.0, f64::INFINITY),
        ] {
            assert!(Coordinates::new(lat, lng).is_err(), "{lat}, {lng}");
        }
    }

    #[test]
    fn a_cell_is_about_a_kilometre_everywhere() {
        let at = |lat, lng| Coordinates { lat, lng };
        for (lat, lng) in [
            (6.9271, 79.8612),
            (0.0, 0.0),
            (-33.87, 151.2),
            (60.17, 24.94),
        ] {
            let place = at(lat, lng);
            let middle = place.cell();
            let off = place.metres_to(middle);
            assert!(off <= 720.0, "{lat},{lng}: {off} m from the middle");
            assert_eq!(middle.cell(), middle);
        }
        let pole = at(90.0, 0.0).cell();
        assert!(pole.lat.is_finite() && pole.lng.is_finite());
    }

    #[test]
    fn one_degree_of_latitude_is_about_111_km() {
        let metres = Coordinates {
            lat: 6.0,
            lng: 79.0,
        }
        .metres_to(Coordinates {
            lat: 7.0,
            lng: 79.0,
        });
        assert!((metres - 111_195.0).abs() < 50.0, "{metres}");
    }
}
