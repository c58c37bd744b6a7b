//! Who may watch what, as the key-value bucket `audience` holds it. The service that owns a thing
//! writes its entry; the live bridge reads it and keeps nothing of its own.

use serde::{Deserialize, Serialize};

use crate::{DeliveryId, OrderId, UserId};

/// The bucket's name.
pub const BUCKET: &str = "audience";

/// Who may watch one order or delivery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Audience {
    /// Everyone who may watch it, besides administrators.
    pub users: Vec<UserId>,
    /// Who may send positions for it.
    pub driver: Option<UserId>,
    /// Whether it is under way: positions are taken and shown only while it is.
    pub active: bool,
}

/// The deliveries a driver has under way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trips {
    pub deliveries: Vec<DeliveryId>,
}

/// The key of a delivery's [`Audience`].
pub fn delivery_key(id: DeliveryId) -> String {
    format!("delivery.{id}")
}

/// The key of an order's [`Audience`].
pub fn order_key(id: OrderId) -> String {
    format!("order.{id}")
}

/// The key of a driver's [`Trips`].
pub fn driver_key(id: UserId) -> String {
    format!("driver.{id}")
}
