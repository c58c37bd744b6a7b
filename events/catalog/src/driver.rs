//! Drivers: what the driver service knows beside the account. A driver's id is their account's.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{UserId, envelope::events};

/// A driver's vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, ToSchema)]
pub enum VehicleType {
    Car,
    Bike,
    Van,
    Truck,
}

impl VehicleType {
    pub const ALL: [Self; 4] = [Self::Car, Self::Bike, Self::Van, Self::Truck];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Car => "Car",
            Self::Bike => "Bike",
            Self::Van => "Van",
            Self::Truck => "Truck",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// A driver, whole, as they are after the event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DriverProfileV1 {
    pub driver_id: UserId,
    pub vehicle_type: VehicleType,
    pub is_available: bool,
}

/// A reference to a driver.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DriverRefV1 {
    pub driver_id: UserId,
}

events! {
    /// The events of a driver.
    DriverEvent: "driver" in Drivers by "driver" {
        Registered(DriverProfileV1) = "registered", "v1", "A driver signed up.";
        Updated(DriverProfileV1) = "updated", "v1", "A driver's details changed.";
        Available(DriverRefV1) = "available", "v1", "A driver takes deliveries.";
        Unavailable(DriverRefV1) = "unavailable", "v1", "A driver takes no deliveries.";
    }
}
