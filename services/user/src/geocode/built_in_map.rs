//! Addresses by the built-in map: the street at a place, and the part of town.

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::Value;
use tiffin_events::Coordinates;

/// The base map that the web app draws.
const MAP_JSON: &str = include_str!("../../../../web/public/map/colombo.json");

/// The largest distance from the middle of a street to an address in it, in metres.
const STREET_RADIUS: f64 = 120.0;
/// The largest distance from the name of a part of town to an address in it, in metres.
const PLACE_RADIUS: f64 = 4_000.0;
/// Metres in a degree of latitude.
const METRES_PER_DEGREE: f64 = 111_320.0;

static MAP: LazyLock<NamedMap> = LazyLock::new(|| NamedMap::read(MAP_JSON));

/// The named parts of the map. Points are longitude and latitude.
#[derive(Debug, Default)]
struct NamedMap {
    streets: Vec<(String, Vec<[f64; 2]>)>,
    places: Vec<(String, [f64; 2])>,
}

#[derive(Deserialize)]
struct Map {
    features: Vec<Feature>,
}

#[derive(Deserialize)]
struct Feature {
    properties: Properties,
    geometry: Geometry,
}

#[derive(Deserialize)]
struct Properties {
    kind: String,
    name: Option<String>,
}

#[derive(Deserialize)]
struct Geometry {
    coordinates: Value,
}

/// `Galle Road, Kollupitiya`; `None` beyond the map.
pub(super) fn address(at: Coordinates) -> Option<String> {
    MAP.address(at)
}

impl NamedMap {
    fn read(map: &str) -> Self {
        let mut named = Self::default();
        let map: Map = match serde_json::from_str(map) {
            Ok(map) => map,
            Err(error) => {
                tracing::error!(%error, "the built-in map can't be read");
                return named;
            }
        };
        for feature in map.features {
            let Some(name) = feature.properties.name else {
                continue;
            };
            let shape = feature.geometry.coordinates;
            match feature.properties.kind.as_str() {
                "road" => named
                    .streets
                    .extend(serde_json::from_value(shape).map(|line| (name, line))),
                "place" => named
                    .places
                    .extend(serde_json::from_value(shape).map(|point| (name, point))),
                _ => {}
            }
        }
        named
    }

    fn address(&self, at: Coordinates) -> Option<String> {
        let places = self.places.iter();
        let place = nearest(places.map(|(name, point)| (name, distance(at, *point, *point))));
        let place = place.filter(|(_, metres)| *metres <= PLACE_RADIUS)?;
        let streets = self.streets.iter().flat_map(|(name, line)| {
            line.windows(2).filter_map(move |part| match part {
                [from, to] => Some((name, distance(at, *from, *to))),
                _ => None,
            })
        });
        let street = nearest(streets).filter(|(_, metres)| *metres <= STREET_RADIUS);
        Some(match street {
            Some((street, _)) => format!("{street}, {}", place.0),
            None => place.0.clone(),
        })
    }
}

fn nearest<'a>(named: impl Iterator<Item = (&'a String, f64)>) -> Option<(&'a String, f64)> {
    named.min_by(|(_, one), (_, other)| one.total_cmp(other))
}

/// Metres from a point to the part of a line between two others, on a plane: a town is flat.
fn distance(at: Coordinates, from: [f64; 2], to: [f64; 2]) -> f64 {
    let flat = |[lng, lat]: [f64; 2]| {
        let x = (lng - at.lng) * METRES_PER_DEGREE * at.lat.to_radians().cos();
        (x, (lat - at.lat) * METRES_PER_DEGREE)
    };
    let ((x, y), (to_x, to_y)) = (flat(from), flat(to));
    let (along_x, along_y) = (to_x - x, to_y - y);
    let length = along_x.powi(2) + along_y.powi(2);
    let share = if length > 0.0 {
        (-(x * along_x + y * along_y) / length).clamp(0.0, 1.0)
    } else {
        0.0
    };
    (x + share * along_x).hypot(y + share * along_y)
}

#[cfg(test)]
mod tests {
    use tiffin_events::Coordinates;

    use super::{MAP, address, distance};

    fn at(lat: f64, lng: f64) -> Option<String> {
        address(Coordinates { lat, lng })
    }

    #[test]
    fn the_map_names_streets_and_places() {
        assert!(MAP.streets.len() > 100 && MAP.places.len() > 40);
        assert_eq!(
            at(6.8803, 79.8718).as_deref(),
            Some("High Level Road, Kirulapone")
        );
        assert_eq!(
            at(6.9156, 79.8776).as_deref(),
            Some("Maradana Road, Borella")
        );
    }

    #[test]
    fn off_the_streets_the_district_is_named_and_beyond_the_map_nothing() {
        // On the water before Galle Face.
        assert_eq!(at(6.925, 79.835).as_deref(), Some("Port City"));
        assert_eq!(at(7.2906, 80.6337), None);
        assert_eq!(at(0.0, 0.0), None);
        assert_eq!(at(-90.0, 180.0), None);
    }

    #[test]
    fn a_line_is_near_along_its_length_and_far_beyond_its_ends() {
        let here = Coordinates { lat: 0.0, lng: 0.0 };
        let metres = |from, to| distance(here, from, to).round();
        assert!((metres([-1.0, 0.001], [1.0, 0.001]) - 111.0).abs() < 1.0);
        assert!((metres([0.001, 0.0], [1.0, 0.0]) - 111.0).abs() < 1.0);
        assert!((metres([0.001, 0.0], [0.001, 0.0]) - 111.0).abs() < 1.0);
    }
}
