//! Rides on streets among the stops of a few drivers, from the router's table.

use std::collections::HashMap;

use tiffin_events::{Coordinates, driver::VehicleType};

use super::Paced;
use crate::{
    dispatch::{Courier, OpenOrder, Travel},
    routing::{Profile, Router},
};

/// The largest number of places in one table; OSRM refuses more than a hundred.
const MAX_PLACES: usize = 100;

/// The seconds of rides that the router knows; straight lines otherwise.
pub(super) struct Streets {
    seconds: HashMap<(Profile, Place, Place), f64>,
    straight: Paced,
}

/// A place as a key: both degrees, bit by bit.
type Place = (u64, u64);

impl Streets {
    /// Asks the router once for each kind of vehicle.
    pub async fn find(
        router: &Router,
        couriers: &[Courier],
        order: &OpenOrder,
        straight: Paced,
    ) -> Self {
        let mut places: HashMap<Profile, Vec<Coordinates>> = HashMap::new();
        for courier in couriers {
            let stops = courier.tour.iter().map(|stop| stop.place);
            let all = courier.place.into_iter().chain(stops);
            let known = places.entry(Profile::of(courier.vehicle)).or_default();
            for place in all.chain([order.restaurant, order.door]) {
                if !known.contains(&place) {
                    known.push(place);
                }
            }
        }
        let mut seconds = HashMap::new();
        for (profile, places) in places {
            if places.len() <= MAX_PLACES {
                for (from, to, ride) in router.table(profile, &places).await {
                    seconds.insert((profile, key(from), key(to)), ride * straight.pace);
                }
            }
        }
        Self { seconds, straight }
    }
}

impl Travel for Streets {
    fn seconds(&self, vehicle: Option<VehicleType>, from: Coordinates, to: Coordinates) -> f64 {
        let ride = (Profile::of(vehicle), key(from), key(to));
        let known = self.seconds.get(&ride).copied();
        known.unwrap_or_else(|| self.straight.seconds(vehicle, from, to))
    }
}

const fn key(place: Coordinates) -> Place {
    (place.lat.to_bits(), place.lng.to_bits())
}
