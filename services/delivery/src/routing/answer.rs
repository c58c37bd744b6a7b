//! The router's answers. See the [HTTP interface of OSRM](https://project-osrm.org/docs/v5.24.0/api/).

use serde::Deserialize;
use tiffin_events::{Coordinates, delivery::EtaBasis};

use super::{Ride, Route};

/// The largest distance in metres from a place to its street. A place further away is on water or off the map.
const MAX_SNAP: f64 = 500.0;

#[derive(Debug, Deserialize)]
pub(super) struct RouteAnswer {
    routes: Vec<FoundRoute>,
    waypoints: Vec<Waypoint>,
}

#[derive(Debug, Deserialize)]
struct FoundRoute {
    geometry: Option<Line>,
    legs: Vec<Leg>,
}

#[derive(Debug, Deserialize)]
struct Leg {
    distance: f64,
    duration: f64,
}

#[derive(Debug, Deserialize)]
struct Line {
    /// Longitude and latitude.
    coordinates: Vec<[f64; 2]>,
}

/// A place on its street.
#[derive(Debug, Deserialize)]
struct Waypoint {
    /// Metres from the place to the street.
    distance: f64,
}

#[derive(Debug, Deserialize)]
pub(super) struct TableAnswer {
    /// From each place to the first; `None` without a route.
    durations: Vec<[Option<f64>; 1]>,
    distances: Vec<[Option<f64>; 1]>,
    sources: Vec<Waypoint>,
}

#[derive(Debug, Deserialize)]
pub(super) struct FullTableAnswer {
    /// From each place to each; `None` without a route.
    durations: Vec<Vec<Option<f64>>>,
    sources: Vec<Waypoint>,
}

impl FullTableAnswer {
    /// The seconds from one place to another, without places that are on no street.
    pub fn rides(&self, places: &[Coordinates]) -> Vec<(Coordinates, Coordinates, f64)> {
        let on_street = |index: usize| {
            self.sources
                .get(index)
                .is_some_and(Waypoint::is_on_a_street)
        };
        let mut rides = Vec::new();
        for (from, row) in self.durations.iter().enumerate() {
            for (to, seconds) in row.iter().enumerate() {
                let places = places.get(from).zip(places.get(to));
                if let Some(((start, end), seconds)) = places.zip(*seconds)
                    && on_street(from)
                    && on_street(to)
                {
                    rides.push((*start, *end, seconds));
                }
            }
        }
        rides
    }
}

impl Waypoint {
    fn is_on_a_street(&self) -> bool {
        self.distance <= MAX_SNAP
    }
}

fn ride(metres: f64, seconds: f64) -> Ride {
    Ride {
        metres,
        seconds,
        basis: EtaBasis::Street,
    }
}

impl RouteAnswer {
    /// The ride of each leg; `None` where a place is on no street.
    pub fn rides(self) -> Option<Vec<Ride>> {
        if !self.waypoints.iter().all(Waypoint::is_on_a_street) {
            return None;
        }
        let legs = self.routes.into_iter().next()?.legs;
        Some(
            legs.iter()
                .map(|leg| ride(leg.distance, leg.duration))
                .collect(),
        )
    }

    /// The first leg with its points.
    pub fn into_route(mut self) -> Option<Route> {
        let line = self.routes.first_mut()?.geometry.take()?;
        let points: Option<Vec<_>> = line
            .coordinates
            .into_iter()
            .map(|[lng, lat]| Coordinates::new(lat, lng).ok())
            .collect();
        let ride = self.rides()?.into_iter().next()?;
        Some(Route {
            points: points?,
            ride,
        })
    }
}

impl TableAnswer {
    /// The ride from the place with this index to the first one.
    pub fn ride(&self, index: usize) -> Option<Ride> {
        let are_on_streets =
            self.sources.first()?.is_on_a_street() && self.sources.get(index)?.is_on_a_street();
        let [seconds] = self.durations.get(index)?;
        let [metres] = self.distances.get(index)?;
        are_on_streets.then(|| Some(ride((*metres)?, (*seconds)?)))?
    }
}
