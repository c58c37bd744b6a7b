//! Deliveries: one order on its way to one customer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::{DeliveryId, OrderId, RestaurantId, UserId, envelope::events};

/// Where a delivery stands, spelled as the wire spells it.
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

/// Which delivery, of which order, and whom it concerns.
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
    pub address: String,
    pub dest_lat: Option<f64>,
    pub dest_lng: Option<f64>,
    /// When it is promised for.
    #[serde(with = "time::serde::rfc3339")]
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub estimated_time: OffsetDateTime,
}

/// An order was confirmed anew: another driver brings it, or it is promised for another time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryReassignedV1 {
    #[serde(flatten)]
    pub delivery: DeliveryRefV1,
    /// Who was to bring it before; the same driver where only the time changed.
    pub previous_driver_id: UserId,
    /// Where it stands now: another driver starts anew.
    pub status: DeliveryStatus,
    /// When it is promised for.
    #[serde(with = "time::serde::rfc3339")]
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub estimated_time: OffsetDateTime,
}

/// An order was called off too late.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryCancelRefusedV1 {
    #[serde(flatten)]
    pub delivery: DeliveryRefV1,
    /// Where it stands: on the way, or delivered.
    pub status: DeliveryStatus,
}

events! {
    /// What happens to a delivery.
    DeliveryEvent: "delivery" in Deliveries by "delivery" {
        Created(DeliveryCreatedV1) = "created", "v1", "A driver was given an order to bring.";
        PickedUp(DeliveryRefV1) = "picked_up", "v1", "The delivery went back to being assigned.";
        OnTheWay(DeliveryRefV1) = "on_the_way", "v1", "The driver set out for the customer.";
        Delivered(DeliveryRefV1) = "delivered", "v1", "The driver handed it over.";
        Reassigned(DeliveryReassignedV1) = "reassigned", "v1", "Another driver was given it, or it is promised for another time.";
        Cancelled(DeliveryRefV1) = "cancelled", "v1", "Its order was called off, so nobody brings it.";
        CancelRefused(DeliveryCancelRefusedV1) = "cancel_refused", "v1", "Its order was called off too late: it was on its way or delivered.";
    }
}
