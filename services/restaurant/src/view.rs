//! Restaurants and dishes as people see them.

use serde::Serialize;
use tiffin_events::{Money, item::Category};
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
    /// Whether it takes orders.
    pub is_open: bool,
    /// Whether an administrator has looked at it.
    pub verified: bool,
    /// Where it stands, degrees; null where unknown.
    pub lat: Option<f64>,
    pub lng: Option<f64>,
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
    /// Rupees.
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
        }
    }
}
