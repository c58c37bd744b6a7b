//! The demo's restaurants and streets, and the evening's people who live there.

use anyhow::{Context, Result};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde::Deserialize;
use tiffin_events::{Coordinates, driver::VehicleType};

const RESTAURANTS: &str = include_str!("../../demo/restaurants.json");
const ROADS: &str = include_str!("../../demo/colombo.osm");

/// Metres between a home and the restaurants that its people order from.
const NEAR: f64 = 3_500.0;
const FIRST_NAMES: [&str; 16] = [
    "Ayesha", "Chamari", "Dinesh", "Fathima", "Gayan", "Harini", "Isuru", "Kavindi", "Lakshan",
    "Malini", "Nimal", "Pradeep", "Rizwan", "Sivani", "Tharindu", "Yasodha",
];
const LAST_NAMES: [&str; 13] = [
    "Abeysekera",
    "Balasuriya",
    "Cader",
    "De Silva",
    "Edirisinghe",
    "Gunawardena",
    "Kumarasamy",
    "Liyanage",
    "Mohamed",
    "Navaratnam",
    "Peiris",
    "Rathnayake",
    "Weerasinghe",
];
const STREETS: [&str; 8] = [
    "Temple Lane",
    "School Lane",
    "Station Road",
    "Lake Drive",
    "Park Avenue",
    "Sea View Road",
    "Mango Grove",
    "Church Road",
];

/// A restaurant as the demo's file has it.
#[derive(Debug, Deserialize)]
pub struct Restaurant {
    pub name: String,
    lat: f64,
    lng: f64,
    pub dishes: Vec<Dish>,
}

#[derive(Debug, Deserialize)]
pub struct Dish {
    pub name: String,
    /// In the platform's currency.
    pub price: u32,
}

/// An account of the evening's. The same number is always the same person.
#[derive(Clone, Debug, PartialEq)]
pub struct Person {
    pub email: String,
    pub first_name: &'static str,
    pub last_name: &'static str,
    pub phone: String,
    pub address: String,
    /// Home, or the place that a driver starts from.
    pub place: Coordinates,
    /// A driver's vehicle.
    pub vehicle: Option<VehicleType>,
}

/// Everything that does not depend on the seed.
#[derive(Debug)]
pub struct City {
    pub restaurants: Vec<Restaurant>,
    /// Places on the roads that are near a restaurant.
    corners: Vec<Coordinates>,
}

impl Restaurant {
    pub const fn place(&self) -> Coordinates {
        Coordinates {
            lat: self.lat,
            lng: self.lng,
        }
    }
}

impl City {
    pub fn read() -> Result<Self> {
        let restaurants: Vec<Restaurant> = serde_json::from_str(RESTAURANTS)?;
        let corners = ROADS.lines().filter_map(corner);
        let corners: Vec<_> = corners
            .filter(|corner| {
                restaurants
                    .iter()
                    .any(|it| it.place().metres_to(*corner) < NEAR / 2.0)
            })
            .collect();
        (!corners.is_empty())
            .then_some(Self {
                restaurants,
                corners,
            })
            .context("the demo's map has no road near a restaurant")
    }

    pub fn customer(&self, number: usize) -> Person {
        let person = self.person(number, 1);
        Person {
            email: format!("evening-customer-{:03}@tiffin.local", number + 1),
            ..person
        }
    }

    pub fn driver(&self, number: usize) -> Person {
        let vehicles = [
            VehicleType::Bike,
            VehicleType::Car,
            VehicleType::Bike,
            VehicleType::Van,
        ];
        let person = self.person(number, 2);
        Person {
            email: format!("evening-driver-{:03}@tiffin.local", number + 1),
            vehicle: vehicles.get(number % vehicles.len()).copied(),
            ..person
        }
    }

    /// The restaurants that deliver to a place, the nearest alone where none is near.
    pub fn near(&self, place: Coordinates) -> Vec<usize> {
        let metres = |index: &usize| {
            let restaurant = self.restaurants.get(*index);
            restaurant.map_or(f64::MAX, |it| it.place().metres_to(place))
        };
        let all = 0..self.restaurants.len();
        let near: Vec<usize> = all.clone().filter(|index| metres(index) < NEAR).collect();
        if near.is_empty() {
            return all
                .min_by(|a, b| metres(a).total_cmp(&metres(b)))
                .into_iter()
                .collect();
        }
        near
    }

    fn person(&self, number: usize, kind: u64) -> Person {
        let mut random = StdRng::seed_from_u64(kind << 32 | number as u64);
        let street = pick(&mut random, &STREETS).copied().unwrap_or_default();
        let house = random.random_range(1..180);
        Person {
            email: String::new(),
            first_name: pick(&mut random, &FIRST_NAMES).copied().unwrap_or_default(),
            last_name: pick(&mut random, &LAST_NAMES).copied().unwrap_or_default(),
            phone: format!("+9477{kind}{number:06}"),
            address: format!("{house} {street}, Colombo"),
            place: pick(&mut random, &self.corners)
                .copied()
                .unwrap_or(Coordinates { lat: 0.0, lng: 0.0 }),
            vehicle: None,
        }
    }
}

/// Any of a list; `None` of an empty one.
pub fn pick<'a, T>(random: &mut StdRng, list: &'a [T]) -> Option<&'a T> {
    (!list.is_empty())
        .then(|| random.random_range(0..list.len()))
        .and_then(|index| list.get(index))
}

/// The place of a line `<node id="1" lat="6.911300" lon="79.849500"/>`.
fn corner(line: &str) -> Option<Coordinates> {
    let line = line.strip_prefix("<node")?;
    let value = |name: &str| {
        let (_, rest) = line.split_once(name)?;
        rest.split_once('"')?.0.parse().ok()
    };
    Coordinates::new(value("lat=\"")?, value("lon=\"")?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_live_on_the_demos_roads_near_restaurants() {
        let city = City::read().unwrap();
        assert_eq!(city.restaurants.len(), 12);
        assert!(city.corners.len() > 500, "{}", city.corners.len());
        for number in 0..150 {
            let person = city.customer(number);
            assert_eq!(person, city.customer(number));
            let near = city.near(person.place);
            assert!(!near.is_empty());
            let metres = |index: &usize| city.restaurants[*index].place().metres_to(person.place);
            assert!(near.iter().all(|index| metres(index) < NEAR));
            assert_ne!(city.driver(number).phone, person.phone);
            assert!(city.driver(number).vehicle.is_some());
        }
    }
}
