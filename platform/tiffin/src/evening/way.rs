//! A ride along the streets.

use serde::Deserialize;
use tiffin_events::Coordinates;

/// A leg of a delivery's route, as the platform answers it.
#[derive(Debug, Deserialize)]
pub struct Leg {
    pub points: Vec<Coordinates>,
    pub seconds: f64,
}

/// The points of a ride, with the metres from its beginning to each.
#[derive(Debug)]
pub struct Way {
    points: Vec<(f64, Coordinates)>,
}

/// A place on a way, with the direction in degrees clockwise from north.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    pub place: Coordinates,
    pub heading: f64,
}

impl Way {
    pub fn new(points: &[Coordinates]) -> Self {
        let mut metres = 0.0;
        let mut last = None;
        let with_metres = points.iter().map(|point| {
            metres += last.map_or(0.0, |last: Coordinates| last.metres_to(*point));
            last = Some(*point);
            (metres, *point)
        });
        Self {
            points: with_metres.collect(),
        }
    }

    pub fn metres(&self) -> f64 {
        self.points.last().map_or(0.0, |(metres, _)| *metres)
    }

    /// The place so many metres from the beginning; `None` of a way without points.
    pub fn at(&self, metres: f64) -> Option<Spot> {
        let next = self.points.iter().position(|(at, _)| *at >= metres);
        let next = next.unwrap_or(self.points.len().checked_sub(1)?).max(1);
        let (begin, from) = *self.points.get(next - 1)?;
        let (end, to) = *self.points.get(next).unwrap_or(&(begin, from));
        let part = if end > begin {
            ((metres - begin) / (end - begin)).clamp(0.0, 1.0)
        } else {
            1.0
        };
        Some(Spot {
            place: Coordinates {
                lat: from.lat + (to.lat - from.lat) * part,
                lng: from.lng + (to.lng - from.lng) * part,
            },
            heading: heading(from, to),
        })
    }
}

/// The direction between two places of one city.
fn heading(from: Coordinates, to: Coordinates) -> f64 {
    let east = (to.lng - from.lng) * from.lat.to_radians().cos();
    east.atan2(to.lat - from.lat).to_degrees().rem_euclid(360.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn place(lat: f64, lng: f64) -> Coordinates {
        Coordinates { lat, lng }
    }

    #[test]
    fn a_ride_keeps_to_its_points() {
        let corner = place(6.91, 79.85);
        let way = Way::new(&[place(6.90, 79.85), corner, place(6.91, 79.86)]);
        let north = place(6.90, 79.85).metres_to(corner);
        assert!((way.metres() - north - corner.metres_to(place(6.91, 79.86))).abs() < 0.01);
        let half = way.at(north / 2.0).unwrap();
        assert!(half.place.metres_to(place(6.905, 79.85)) < 1.0 && half.heading < 0.01);
        let east = way.at(north + 100.0).unwrap();
        assert!((east.place.metres_to(corner) - 100.0).abs() < 1.0);
        assert!((east.heading - 90.0).abs() < 0.01);
        assert_eq!(way.at(0.0).unwrap().place, place(6.90, 79.85));
        assert!(way.at(1e9).unwrap().place.metres_to(place(6.91, 79.86)) < 0.01);
    }

    #[test]
    fn a_way_of_one_place_stays_there() {
        assert_eq!(Way::new(&[]).at(5.0), None);
        assert_eq!(
            Way::new(&[place(6.9, 79.9)]).at(5.0).unwrap().place,
            place(6.9, 79.9)
        );
    }
}
