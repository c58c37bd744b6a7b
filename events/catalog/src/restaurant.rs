//! Restaurants.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
}

/// A reference to a restaurant, with its owner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RestaurantRefV1 {
    pub restaurant_id: RestaurantId,
    pub owner_id: UserId,
}

events! {
    /// The events of a restaurant.
    RestaurantEvent: "restaurant" in Catalog by "restaurant" {
        Created(RestaurantProfileV1) = "created", "v1", "An owner added a restaurant.";
        Updated(RestaurantProfileV1) = "updated", "v1", "A restaurant's details changed.";
        Verified(RestaurantRefV1) = "verified", "v1", "An administrator verified a restaurant.";
        Opened(RestaurantRefV1) = "opened", "v1", "The shop takes orders.";
        Closed(RestaurantRefV1) = "closed", "v1", "The shop takes no orders.";
        Deleted(RestaurantRefV1) = "deleted", "v1", "A restaurant is gone.";
    }
}
