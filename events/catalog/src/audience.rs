//! The accounts that may watch an order or delivery, as the key-value bucket `audience` holds them. The
//! service that owns the order or delivery writes its entry. The live bridge reads it and stores nothing.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{DeliveryId, OrderId, UserId};

/// The bucket's name.
pub const BUCKET: &str = "audience";

/// The time that an entry stays after its order or delivery has ended: a page that is still open shows the
/// end, and the bucket holds no more than a day's work.
pub const KEPT_AFTER: Duration = Duration::from_hours(12);

/// The accounts that may watch one order or delivery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Audience {
    /// Everyone who may watch it, besides administrators.
    pub users: Vec<UserId>,
    /// The driver who may send positions for it.
    pub driver: Option<UserId>,
    /// True while it is under way: positions are taken and shown only then.
    pub active: bool,
    /// The aggregate's version at this entry: an older entry that comes late changes nothing. 0 in
    /// entries from before there were versions.
    #[serde(default)]
    pub version: i64,
}

impl Audience {
    /// The empty audience of an order or delivery that has no entry any more.
    pub const fn empty(version: i64) -> Self {
        Self {
            users: Vec::new(),
            driver: None,
            active: false,
            version,
        }
    }

    /// The same audience, at another version.
    #[must_use]
    pub fn at(self, version: i64) -> Self {
        Self { version, ..self }
    }
}

impl Versioned for Audience {
    fn version(&self) -> i64 {
        self.version
    }
}

/// An entry of the bucket that says which of two is newer.
pub trait Versioned {
    fn version(&self) -> i64;
}

/// The deliveries a driver has under way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DriverDeliveries {
    pub deliveries: Vec<DeliveryId>,
    /// Grows with each change of the list.
    #[serde(default)]
    pub version: i64,
}

impl Versioned for DriverDeliveries {
    fn version(&self) -> i64 {
        self.version
    }
}

/// The key of a delivery's [`Audience`].
pub fn delivery_key(id: DeliveryId) -> String {
    format!("delivery.{id}")
}

/// The key of an order's [`Audience`].
pub fn order_key(id: OrderId) -> String {
    format!("order.{id}")
}

/// The key of a driver's [`DriverDeliveries`].
pub fn driver_key(id: UserId) -> String {
    format!("driver.{id}")
}
