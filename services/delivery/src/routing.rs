//! Routes on streets, from the router of `TIFFIN_ROUTER_URL` (an OSRM); straight lines where it has no answer.

mod addresses;
mod answer;
mod outage;
mod segment;
mod straight;

use std::{fmt::Write, time::Duration};

use reqwest::{Client, StatusCode};
use serde::de::DeserializeOwned;
use tiffin_chassis::{Env, env::EnvError};
use tiffin_events::{Coordinates, delivery::EtaBasis};

use addresses::Addresses;
use answer::{FullTableAnswer, RouteAnswer, TableAnswer};
use outage::Outage;

pub(crate) use addresses::Profile;

/// The longest wait for an answer. A route takes the router a millisecond.
const REPLY_TIMEOUT: Duration = Duration::from_secs(2);

/// The largest distance in metres from a driver to where the food goes, unless the restaurant is further away. A
/// position beyond it is a device's mistake.
const REACH: f64 = 60_000.0;

/// True if a driver can be at this place: not in another part of the country.
pub(crate) fn is_within_reach(
    driver: Coordinates,
    restaurant: Option<Coordinates>,
    destination: Coordinates,
) -> bool {
    let distance = restaurant.map_or(0.0, |place| place.metres_to(destination));
    driver.metres_to(destination) <= REACH.max(2.0 * distance)
}

/// The seconds of a ride in a straight line with a detour.
pub(crate) fn straight_seconds(from: Coordinates, to: Coordinates) -> f64 {
    straight::ride(from, to).seconds
}

/// Finds routes.
#[derive(Clone, Debug)]
pub(crate) struct Router {
    http: Client,
    addresses: Option<Addresses>,
    outage: Outage,
}

/// The length and the duration of a route.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ride {
    pub metres: f64,
    /// By the router, for an average driver on empty streets.
    pub seconds: f64,
    pub basis: EtaBasis,
}

/// A route to draw.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Route {
    pub points: Vec<Coordinates>,
    pub ride: Ride,
}

impl Route {
    /// The distance in metres from a place to the nearest point of the route.
    pub fn metres_off(&self, place: Coordinates) -> f64 {
        let pairs = self.points.windows(2);
        let distances = pairs.map(|pair| segment::metres_to(pair[0], pair[1], place));
        distances.fold(f64::INFINITY, f64::min)
    }
}

impl Router {
    /// `TIFFIN_ROUTER_URL`; all routes are straight lines without it.
    pub fn new(env: &Env) -> Result<Self, EnvError> {
        let http = Client::builder().timeout(REPLY_TIMEOUT).build();
        Ok(Self {
            http: http.unwrap_or_default(),
            addresses: env.parse("TIFFIN_ROUTER_URL")?,
            outage: Outage::default(),
        })
    }

    /// The route from one place to another.
    pub async fn route(&self, profile: Profile, from: Coordinates, to: Coordinates) -> Route {
        let query = "overview=full&geometries=geojson";
        let answer: Option<RouteAnswer> = self.get("route", profile, &[from, to], query).await;
        answer
            .and_then(RouteAnswer::into_route)
            .unwrap_or_else(|| straight::route(from, to))
    }

    /// The rides between consecutive places.
    pub async fn rides(&self, profile: Profile, places: &[Coordinates]) -> Vec<Ride> {
        if places.len() < 2 {
            return Vec::new();
        }
        let answer: Option<RouteAnswer> =
            self.get("route", profile, places, "overview=false").await;
        answer
            .and_then(RouteAnswer::rides)
            .unwrap_or_else(|| straight::rides(places))
    }

    /// The ride from each of several places to one.
    pub async fn rides_to(
        &self,
        profile: Profile,
        from: &[Coordinates],
        to: Coordinates,
    ) -> Vec<Ride> {
        if from.is_empty() {
            return Vec::new();
        }
        let places: Vec<_> = [&[to], from].concat();
        let query = "destinations=0&annotations=duration,distance";
        let answer: Option<TableAnswer> = self.get("table", profile, &places, query).await;
        let ride = |(index, place): (usize, &Coordinates)| {
            let routed = answer.as_ref().and_then(|answer| answer.ride(index + 1));
            routed.unwrap_or_else(|| straight::ride(*place, to))
        };
        from.iter().enumerate().map(ride).collect()
    }

    /// The seconds of the rides among places, as far as the router knows them.
    pub async fn table(
        &self,
        profile: Profile,
        places: &[Coordinates],
    ) -> Vec<(Coordinates, Coordinates, f64)> {
        if places.len() < 2 {
            return Vec::new();
        }
        let query = "annotations=duration";
        let answer: Option<FullTableAnswer> = self.get("table", profile, places, query).await;
        answer.map_or_else(Vec::new, |answer| answer.rides(places))
    }

    /// An answer of the router; `None` if there is no router, if it knows no route, or if it is away.
    async fn get<T: DeserializeOwned>(
        &self,
        operation: &str,
        profile: Profile,
        places: &[Coordinates],
        query: &str,
    ) -> Option<T> {
        let base = self.addresses.as_ref()?.of(profile);
        if self.outage.is_paused() {
            return None;
        }
        let url = format!("{base}/{operation}/v1/{profile}/{}?{query}", list(places));
        let answer = self.http.get(url).send().await;
        let read = match answer {
            // The router refuses places that it knows no street for.
            Ok(answer) if answer.status() == StatusCode::BAD_REQUEST => Ok(None),
            Ok(answer) => match answer.error_for_status() {
                Ok(answer) => answer.json().await.map(Some),
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        };
        match read {
            Ok(answer) => {
                self.outage.end();
                answer
            }
            // Without the URL, which holds people's places.
            Err(error) => {
                let timed_out = error.is_timeout();
                self.outage.record(&error.without_url(), timed_out);
                None
            }
        }
    }
}

/// Places as the router reads them: longitude and latitude.
fn list(places: &[Coordinates]) -> String {
    let mut text = String::new();
    for place in places {
        let separator = if text.is_empty() { "" } else { ";" };
        // A String takes everything.
        let _ = write!(text, "{separator}{:.6},{:.6}", place.lng, place.lat);
    }
    text
}
