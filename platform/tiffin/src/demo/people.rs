use anyhow::Result;
use serde::Deserialize;
use tiffin_driver::seed::{self, NewDriver};
use tiffin_events::{Coordinates, Role, UserId, driver::VehicleType};
use tiffin_user::{NewAccount, Profile};

use super::{
    PASSWORD,
    stage::{Person, Stage},
};
use crate::services::Service;

const PEOPLE: &str = include_str!("../../demo/people.json");

/// Everybody in the demo.
#[derive(Debug)]
pub struct People {
    pub admin: Person,
    pub owner: Person,
    pub customers: Vec<Person>,
    pub drivers: Vec<Person>,
}

#[derive(Deserialize)]
struct Cast {
    admin: Part,
    owner: Part,
    customers: Vec<Part>,
    drivers: Vec<Part>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Part {
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

impl People {
    /// Makes everybody's account, verified, and the drivers' entries.
    pub async fn make(stage: &Stage) -> Result<Self> {
        let cast: Cast = serde_json::from_str(PEOPLE)?;
        let admin = account(stage, cast.admin, Role::Admin).await?;
        let owner = account(stage, cast.owner, Role::Restaurant).await?;
        let mut customers = Vec::new();
        for part in cast.customers {
            customers.push(account(stage, part, Role::Customer).await?);
        }
        let mut drivers = Vec::new();
        for mut part in cast.drivers {
            let (vehicle, nic) = (part.vehicle.take(), part.nic.take());
            let driver = account(stage, part, Role::Delivery).await?;
            let entry = NewDriver {
                id: driver.id,
                vehicle_type: vehicle.unwrap_or(VehicleType::Bike),
                dr_nic: nic.unwrap_or_default(),
                is_available: true,
            };
            seed::register(stage.pool(Service::Driver)?, &stage.clock, entry).await?;
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

async fn account(stage: &Stage, part: Part, role: Role) -> Result<Person> {
    let place = match (part.lat, part.lng) {
        (Some(lat), Some(lng)) => Some(Coordinates::new(lat, lng)?),
        _ => None,
    };
    let new = NewAccount {
        id: UserId(stage.clock.new_id()),
        email: part.email,
        password: PASSWORD.to_owned(),
        role,
        profile: Profile {
            first_name: part.first_name,
            last_name: part.last_name,
            phone: part.phone,
            address: part.address,
            image: None,
            place,
        },
        operator: role == Role::Admin,
    };
    let user = tiffin_user::create_account(stage.pool(Service::User)?, &stage.clock, new).await?;
    Ok(Person {
        id: user.id,
        role,
        email: user.email,
    })
}
