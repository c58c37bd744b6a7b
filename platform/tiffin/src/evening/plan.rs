//! The plan of an evening: who orders what, when, and how each order ends. It depends on the seed and the options
//! alone.

mod draw;
#[cfg(test)]
mod tests;

use std::time::Duration;

use anyhow::Result;
use serde::Serialize;

use self::draw::Drawing;
use super::{
    arrivals::TimeOfDay,
    city::{City, Person},
};

/// The size of an evening, and its seed.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    pub orders: usize,
    pub seed: u64,
    pub from: TimeOfDay,
    pub until: TimeOfDay,
}

#[derive(Debug, PartialEq)]
pub struct Plan {
    pub customers: Vec<Person>,
    pub drivers: Vec<Person>,
    /// In the order in which they are placed.
    pub checkouts: Vec<Checkout>,
}

/// A cart of one customer from one restaurant.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkout {
    /// Since the evening began.
    pub at: Duration,
    pub customer: usize,
    pub restaurant: String,
    pub lines: Vec<Line>,
    pub payment: Payment,
    pub course: Course,
}

/// A dish, which becomes an order.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub dish: String,
    pub quantity: u32,
    /// The price of each.
    pub price: u32,
}

/// The customer's way to pay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payment {
    /// So long after the order.
    Online {
        means: &'static str,
        after: Duration,
    },
    /// Cash at the door, of which the platform knows nothing.
    Cash,
}

/// The course of a checkout's orders after they were placed.
#[derive(Clone, Debug, PartialEq)]
pub enum Course {
    /// By the customer.
    Cancelled {
        after: Duration,
    },
    /// By the restaurant.
    Refused {
        after: Duration,
        reason: &'static str,
        note: &'static str,
    },
    Delivered(Trip),
}

/// The durations of a delivery, each after what comes before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Trip {
    pub driver: usize,
    /// From the order to the confirmation.
    pub confirmed: Duration,
    /// From there until the kitchen begins.
    pub begun: Duration,
    pub cooking: Duration,
    /// The time at the customer's door.
    pub handover: Duration,
    /// The ratio of the ride's duration to the router's.
    pub pace: f64,
}

/// One order as the plan has it, for those who compare.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlannedOrder<'a> {
    /// Seconds since the evening began.
    at: u64,
    customer: &'a str,
    restaurant: &'a str,
    dish: &'a str,
    quantity: u32,
    /// Its last status.
    status: &'static str,
    /// The side that cancels it.
    cancelled_by: Option<&'static str>,
    driver: Option<&'a str>,
    /// True if it was paid by the end and not paid back.
    is_paid: bool,
}

impl Plan {
    pub fn draw(city: &City, extent: Extent) -> Result<Self> {
        Drawing::begin(city, extent).plan()
    }

    /// Every order of every checkout.
    pub fn orders(&self) -> impl Iterator<Item = PlannedOrder<'_>> {
        let orders = move |checkout| {
            let lines = Checkout::lines(checkout);
            lines.map(move |line| self.order(checkout, line))
        };
        self.checkouts.iter().flat_map(orders)
    }

    pub fn order_count(&self) -> usize {
        self.checkouts.iter().map(|it| it.lines.len()).sum()
    }

    fn order<'a>(&'a self, checkout: &'a Checkout, line: &'a Line) -> PlannedOrder<'a> {
        let email = |people: &'a [Person], index: usize| Some(people.get(index)?.email.as_str());
        let (status, cancelled_by, driver) = match &checkout.course {
            Course::Cancelled { .. } => ("cancelled", Some("customer"), None),
            Course::Refused { .. } => ("cancelled", Some("restaurant"), None),
            Course::Delivered(trip) => ("delivered", None, email(&self.drivers, trip.driver)),
        };
        PlannedOrder {
            at: checkout.at.as_secs(),
            customer: email(&self.customers, checkout.customer).unwrap_or_default(),
            restaurant: &checkout.restaurant,
            dish: &line.dish,
            quantity: line.quantity,
            status,
            cancelled_by,
            driver,
            is_paid: cancelled_by.is_none() && checkout.payment != Payment::Cash,
        }
    }
}

impl Checkout {
    fn lines(&self) -> std::slice::Iter<'_, Line> {
        self.lines.iter()
    }
}
