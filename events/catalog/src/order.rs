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

/// The side that cancelled an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CancelledBy {
    Customer,
    /// The restaurant's owner.
    Restaurant,
    Administrator,
}

impl CancelledBy {
    pub const ALL: [Self; 3] = [Self::Customer, Self::Restaurant, Self::Administrator];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Customer => "customer",
            Self::Restaurant => "restaurant",
            Self::Administrator => "administrator",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|by| by.as_str() == text)
    }
}

/// The reason that a restaurant or an administrator gives for a cancellation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CancelReason {
    /// The restaurant is out of a dish.
    SoldOut,
    /// The restaurant closes early.
    ClosingEarly,
    /// The kitchen has too many orders.
    TooBusy,
    /// No driver can bring it to the address.
    OutOfReach,
    /// The customer called and asked for it.
    CustomerAsked,
    Other,
}

impl CancelReason {
    pub const ALL: [Self; 6] = [
        Self::SoldOut,
        Self::ClosingEarly,
        Self::TooBusy,
        Self::OutOfReach,
        Self::CustomerAsked,
        Self::Other,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SoldOut => "sold_out",
            Self::ClosingEarly => "closing_early",
            Self::TooBusy => "too_busy",
            Self::OutOfReach => "out_of_reach",
            Self::CustomerAsked => "customer_asked",
            Self::Other => "other",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == text)
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
    /// The deadline for the restaurant's answer. Older events lack it, as do orders without a deadline.
    #[serde(
        default,
        with = "time::serde::rfc3339::option",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    pub answer_by: Option<OffsetDateTime>,
    /// The number of orders of the checkout from this restaurant. Older events lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ticket_orders: Option<i32>,
    /// The customer's words to the kitchen, which may say who is ill. Older events lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-personal" = Mark::new(Category::Text, "customerId")))]
    pub note: Option<String>,
}

/// An order waits for its restaurant's answer, and its deadline comes near.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderRemindedV1 {
    #[serde(flatten)]
    pub order: OrderRefV1,
    /// The deadline.
    #[serde(with = "time::serde::rfc3339")]
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub answer_by: OffsetDateTime,
    /// The number of this reminder, from 1.
    pub number: i32,
    /// True of the last reminder before the deadline.
    pub is_last: bool,
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

/// An order was cancelled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderCancelledV1 {
    #[serde(flatten)]
    pub order: OrderRefV1,
    /// The side that cancelled it. Older events lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<CancelledBy>,
    /// The reason, if the restaurant or an administrator gave one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<CancelReason>,
    /// A line from the restaurant or an administrator to the customer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-personal" = Mark::new(Category::Text, "customerId")))]
    pub note: Option<String>,
    /// The deadline that passed without the restaurant's answer, of an order that was refused by itself.
    #[serde(
        default,
        with = "time::serde::rfc3339::option",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    pub answer_by: Option<OffsetDateTime>,
}

impl From<OrderRefV1> for OrderCancelledV1 {
    /// A cancellation that gives no reason.
    fn from(order: OrderRefV1) -> Self {
        Self {
            order,
            by: None,
            reason: None,
            note: None,
            answer_by: None,
        }
    }
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
        Cancelled(OrderCancelledV1) = "cancelled", "v1", "An order was cancelled.";
        Deleted(OrderRefV1) = "deleted", "v1", "An order was taken off the lists.";
        Reminded(OrderRemindedV1) = "reminded", "v1", "An order waits for its restaurant's answer, and its deadline comes near.";
        CancelRefused(OrderCancelRefusedV1) = "cancel_refused", "v1", "An order was cancelled too late and is live again: its delivery was on its way or delivered.";
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{CancelReason, CancelledBy, OrderCancelledV1, OrderEvent, OrderRefV1};
    use crate::Event;

    const PLACED: &str = include_str!("../samples/tiffin.order.placed.v1.json");
    const CANCELLED: &str = include_str!("../samples/tiffin.order.cancelled.v1.json");

    fn cancelled(data: &Value) -> OrderCancelledV1 {
        match OrderEvent::decode("tiffin.order.cancelled.v1", data).unwrap() {
            Some(OrderEvent::Cancelled(cancelled)) => cancelled,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_order_from_before_there_were_notes_has_none() {
        let sample: Value = serde_json::from_str(PLACED).unwrap();
        let placed = |data: &Value| match OrderEvent::decode("tiffin.order.placed.v1", data) {
            Ok(Some(OrderEvent::Placed(placed))) => placed,
            other => panic!("{other:?}"),
        };
        let old = placed(&sample["data"]);
        assert_eq!(old.note, None);
        assert_eq!(OrderEvent::Placed(old).data().unwrap(), sample["data"]);
        let mut data = sample["data"].clone();
        data["note"] = json!("No onions. Allergic to peanuts.");
        let noted = placed(&data);
        assert_eq!(
            noted.note.as_deref(),
            Some("No onions. Allergic to peanuts.")
        );
        assert_eq!(OrderEvent::Placed(noted).data().unwrap(), data);
    }

    #[test]
    fn a_cancellation_from_before_there_were_reasons_has_none() {
        let sample: Value = serde_json::from_str(CANCELLED).unwrap();
        let old = cancelled(&sample["data"]);
        assert_eq!((old.by, old.reason, &old.note), (None, None, &None));
        assert_eq!(
            OrderEvent::Cancelled(old).data().unwrap(),
            sample["data"],
            "and is written as it was"
        );
    }

    #[test]
    fn a_reason_is_one_of_a_few_words_and_an_older_reader_still_finds_its_order() {
        let sample: Value = serde_json::from_str(CANCELLED).unwrap();
        for reason in CancelReason::ALL {
            let mut data = sample["data"].clone();
            data["by"] = json!("restaurant");
            data["reason"] = json!(reason.as_str());
            data["note"] = json!("We are out of rice.");
            let read = cancelled(&data);
            assert_eq!(read.by, Some(CancelledBy::Restaurant));
            assert_eq!(read.reason, Some(reason));
            assert_eq!(OrderEvent::Cancelled(read.clone()).data().unwrap(), data);
            let older: OrderRefV1 = serde_json::from_value(data).unwrap();
            assert_eq!(older, read.order);
        }
    }
}
