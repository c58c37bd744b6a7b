//! Orders. One order is one line of a cart; the orders of one cart share a checkout.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::{
    CheckoutId, ItemId, Money, OrderId, RestaurantId, UserId,
    driver::VehicleType,
    envelope::events,
    personal::{Category, Mark},
};

/// The status of an order.
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
#[serde(rename_all = "lowercase")]
pub enum OrderStatus {
    Pending,
    Confirmed,
    Preparing,
    Dispatched,
    Delivered,
    Cancelled,
}

impl OrderStatus {
    pub const ALL: [Self; 6] = [
        Self::Pending,
        Self::Confirmed,
        Self::Preparing,
        Self::Dispatched,
        Self::Delivered,
        Self::Cancelled,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Confirmed => "confirmed",
            Self::Preparing => "preparing",
            Self::Dispatched => "dispatched",
            Self::Delivered => "delivered",
            Self::Cancelled => "cancelled",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }
}

/// A customer asked for a dish.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderPlacedV1 {
    #[serde(flatten)]
    pub order: OrderRefV1,
    pub item_id: ItemId,
    pub item_name: String,
    /// The dish's picture.
    pub image: Option<String>,
    pub quantity: i32,
    /// Of one, at the moment of ordering.
    pub price: Money,
    pub total_amount: Money,
    /// The place of delivery.
    #[schemars(extend("x-personal" = Mark::new(Category::Address, "customerId")))]
    pub address: String,
    #[schemars(extend("x-personal" = Mark::new(Category::Place, "customerId")))]
    pub dest_lat: Option<f64>,
    #[schemars(extend("x-personal" = Mark::new(Category::Place, "customerId")))]
    pub dest_lng: Option<f64>,
}

/// A reference to an order, with the accounts that it concerns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderRefV1 {
    pub order_id: OrderId,
    /// The short readable code: `ORD-7K3M9QX2`.
    pub order_code: String,
    pub checkout_id: CheckoutId,
    pub customer_id: UserId,
    pub restaurant_id: RestaurantId,
    pub owner_id: UserId,
    /// The driver, once one is assigned.
    pub driver_id: Option<UserId>,
}

/// The restaurant took the order and a driver is to bring it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderConfirmedV1 {
    #[serde(flatten)]
    pub order: OrderRefV1,
    /// The driver who brings it.
    pub assigned_driver: UserId,
    /// The driver's vehicle, where it is known. Older events lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vehicle_type: Option<VehicleType>,
    pub item_name: String,
    pub image: Option<String>,
    pub quantity: i32,
    pub price: Money,
    pub total_amount: Money,
    #[schemars(extend("x-personal" = Mark::new(Category::Address, "customerId")))]
    pub address: String,
    #[schemars(extend("x-personal" = Mark::new(Category::Place, "customerId")))]
    pub dest_lat: Option<f64>,
    #[schemars(extend("x-personal" = Mark::new(Category::Place, "customerId")))]
    pub dest_lng: Option<f64>,
    /// The promised time of delivery: 30 minutes after confirmation.
    #[serde(with = "time::serde::rfc3339")]
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub estimated_time: OffsetDateTime,
}

/// An order went back to an earlier status; nothing outside is undone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderReopenedV1 {
    #[serde(flatten)]
    pub order: OrderRefV1,
    pub from: OrderStatus,
    pub to: OrderStatus,
}

/// An order that was cancelled is live again: its delivery was on its way or delivered by then.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderCancelRefusedV1 {
    #[serde(flatten)]
    pub order: OrderRefV1,
    /// Its status: dispatched or delivered.
    pub to: OrderStatus,
}

events! {
    /// The events of an order.
    OrderEvent: "order" in Orders by "order" {
        Placed(OrderPlacedV1) = "placed", "v1", "A customer ordered a dish.";
        Approved(OrderRefV1) = "approved", "v1", "An administrator approved an order.";
        Confirmed(OrderConfirmedV1) = "confirmed", "v1", "The restaurant took the order and picked its driver.";
        Preparing(OrderRefV1) = "preparing", "v1", "The kitchen started.";
        Dispatched(OrderRefV1) = "dispatched", "v1", "The order left the restaurant.";
        Delivered(OrderRefV1) = "delivered", "v1", "The customer has the order.";
        Reopened(OrderReopenedV1) = "reopened", "v1", "An order went back to an earlier status.";
        Cancelled(OrderRefV1) = "cancelled", "v1", "An order was cancelled.";
        Deleted(OrderRefV1) = "deleted", "v1", "An order was taken off the lists.";
        CancelRefused(OrderCancelRefusedV1) = "cancel_refused", "v1", "An order was cancelled too late and is live again: its delivery was on its way or delivered.";
    }
}
