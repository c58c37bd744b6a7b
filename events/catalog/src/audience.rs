//! Who may watch what, as the key-value bucket `audience` holds it. The service that owns a thing
//! writes its entry; the live bridge reads it and keeps nothing of its own.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{DeliveryId, OrderId, UserId};

/// The bucket's name.
pub const BUCKET: &str = "audience";

/// How long an entry stays after its order or delivery has ended: who still has its page open sees the end
/// of it, and the bucket holds no more than a day's work.
pub const KEPT_AFTER: Duration = Duration::from_hours(12);

/// Who may watch one order or delivery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Audience {
    /// Everyone who may watch it, besides administrators.
    pub users: Vec<UserId>,
    /// Who may send positions for it.
    pub driver: Option<UserId>,
    /// Whether it is under way: positions are taken and shown only while it is.
    pub active: bool,
    /// The aggregate's version at this entry: an older entry that comes late changes nothing. 0 in
    /// entries from before there were versions.
    #[serde(default)]
    pub version: i64,
}

impl Audience {
    /// The empty audience of an order or delivery that has no entry any more.
    pub const fn nobody(version: i64) -> Self {
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
pub struct Trips {
    pub deliveries: Vec<DeliveryId>,
    /// Grows with each change of the list.
    #[serde(default)]
    pub version: i64,
}

impl Versioned for Trips {
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

/// The key of a driver's [`Trips`].
pub fn driver_key(id: UserId) -> String {
    format!("driver.{id}")
}
