//! Drawing a plan from its seed.

use std::time::Duration;

use anyhow::{Context, Result};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use tiffin_events::Coordinates;

use super::{Checkout, Course, Extent, Line, Payment, Plan, Trip};
use crate::evening::{
    arrivals,
    city::{City, Person, Restaurant, pick},
};

/// Metres a second of a driver in the evening's traffic, on streets.
const NOMINAL_SPEED: f64 = 5.5;
/// The ratio of streets to the straight line.
const DETOUR: f64 = 1.4;
/// The minutes of a driver's trip, with which their number is worked out.
const TRIP_MINUTES: usize = 25;
/// The number of orders in ten checkouts, about.
const ORDERS_OF_TEN: usize = 16;

const REFUSALS: [(&str, &str); 4] = [
    ("sold_out", "We have just sold the last one. Sorry!"),
    (
        "too_busy",
        "The kitchen can't keep up tonight. Please try again in an hour.",
    ),
    ("closing_early", "The gas ran out; we close early today."),
    ("out_of_reach", "No driver can reach you in time tonight."),
];
const MEANS: [&str; 4] = ["Card", "Card", "PayPal", "Bank Transfer"];

/// A plan that is being drawn.
pub(super) struct Drawing<'a> {
    city: &'a City,
    extent: Extent,
    random: StdRng,
    customers: Vec<Person>,
    drivers: Vec<Courier>,
}

/// A driver as the owner sees them while the evening is planned.
struct Courier {
    person: Person,
    place: Coordinates,
    free: Duration,
}

impl<'a> Drawing<'a> {
    pub fn begin(city: &'a City, extent: Extent) -> Self {
        let minutes =
            usize::from(extent.until.minutes().saturating_sub(extent.from.minutes())).max(1);
        let checkouts = extent.orders * 10 / ORDERS_OF_TEN + 1;
        // Half as many again, since most come at once.
        let drivers = (checkouts * TRIP_MINUTES * 3 / 2 / minutes + 3).min(60);
        let customers = (extent.orders / 4 + 6).min(120);
        let courier = |person: Person| Courier {
            place: person.place,
            person,
            free: Duration::ZERO,
        };
        Self {
            city,
            extent,
            random: StdRng::seed_from_u64(extent.seed),
            customers: (0..customers).map(|number| city.customer(number)).collect(),
            drivers: (0..drivers)
                .map(|number| courier(city.driver(number)))
                .collect(),
        }
    }

    pub fn plan(mut self) -> Result<Plan> {
        let mut sizes = Vec::new();
        let mut left = self.extent.orders;
        while left > 0 {
            let lines = match self.random.random_range(0..100) {
                0..55 => 1,
                55..85 => 2,
                _ => 3,
            };
            sizes.push(left.min(lines));
            left -= left.min(lines);
        }
        let (from, until) = (self.extent.from, self.extent.until);
        let arrivals = arrivals::draw(&mut self.random, sizes.len(), from, until);
        let mut checkouts = Vec::with_capacity(sizes.len());
        for (at, lines) in arrivals.into_iter().zip(sizes) {
            checkouts.push(self.checkout(at, lines)?);
        }
        Ok(Plan {
            customers: self.customers,
            drivers: self.drivers.into_iter().map(|it| it.person).collect(),
            checkouts,
        })
    }

    fn checkout(&mut self, at: Duration, lines: usize) -> Result<Checkout> {
        let customer = self.random.random_range(0..self.customers.len());
        let home = self.customers.get(customer).context("no customer")?.place;
        let near = self.city.near(home);
        let index = *pick(&mut self.random, &near).context("no restaurant")?;
        let restaurant = self.city.restaurants.get(index).context("no restaurant")?;
        let course = match self.random.random_range(0..100) {
            0..6 => Course::Cancelled {
                after: self.minutes(0.5, 3.0),
            },
            6..10 => self.refusal()?,
            _ => Course::Delivered(self.trip(at, index, restaurant.place(), home)?),
        };
        Ok(Checkout {
            at,
            customer,
            restaurant: restaurant.name.clone(),
            lines: self.lines(restaurant, lines),
            payment: self.payment(&course)?,
            course,
        })
    }

    /// Different dishes of a restaurant.
    fn lines(&mut self, restaurant: &Restaurant, count: usize) -> Vec<Line> {
        let mut dishes: Vec<usize> = (0..restaurant.dishes.len()).collect();
        let mut lines = Vec::with_capacity(count);
        while lines.len() < count && !dishes.is_empty() {
            let dish = dishes.swap_remove(self.random.random_range(0..dishes.len()));
            let quantity = match self.random.random_range(0..10) {
                0..6 => 1,
                6..9 => 2,
                _ => 3,
            };
            lines.extend(restaurant.dishes.get(dish).map(|dish| Line {
                dish: dish.name.clone(),
                quantity,
                price: dish.price,
            }));
        }
        lines
    }

    fn payment(&mut self, course: &Course) -> Result<Payment> {
        let means = pick(&mut self.random, &MEANS)
            .copied()
            .context("no means")?;
        let kind = self.random.random_range(0..100);
        let after = match (kind, course) {
            (0..22, _) => return Ok(Payment::Cash),
            // Late: while it is made, on its way, or eaten.
            (22..37, Course::Delivered(_)) => self.minutes(8.0, 50.0),
            _ => self.minutes(0.2, 0.4),
        };
        Ok(Payment::Online { means, after })
    }

    fn refusal(&mut self) -> Result<Course> {
        let (reason, note) = pick(&mut self.random, &REFUSALS)
            .copied()
            .context("no reason")?;
        let after = self.minutes(1.0, 4.0);
        Ok(Course::Refused {
            after,
            reason,
            note,
        })
    }

    /// A trip with the driver who is there first, as an owner picks them.
    fn trip(
        &mut self,
        at: Duration,
        index: usize,
        from: Coordinates,
        to: Coordinates,
    ) -> Result<Trip> {
        // Kitchens differ, and each has its good and bad moments.
        let kitchen = 5.0 + f64::from(u32::try_from(index * 5 % 9)?);
        let (confirmed, begun) = (self.minutes(0.5, 3.0), self.minutes(0.3, 2.0));
        let cooking = self.minutes(kitchen, kitchen * 1.7);
        let (handover, pace) = (self.minutes(0.5, 2.0), self.random.random_range(0.85..1.3));
        let ready = at + confirmed + begun + cooking;
        let arrival = |courier: &Courier| {
            let ride = ride(courier.place, from, pace);
            courier.free.max(at + confirmed) + ride
        };
        let drivers = self.drivers.iter_mut().enumerate();
        let (driver, courier) = drivers
            .min_by_key(|(_, it)| arrival(it))
            .context("no driver")?;
        courier.free = arrival(courier).max(ready) + ride(from, to, pace) + handover;
        courier.place = to;
        Ok(Trip {
            driver,
            confirmed,
            begun,
            cooking,
            handover,
            pace,
        })
    }

    fn minutes(&mut self, least: f64, most: f64) -> Duration {
        Duration::from_secs_f64((self.random.random_range(least..most) * 60.0).floor())
    }
}

fn ride(from: Coordinates, to: Coordinates, pace: f64) -> Duration {
    Duration::from_secs_f64(from.metres_to(to) * DETOUR / NOMINAL_SPEED * pace)
}
