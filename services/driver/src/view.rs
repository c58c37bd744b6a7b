//! A driver as people see them.

use serde::Serialize;
use tiffin_events::{Role, driver::VehicleType};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{accounts::Account, driver::Driver};

/// A driver with their account. Owners see `_id`, `id`, `firstName`, `vehicleType`, `isAvailable`,
/// `role` and `distance`; the other texts are empty or null for them.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Driver)]
pub struct DriverView {
    #[serde(rename = "_id")]
    pub key: Uuid,
    pub id: Uuid,
    pub email: String,
    pub first_name: String,
    pub last_name: String,
    pub address: Option<String>,
    pub phone: Option<String>,
    /// A picture's URL.
    pub image: Option<String>,
    pub vehicle_type: VehicleType,
    /// The national identity card's number; empty for owners.
    pub dr_nic: String,
    /// `true` if they take deliveries.
    pub is_available: bool,
    pub role: Role,
    /// Metres in a straight line, of drivers who were seen in the last half hour. For administrators
    /// from the place asked about, to a hundred. For owners from their restaurant, at least so many: 0,
    /// 1000, 2000 or 5000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<i64>,
}

impl DriverView {
    /// A driver with the account that the user service answered.
    pub fn new(driver: Driver, account: Account) -> Self {
        Self {
            key: driver.id.0,
            id: driver.id.0,
            email: account.email,
            first_name: account.first_name,
            last_name: account.last_name,
            address: Some(account.address),
            phone: Some(account.phone),
            image: account.image,
            vehicle_type: driver.vehicle_type,
            dr_nic: driver.dr_nic,
            is_available: driver.is_available,
            role: Role::Delivery,
            distance: None,
        }
    }
}
