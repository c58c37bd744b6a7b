//! Suggestions: drivers for one order, as its owner sees them, and what follows.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{DeliveryId, OrderId, RestaurantId, SuggestionId, UserId, envelope::events};

/// A reference to a suggestion and its order, with the owner who gets it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SuggestionRefV1 {
    pub suggestion_id: SuggestionId,
    pub order_id: OrderId,
    pub order_code: String,
    pub owner_id: UserId,
    pub restaurant_id: RestaurantId,
}

/// The reason for a driver's rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SuggestionReason {
    /// They have nothing to bring.
    Free,
    /// They fetch another order at the same restaurant.
    SameRestaurant,
    /// They bring other orders first, this one last.
    BringsFirst,
    /// They fetch this order before they bring others.
    OnTheWay,
    /// They were not seen lately.
    PlaceUnknown,
}

/// A suggested driver.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SuggestedDriverV1 {
    pub driver_id: UserId,
    /// Minutes until the order is at the door.
    pub minutes: i64,
    pub reason: SuggestionReason,
}

/// Drivers were suggested for an order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SuggestionMadeV1 {
    #[serde(flatten)]
    pub suggestion: SuggestionRefV1,
    /// The best one first.
    pub drivers: Vec<SuggestedDriverV1>,
}

/// The owner picked a driver for the order. Its confirmation follows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SuggestionPickedV1 {
    #[serde(flatten)]
    pub suggestion: SuggestionRefV1,
    pub driver_id: UserId,
    /// The driver's place among those suggested, from 1; `None` of one from the list.
    pub rank: Option<i64>,
    /// True if the owner knew that another restaurant had picked the driver meanwhile.
    pub knowingly: bool,
}

/// A driver declined the order, which stays theirs until the owner gives it to another one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SuggestionDeclinedV1 {
    #[serde(flatten)]
    pub suggestion: SuggestionRefV1,
    pub driver_id: UserId,
    pub delivery_id: DeliveryId,
}

events! {
    /// The events of a suggestion.
    SuggestionEvent: "suggestion" in Deliveries by "delivery" {
        Made(SuggestionMadeV1) = "made", "v1", "Drivers were suggested for an order.";
        Picked(SuggestionPickedV1) = "picked", "v1", "The owner picked a driver.";
        Declined(SuggestionDeclinedV1) = "declined", "v1", "A driver declined the order.";
    }
}
