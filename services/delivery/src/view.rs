//! A delivery as people see it.

use serde::Serialize;
use tiffin_events::{Money, delivery::DeliveryStatus};
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

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
    /// The dish.
    pub order_name: String,
    pub address: Option<String>,
    pub driver_id: Uuid,
    pub driver_name: Option<String>,
    pub driver_phone: Option<String>,
    pub driver_email: Option<String>,
    pub status: DeliveryStatus,
    /// The promised time of delivery.
    #[serde(with = "time::serde::rfc3339::option")]
    pub estimated_time: Option<OffsetDateTime>,
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
    /// The price of one in rupees.
    #[schema(value_type = f64)]
    pub price: Money,
    /// The total in rupees.
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
