//! Reviews of dishes. The events name the author by id; the text stays with the service.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ItemId, RestaurantId, ReviewId, UserId, envelope::events};

/// A reference to a review and its dish, with the accounts that it concerns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReviewRefV1 {
    pub review_id: ReviewId,
    /// The dish.
    pub item_id: ItemId,
    pub restaurant_id: RestaurantId,
    /// The restaurant's owner.
    pub owner_id: UserId,
    /// The customer who wrote it.
    pub author_id: UserId,
    /// 0 to 5.
    pub rating: i16,
}

events! {
    /// The events of a review.
    ReviewEvent: "review" in Catalog by "restaurant" {
        Submitted(ReviewRefV1) = "submitted", "v1", "A customer reviewed a dish, or wrote another review of it instead; it waits for approval.";
        Approved(ReviewRefV1) = "approved", "v1", "An administrator let a review be shown.";
        Deleted(ReviewRefV1) = "deleted", "v1", "A review is gone.";
    }
}
