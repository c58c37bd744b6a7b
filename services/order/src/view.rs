//! An order as people see it.

use serde::Serialize;
use tiffin_events::{Money, order::OrderStatus};
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

/// An order with the names, phones and delivery that belong to it now. Whoever deleted their account
/// has no name, e-mail or phone any more.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Order)]
pub struct OrderView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// The short readable code.
    #[schema(example = "ORD-7K3M9QX2")]
    pub order_id: String,
    pub checkout_id: Uuid,
    /// The customer's.
    pub email: String,
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
    /// Rupees.
    #[schema(value_type = f64)]
    pub total_amount: Money,
    pub is_approve: bool,
    /// What was captured of its checkout, less what went back, covers the prices of all orders of the
    /// checkout that are neither cancelled nor deleted, and it is one of them.
    pub is_paid: bool,
    pub quantity: i32,
    pub status: OrderStatus,
    /// The driver's id, once confirmed.
    pub assigned_driver: Option<Uuid>,
    pub driver_name: Option<String>,
    pub driver_phone: Option<String>,
    /// The delivery that brings it, once there is one.
    pub delivery_id: Option<Uuid>,
    pub address: Option<String>,
    pub customer_name: Option<String>,
    /// The customer's.
    pub phone: Option<String>,
    /// Where it goes, degrees; 0,0 when unknown.
    pub lat: f64,
    pub lng: f64,
    /// The dish's `_id`, which a line of a cart calls its key.
    pub key: Uuid,
    #[serde(rename = "Item_name")]
    pub item_name: String,
    /// A picture's URL.
    pub image: Option<String>,
    /// Of one, rupees.
    #[schema(value_type = f64)]
    pub price: Money,
    pub restaurant_id: Uuid,
    pub restaurant_name: String,
}
