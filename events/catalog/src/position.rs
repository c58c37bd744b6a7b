//! Drivers' positions. They come straight from the device, many a second: no outbox, kept for a day.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use time::{Duration, OffsetDateTime};

use crate::{
    Coordinates, DeliveryId, UserId,
    envelope::events,
    personal::{Category, Mark},
};

/// The furthest that a device's clock may run ahead. A position from further ahead would keep all honest
/// ones out.
const AHEAD: Duration = Duration::minutes(1);

/// One position of a driver's device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PositionUpdatedV1 {
    pub delivery_id: DeliveryId,
    pub driver_id: UserId,
    /// WGS 84 degrees.
    #[schemars(extend("x-personal" = Mark::new(Category::Place, "driverId")))]
    pub lat: f64,
    #[schemars(extend("x-personal" = Mark::new(Category::Place, "driverId")))]
    pub lng: f64,
    /// Radius in metres of the 95 % circle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<f64>,
    /// Degrees clockwise from true north.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading: Option<f64>,
    /// Metres a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// The time of measurement by the device's clock.
    #[serde(with = "time::serde::rfc3339")]
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub at: OffsetDateTime,
}

impl PositionUpdatedV1 {
    /// True if it is on earth, and not from further ahead of `published` than a device's clock may be.
    pub fn is_plausible(&self, published: OffsetDateTime) -> bool {
        Coordinates::new(self.lat, self.lng).is_ok() && self.at <= published + AHEAD
    }
}

events! {
    /// The position of a delivery's driver. `sequence` is the device time in milliseconds since 1970;
    /// the subject has no event word: `tiffin.position.<delivery id>`. A position that comes late has the device time
    /// as the last word, `tiffin.position.<delivery id>.<milliseconds>`, and as its `time`.
    PositionEvent: "position" in Positions by "live" {
        Updated(PositionUpdatedV1) = "updated", "v1", "The driver of a delivery moved.";
    }
}
