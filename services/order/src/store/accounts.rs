//! Read models of accounts and drivers.

use sqlx::PgConnection;
use tiffin_events::{
    Coordinates, UserId,
    driver::{DriverProfileV1, VehicleType},
    user::UserProfileV1,
};

/// The address that a customer has food delivered to.
#[derive(Clone, Debug, PartialEq)]
pub struct DeliveryAddress {
    pub address: String,
    pub place: Option<Coordinates>,
}

/// The state of a driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DriverState {
    /// With their vehicle, if it is known.
    Active(Option<VehicleType>),
    /// Blocked, or the account is closed.
    Blocked,
    Unknown,
}

/// The data of a customer that an order shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Customer {
    pub email: String,
    pub name: Option<String>,
    pub phone: Option<String>,
    /// The address in their profile, if it has one.
    pub default_address: Option<DeliveryAddress>,
}

/// The state of a driver who may be given an order.
pub async fn driver_state(tx: &mut PgConnection, UserId(id): UserId) -> sqlx::Result<DriverState> {
    let row = sqlx::query!(
        r#"select d.vehicle, coalesce(p.blocked or p.deleted, false) as "is_blocked!"
           from drivers d left join people p on p.id = d.id
           where d.id = $1"#,
        id,
    )
    .fetch_optional(tx)
    .await?;
    Ok(match row {
        Some(row) if row.is_blocked => DriverState::Blocked,
        Some(row) => DriverState::Active(row.vehicle.as_deref().and_then(VehicleType::parse)),
        None => DriverState::Unknown,
    })
}

pub async fn save(tx: &mut PgConnection, account: &UserProfileV1) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into people (id, email, first_name, last_name, phone, address, lat, lng)
         values ($1, $2, $3, $4, $5, $6, $7, $8)
         on conflict (id) do update
         set email = excluded.email, first_name = excluded.first_name, last_name = excluded.last_name,
             phone = excluded.phone, address = excluded.address, lat = excluded.lat, lng = excluded.lng",
        account.user_id.0,
        account.email,
        account.first_name,
        account.last_name,
        account.phone,
        account.address,
        account.lat,
        account.lng,
    )
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn set_blocked(
    tx: &mut PgConnection,
    UserId(id): UserId,
    blocked: bool,
) -> sqlx::Result<()> {
    sqlx::query!("update people set blocked = $2 where id = $1", id, blocked)
        .execute(tx)
        .await?;
    Ok(())
}

/// Erases the data of an account and marks it as deleted. Its earlier events are erased too; this one must
/// lead to the same rows without them.
pub async fn erase(tx: &mut PgConnection, UserId(id): UserId) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into people (id, email, first_name, last_name, phone, address, deleted)
         values ($1, '', '', '', '', '', true)
         on conflict (id) do update
         set email = '', first_name = '', last_name = '', phone = '', address = '', lat = null, lng = null,
             blocked = false, deleted = true",
        id,
    )
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn save_driver(tx: &mut PgConnection, driver: &DriverProfileV1) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into drivers (id, vehicle) values ($1, $2)
         on conflict (id) do update set vehicle = excluded.vehicle",
        driver.driver_id.0,
        driver.vehicle_type.as_str(),
    )
    .execute(tx)
    .await?;
    Ok(())
}
