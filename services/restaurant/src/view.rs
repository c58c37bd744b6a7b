//! Restaurants, dishes and reviews as people see them.

use serde::Serialize;
use tiffin_events::{Money, item::Category};
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::item::Item;

/// A restaurant.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Restaurant)]
pub struct RestaurantView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub name: String,
    /// Empty once the owner's account is gone.
    pub owner_name: String,
    pub owner_id: Uuid,
    pub address: String,
    /// The shop's own number.
    pub phone: String,
    pub description: String,
    /// Picture URLs.
    pub images: Vec<String>,
    /// `true` if it takes orders: it is neither closed nor paused.
    pub is_open: bool,
    /// The end of its pause; null if it is not paused.
    #[serde(with = "time::serde::rfc3339::option")]
    pub paused_until: Option<OffsetDateTime>,
    /// The minutes that each order takes longer now; null if it is not busy.
    pub busy_minutes: Option<i32>,
    /// The end of that.
    #[serde(with = "time::serde::rfc3339::option")]
    pub busy_until: Option<OffsetDateTime>,
    /// `true` if an administrator has approved it.
    pub verified: bool,
    /// Its latitude in degrees; null if unknown.
    pub lat: Option<f64>,
    pub lng: Option<f64>,
    /// The mean of the approved reviews of all its dishes, 0 to 5 with two decimals; null without any.
    pub rating: Option<f64>,
    /// The number of those reviews.
    pub rating_count: i64,
    /// The minutes in which it answers an order; null where the platform's default holds.
    pub answer_minutes: Option<i32>,
}

/// A dish on a restaurant's menu.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Item)]
pub struct ItemView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// The short readable code.
    #[schema(example = "ITM-7K3M9QX2")]
    pub item_id: String,
    pub restaurant_id: Uuid,
    pub name: String,
    /// In the platform's currency.
    #[schema(value_type = f64)]
    pub price: Money,
    pub category: Category,
    pub description: String,
    /// Picture URLs.
    pub images: Vec<String>,
    /// In stock.
    pub available: bool,
    /// Shown to customers.
    pub approve: bool,
    /// The mean of its approved reviews, 0 to 5 with two decimals; null without any.
    pub rating: Option<f64>,
    /// The number of those reviews.
    pub rating_count: i64,
}

/// A customer's review of a dish. Once its author's account is gone, it has no name, e-mail or picture.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Review)]
pub struct ReviewView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// The dish's `_id`.
    pub product_id: Uuid,
    /// 0 to 5.
    #[schema(minimum = 0, maximum = 5)]
    pub rating: i16,
    pub comment: String,
    /// The owner of the dish's restaurant.
    pub owner_id: Uuid,
    pub restaurant_id: Uuid,
    pub restaurant_name: String,
    pub item_name: String,
    /// The author's name.
    pub name: String,
    /// The author's; empty for everybody but the author, the dish's owner and administrators.
    pub email: String,
    /// The author's picture.
    pub profile_picture: Option<String>,
    /// The time of writing.
    #[serde(with = "time::serde::rfc3339")]
    pub data: OffsetDateTime,
    /// The same time as `date`, under the specification's name.
    #[serde(with = "time::serde::rfc3339")]
    pub date: OffsetDateTime,
    /// Shown to everybody.
    pub is_approved: bool,
}

impl From<Item> for ItemView {
    fn from(item: Item) -> Self {
        Self {
            id: item.id.0,
            item_id: item.code.to_string(),
            restaurant_id: item.restaurant_id.0,
            name: item.dish.name,
            price: item.dish.price,
            category: item.dish.category,
            description: item.dish.description,
            images: item.dish.images,
            available: item.dish.available,
            approve: item.approved,
            rating: item.rating.mean(),
            rating_count: item.rating.count,
        }
    }
}
