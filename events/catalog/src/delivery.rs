//! Deliveries: one order on its way to one customer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::{
    DeliveryId, OrderId, RestaurantId, UserId,
    envelope::events,
    personal::{Category, Mark},
};

/// The status of a delivery, spelled as on the wire.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    JsonSchema,
    ToSchema,
)]
pub enum DeliveryStatus {
    /// Assigned to the driver.
    #[serde(rename = "picked up")]
    PickedUp,
    #[serde(rename = "on the way")]
    OnTheWay,
    #[serde(rename = "delivered")]
    Delivered,
}

impl DeliveryStatus {
    pub const ALL: [Self; 3] = [Self::PickedUp, Self::OnTheWay, Self::Delivered];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PickedUp => "picked up",
            Self::OnTheWay => "on the way",
            Self::Delivered => "delivered",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }
}

/// A reference to a delivery and its order, with the accounts that it concerns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryRefV1 {
    pub delivery_id: DeliveryId,
    pub order_id: OrderId,
    pub order_code: String,
    pub customer_id: UserId,
    pub owner_id: UserId,
    pub restaurant_id: RestaurantId,
    pub driver_id: UserId,
}

/// A driver was given an order to bring.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryCreatedV1 {
    #[serde(flatten)]
    pub delivery: DeliveryRefV1,
    pub order_name: String,
    pub quantity: i32,
    #[schemars(extend("x-personal" = Mark::new(Category::Address, "customerId")))]
    pub address: String,
    #[schemars(extend("x-personal" = Mark::new(Category::Place, "customerId")))]
    pub dest_lat: Option<f64>,
    #[schemars(extend("x-personal" = Mark::new(Category::Place, "customerId")))]
    pub dest_lng: Option<f64>,
    /// The promised time of delivery.
    #[serde(with = "time::serde::rfc3339")]
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub estimated_time: OffsetDateTime,
}

/// An order was confirmed again: another driver brings it, or the promised time changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryReassignedV1 {
    #[serde(flatten)]
    pub delivery: DeliveryRefV1,
    /// The driver before; the same one if only the time changed.
    pub previous_driver_id: UserId,
    /// Its status now: another driver starts from the beginning.
    pub status: DeliveryStatus,
    /// The promised time of delivery.
    #[serde(with = "time::serde::rfc3339")]
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub estimated_time: OffsetDateTime,
}

/// An order was cancelled too late.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryCancelRefusedV1 {
    #[serde(flatten)]
    pub delivery: DeliveryRefV1,
    /// Its status: on the way or delivered.
    pub status: DeliveryStatus,
}

/// The reason of a new range for the time of arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EtaReason {
    /// The first range of a delivery.
    Assigned,
    /// Another driver brings it.
    Reassigned,
    /// The driver set out from the restaurant.
    SetOut,
    /// The driver is faster than the range before said.
    Earlier,
    /// The kitchen or the driver is slower than the range before said.
    Later,
}

/// The kind of route that a range is drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EtaBasis {
    /// Streets, from the router.
    Street,
    /// Straight lines with a detour: there is no router, or it knows no street there.
    Straight,
}

/// The expected time of arrival moved by more than a minute or two.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryEtaChangedV1 {
    #[serde(flatten)]
    pub delivery: DeliveryRefV1,
    /// The beginning of the range that eight deliveries in ten arrive in, to the minute.
    #[serde(with = "time::serde::rfc3339")]
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub earliest: OffsetDateTime,
    /// The end of the range.
    #[serde(with = "time::serde::rfc3339")]
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub latest: OffsetDateTime,
    /// The expected time of arrival, within the range.
    #[serde(with = "time::serde::rfc3339")]
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub expected: OffsetDateTime,
    pub reason: EtaReason,
    /// The delivery's status, which the event does not change.
    pub status: DeliveryStatus,
    pub basis: EtaBasis,
    /// Metres that the driver still rides with the food.
    pub ride_metres: f64,
    /// Seconds that the router counts for this ride.
    pub ride_seconds: f64,
}

events! {
    /// The events of a delivery.
    DeliveryEvent: "delivery" in Deliveries by "delivery" {
        Created(DeliveryCreatedV1) = "created", "v1", "A driver was given an order to bring.";
        PickedUp(DeliveryRefV1) = "picked_up", "v1", "The delivery went back to being assigned.";
        OnTheWay(DeliveryRefV1) = "on_the_way", "v1", "The driver set out for the customer.";
        Delivered(DeliveryRefV1) = "delivered", "v1", "The driver handed it over.";
        Reassigned(DeliveryReassignedV1) = "reassigned", "v1", "Another driver was given it, or it is promised for another time.";
        Cancelled(DeliveryRefV1) = "cancelled", "v1", "Its order was cancelled.";
        EtaChanged(DeliveryEtaChangedV1) = "eta_changed", "v1", "The expected time of arrival moved.";
        CancelRefused(DeliveryCancelRefusedV1) = "cancel_refused", "v1", "Its order was cancelled too late: it was on its way or delivered.";
    }
}
