//! An order as people see it.

use serde::Serialize;
use tiffin_events::{
    Money,
    order::OrderStatus,
    payment::{RefundReason, RefundedBy},
};
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{cancellation::Cancellation, order::Order, store::accounts::Customer};

/// An order with the names, phones and delivery that belong to it now. A closed account has no name, e-mail
/// or phone any more.
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
    /// In the platform's currency.
    #[schema(value_type = f64)]
    pub total_amount: Money,
    pub is_approve: bool,
    /// `true` if it is neither cancelled nor deleted, and its checkout's captures less refunds cover the
    /// prices of all such orders of the checkout, less what was refunded of them by people.
    pub is_paid: bool,
    /// Its refunds by the restaurant and administrators, oldest first. Money that goes back because it was cancelled is
    /// not among them.
    pub refunds: Vec<OrderRefund>,
    pub quantity: i32,
    pub status: OrderStatus,
    /// The side that cancelled it, and the reason; null of an order that is not cancelled, or was before
    /// reasons were kept.
    pub cancellation: Option<Cancellation>,
    /// The deadline for the restaurant's answer: without one, the order is refused by itself and what was paid goes
    /// back. Null once the restaurant has answered, and of an order without a deadline.
    #[serde(with = "time::serde::rfc3339::option")]
    pub answer_by: Option<OffsetDateTime>,
    /// The median of the minutes in which the restaurant answered its last orders, while the customer waits for its
    /// answer; null if it has answered few.
    pub usual_answer_minutes: Option<f64>,
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
    /// The destination's latitude in degrees; 0 if unknown.
    pub lat: f64,
    pub lng: f64,
    /// The dish's `_id`, which a line of a cart calls its key.
    pub key: Uuid,
    #[serde(rename = "Item_name")]
    pub item_name: String,
    /// A picture's URL.
    pub image: Option<String>,
    /// The customer's words to the kitchen, at most 200 characters; null without any, and for drivers.
    pub note: Option<String>,
    /// The price of one.
    #[schema(value_type = f64)]
    pub price: Money,
    pub restaurant_id: Uuid,
    pub restaurant_name: String,
}

/// Money of an order that the restaurant or an administrator refunds.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderRefund {
    /// Rupees.
    #[schema(value_type = f64)]
    pub amount: Money,
    pub reason: RefundReason,
    pub by: RefundedBy,
    /// `false` while the provider is asked for the money.
    pub is_made: bool,
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
}

impl OrderView {
    /// An order that was placed in this transaction: it has no driver, delivery or payment yet.
    pub fn placed(order: Order, customer: &Customer, restaurant_name: String) -> Self {
        let (lat, lng) = order
            .destination
            .map_or((0.0, 0.0), |place| (place.lat, place.lng));
        Self {
            id: order.id.0,
            order_id: order.code.as_str().to_owned(),
            checkout_id: order.checkout_id.0,
            email: customer.email.clone(),
            created_at: order.created_at,
            total_amount: order.total,
            is_approve: order.approved,
            is_paid: false,
            refunds: Vec::new(),
            quantity: order.quantity,
            status: order.status,
            cancellation: None,
            answer_by: order.deadline.map(|deadline| deadline.answer_by),
            usual_answer_minutes: None,
            assigned_driver: None,
            driver_name: None,
            driver_phone: None,
            delivery_id: None,
            address: Some(order.address),
            customer_name: customer.name.clone(),
            phone: customer.phone.clone(),
            lat,
            lng,
            key: order.item_id.0,
            item_name: order.item_name,
            image: order.image,
            note: order.note,
            price: order.price,
            restaurant_id: order.restaurant_id.0,
            restaurant_name,
        }
    }
}
