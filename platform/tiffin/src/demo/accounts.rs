use anyhow::Result;
use serde::Deserialize;
use tiffin_driver::seed::{self, NewDriver};
use tiffin_events::{Coordinates, Role, UserId, driver::VehicleType};
use tiffin_user::{NewAccount, Profile};

use super::{
    PASSWORD,
    platform::{DemoAccount, DemoPlatform},
};
use crate::services::Service;

const ACCOUNTS: &str = include_str!("../../demo/accounts.json");

/// The accounts of the demo.
#[derive(Debug)]
pub struct DemoAccounts {
    pub admin: DemoAccount,
    pub owner: DemoAccount,
    pub customers: Vec<DemoAccount>,
    pub drivers: Vec<DemoAccount>,
}

#[derive(Deserialize)]
struct AccountsFile {
    admin: AccountData,
    owner: AccountData,
    customers: Vec<AccountData>,
    drivers: Vec<AccountData>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AccountData {
    email: String,
    first_name: String,
    last_name: String,
    phone: String,
    address: String,
    lat: Option<f64>,
    lng: Option<f64>,
    vehicle: Option<VehicleType>,
    nic: Option<String>,
}

impl DemoAccounts {
    /// Creates the accounts, verified, and the drivers' entries.
    pub async fn make(platform: &DemoPlatform) -> Result<Self> {
        let file: AccountsFile = serde_json::from_str(ACCOUNTS)?;
        let admin = account(platform, file.admin, Role::Admin).await?;
        let owner = account(platform, file.owner, Role::Restaurant).await?;
        let mut customers = Vec::new();
        for data in file.customers {
            customers.push(account(platform, data, Role::Customer).await?);
        }
        let mut drivers = Vec::new();
        for mut data in file.drivers {
            let (vehicle, nic) = (data.vehicle.take(), data.nic.take());
            let driver = account(platform, data, Role::Delivery).await?;
            let entry = NewDriver {
                id: driver.id,
                vehicle_type: vehicle.unwrap_or(VehicleType::Bike),
                dr_nic: nic.unwrap_or_default(),
                is_available: true,
            };
            seed::register(platform.pool(Service::Driver)?, &platform.recorder, entry).await?;
            drivers.push(driver);
        }
        Ok(Self {
            admin,
            owner,
            customers,
            drivers,
        })
    }
}

async fn account(platform: &DemoPlatform, data: AccountData, role: Role) -> Result<DemoAccount> {
    let place = match (data.lat, data.lng) {
        (Some(lat), Some(lng)) => Some(Coordinates::new(lat, lng)?),
        _ => None,
    };
    let new = NewAccount {
        id: UserId(platform.clock.new_id()),
        email: data.email,
        password: PASSWORD.to_owned(),
        role,
        profile: Profile {
            first_name: data.first_name,
            last_name: data.last_name,
            phone: data.phone,
            address: data.address,
            image: None,
            place,
        },
        operator: role == Role::Admin,
    };
    let user =
        tiffin_user::create_account(platform.pool(Service::User)?, &platform.recorder, new).await?;
    Ok(DemoAccount {
        id: user.id,
        role,
        email: user.email,
    })
}
