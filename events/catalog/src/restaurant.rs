//! Restaurants.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use crate::{
    RestaurantId, UserId,
    envelope::events,
    personal::{Category, Mark},
};

/// A restaurant, whole, as it is after the event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RestaurantProfileV1 {
    pub restaurant_id: RestaurantId,
    pub owner_id: UserId,
    pub name: String,
    pub address: String,
    /// The shop's own number.
    #[schemars(extend("x-personal" = Mark::new(Category::Phone, "ownerId")))]
    pub phone: String,
    pub description: String,
    /// Picture URLs.
    pub images: Vec<String>,
    pub is_open: bool,
    pub verified: bool,
    /// Its latitude in degrees, if known.
    pub lat: Option<f64>,
    pub lng: Option<f64>,
    /// The minutes in which it answers an order, if it chose them. Older events lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer_minutes: Option<i32>,
}

/// A reference to a restaurant, with its owner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RestaurantRefV1 {
    pub restaurant_id: RestaurantId,
    pub owner_id: UserId,
}

/// A restaurant takes no orders until a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RestaurantPausedV1 {
    #[serde(flatten)]
    pub restaurant: RestaurantRefV1,
    #[serde(with = "time::serde::rfc3339")]
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub until: OffsetDateTime,
}

/// A restaurant needs more time for its orders until a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RestaurantSlowedV1 {
    #[serde(flatten)]
    pub restaurant: RestaurantRefV1,
    /// The minutes more for each order; 0 ends it.
    pub minutes: i32,
    #[serde(with = "time::serde::rfc3339")]
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub until: OffsetDateTime,
}

events! {
    /// The events of a restaurant.
    RestaurantEvent: "restaurant" in Catalog by "restaurant" {
        Created(RestaurantProfileV1) = "created", "v1", "An owner added a restaurant.";
        Updated(RestaurantProfileV1) = "updated", "v1", "A restaurant's details changed.";
        Verified(RestaurantRefV1) = "verified", "v1", "An administrator verified a restaurant.";
        Opened(RestaurantRefV1) = "opened", "v1", "The shop takes orders.";
        Closed(RestaurantRefV1) = "closed", "v1", "The shop takes no orders.";
        Paused(RestaurantPausedV1) = "paused", "v1", "The shop takes no orders until a time. It ends by itself, or when the shop opens.";
        Slowed(RestaurantSlowedV1) = "slowed", "v1", "A busy shop needs more minutes for its orders until a time.";
        Deleted(RestaurantRefV1) = "deleted", "v1", "A restaurant is gone.";
    }
}
