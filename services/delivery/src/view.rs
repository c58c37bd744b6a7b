//! A delivery as people see it.

use serde::Serialize;
use tiffin_events::{
    Coordinates, Money,
    delivery::{DeliveryStatus, EtaBasis},
};
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::routing::Route;

pub mod suggestion;

/// A delivery with its order, names and phones as they are now. A closed account has no name, e-mail or
/// phone any more.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Delivery)]
pub struct DeliveryView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// The order's short readable code.
    #[schema(example = "ORD-7K3M9QX2")]
    pub order_id: String,
    /// The `_id` of the first delivery of its ticket: one driver brings the orders of one checkout from one restaurant
    /// together, and a page shows them as one delivery.
    pub ticket_id: Uuid,
    /// The dish.
    pub order_name: String,
    pub address: Option<String>,
    pub driver_id: Uuid,
    pub driver_name: Option<String>,
    pub driver_phone: Option<String>,
    pub driver_email: Option<String>,
    pub status: DeliveryStatus,
    /// True if its driver declined it: the order waits for another one. Customers don't learn of it.
    pub declined: bool,
    /// Half an hour after the order's confirmation.
    #[serde(with = "time::serde::rfc3339::option")]
    pub estimated_time: Option<OffsetDateTime>,
    /// The beginning of the time in which eight in ten such deliveries arrive. Without a known destination there is
    /// none.
    #[serde(with = "time::serde::rfc3339::option")]
    pub earliest_arrival: Option<OffsetDateTime>,
    /// The end of that time.
    #[serde(with = "time::serde::rfc3339::option")]
    pub latest_arrival: Option<OffsetDateTime>,
    /// The promised time of delivery: the end of the first such time for this driver. `estimatedTime` until there is
    /// one.
    #[serde(with = "time::serde::rfc3339::option")]
    pub promised_time: Option<OffsetDateTime>,
    /// A picture's URL.
    pub item_image: Option<String>,
    pub customer_email: String,
    /// The customer's.
    pub phone: Option<String>,
    /// The driver's latitude in degrees; 0 if unknown or no longer under way.
    pub lat: f64,
    pub lng: f64,
    /// The time of measurement by the device's clock.
    #[serde(
        with = "time::serde::rfc3339::option",
        skip_serializing_if = "Option::is_none"
    )]
    pub position_at: Option<OffsetDateTime>,
    /// The destination's latitude in degrees; 0 if unknown.
    pub dest_lat: f64,
    pub dest_lng: f64,
    /// The restaurant's latitude in degrees; 0 if unknown.
    pub restaurant_lat: f64,
    pub restaurant_lng: f64,
    /// The time of the assignment.
    #[serde(with = "time::serde::rfc3339")]
    pub timestamp: OffsetDateTime,
    /// The price of one.
    #[schema(value_type = f64)]
    pub price: Money,
    /// The price of all.
    #[schema(value_type = f64)]
    pub total: Money,
    pub qty: i32,
}

/// The last position of a delivery's driver.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct DeliveryLocation {
    /// Degrees; 0,0 when unknown or no longer under way.
    pub lat: f64,
    pub lng: f64,
    /// The time of measurement by the device's clock.
    #[serde(with = "time::serde::rfc3339::option")]
    pub at: Option<OffsetDateTime>,
}

/// The route of a delivery.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryRoute {
    /// From the driver to the restaurant, while the food is there and the driver's position is known.
    pub to_restaurant: Option<RouteLeg>,
    /// With the food to the customer; from the restaurant, or from where the driver left the planned route. None where
    /// the destination is unknown.
    pub to_destination: Option<RouteLeg>,
}

/// A route from one place to another.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RouteLeg {
    pub points: Vec<Coordinates>,
    pub metres: f64,
    /// By the router, for an average driver on empty streets.
    pub seconds: f64,
    pub basis: EtaBasis,
}

impl From<Route> for RouteLeg {
    fn from(route: Route) -> Self {
        Self {
            points: route.points,
            metres: route.ride.metres,
            seconds: route.ride.seconds,
            basis: route.ride.basis,
        }
    }
}

/// The time in which an order placed now would arrive.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryEstimate {
    pub restaurant_id: Uuid,
    /// Minutes from now; eight in ten arrive between these.
    pub earliest_minutes: i64,
    pub latest_minutes: i64,
    pub basis: EtaBasis,
}

/// The ranges for arrivals that were shown, and how many of them held.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryAccuracy {
    /// None if no range was shown.
    pub all: Option<AccuracyScore>,
    /// The restaurant with the most ranges first.
    pub by_restaurant: Vec<AccuracyScore>,
    pub by_hour: Vec<AccuracyScore>,
    /// By the expected time left when the range was shown.
    pub by_lead: Vec<AccuracyScore>,
}

/// The score of some ranges. Only the field that they are grouped by is present.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccuracyScore {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restaurant_id: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restaurant_name: Option<String>,
    /// The hour of the day in UTC in which they were shown, 0 to 23.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hour: Option<i32>,
    /// The smallest lead time in minutes: 0, 5, 10, 20, 30 or 45. The next class begins where this one ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lead_minutes: Option<i32>,
    /// The number of ranges.
    pub shown: i64,
    /// Those that the arrival was in.
    pub held: i64,
    /// Those that the arrival was before.
    pub early: i64,
    /// Those that the arrival was after.
    pub late: i64,
    /// The mean distance of the arrival from the expected time, in minutes.
    pub minutes_off: f64,
}

/// The number of deliveries by status, and of drivers who bring some.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryCounts {
    pub picked_up: i64,
    pub on_the_way: i64,
    pub delivered: i64,
    /// Drivers with a delivery under way.
    pub drivers: i64,
}
