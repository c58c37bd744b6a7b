use axum::{
    extract::State,
    http::{HeaderMap, header},
};
use serde::Deserialize;
use tiffin_chassis::{
    Caller, FieldErrors, Json, Path, Problem, Writes,
    refusal::{BadBody, BadField, BadPath, BadToken, TooMany, WrongCaller},
    refused_by,
};
use tiffin_events::{Role, UserId, driver::VehicleType};
use utoipa::ToSchema;

use super::DriverAnswer;
use crate::{
    accounts::{self, Account, AccountsUnavailable, ProfileChange},
    driver::{Driver, DriverChange},
    error::{Error, Refusal},
    limits,
    rules::{self, BadInput},
    store::{self, drivers},
    view::DriverView,
};

/// New values for a driver. What is left out or null stays; the e-mail address never changes here.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DriverUpdate {
    first_name: Option<String>,
    last_name: Option<String>,
    phone: Option<String>,
    address: Option<String>,
    /// A picture's URL.
    image: Option<String>,
    vehicle_type: Option<VehicleType>,
    /// The national identity card's number.
    dr_nic: Option<String>,
    /// `true` if they take deliveries.
    is_available: Option<bool>,
}

refused_by! {
    UpdateDriverRefusals:
        BadBody, BadField, BadPath, BadToken, WrongCaller::{Role}, TooMany,
        BadInput::{NoNic, Nic}, Refusal, AccountsUnavailable,
        ; accounts::UPDATE_REFUSALS
}

/// Changes a driver, and their profile with the user service.
#[utoipa::path(
    put,
    path = "/api/v1/driver/{id}",
    tag = "driver",
    params(("id" = String, Path, description = "The driver's `_id`.")),
    request_body = DriverUpdate,
    responses(
        (status = 200, description = "The driver as they are now.", body = DriverAnswer),
        UpdateDriverRefusals,
    ),
    security(("bearer" = [])),
    extensions(("x-roles" = json!(["delivery", "admin"]))),
)]
pub async fn update_driver(
    State(state): State<crate::State>,
    caller: Caller,
    writes: Writes,
    Path(id): Path<String>,
    headers: HeaderMap,
    Json(body): Json<DriverUpdate>,
) -> Result<Json<DriverAnswer>, Problem> {
    caller.require(&[Role::Delivery, Role::Admin])?;
    let id: UserId = id.parse().map_err(|_| Refusal::Unknown)?;
    if !caller.is_admin() && caller.id != id {
        return Err(Refusal::NotYours.into());
    }
    let (profile, change) = body.check()?;
    writes.count(&limits::CHANGES, &caller).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let mut driver = drivers::lock(&mut tx, id).await?.ok_or(Refusal::Unknown)?;
    // A refusal of this service comes before the profile is changed.
    let is_blocked = store::accounts::is_blocked(&mut tx, id).await?;
    driver.update(change.clone(), is_blocked)?;
    tx.rollback().await?;
    let account = update_profile(&state, &headers, id, &profile).await?;
    let (driver, known) = update(&state, &caller, id, change).await?;
    let driver = DriverView::new(driver, account.unwrap_or(known));
    Ok(Json(DriverAnswer {
        message: "Driver updated successfully",
        driver,
    }))
}

/// The profile belongs to the user service, which changes it in the caller's own name; `None` where
/// there is nothing to change.
async fn update_profile(
    state: &crate::State,
    headers: &HeaderMap,
    id: UserId,
    change: &ProfileChange,
) -> Result<Option<Account>, Problem> {
    match headers.get(header::AUTHORIZATION) {
        Some(token) if *change != ProfileChange::default() => state
            .accounts
            .update(id, token.clone(), change)
            .await
            .map(Some),
        _ => Ok(None),
    }
}

/// Changes this service's own fields. Returns the driver as they are afterwards, and the known data of the
/// account.
async fn update(
    state: &crate::State,
    caller: &Caller,
    id: UserId,
    change: DriverChange,
) -> Result<(Driver, Account), Error> {
    let mut tx = tiffin_database::begin(&state.pool).await?;
    // Locked before the account is read: a block that comes meanwhile waits for this transaction.
    drivers::lock(&mut tx, id).await?.ok_or(Refusal::Unknown)?;
    let is_blocked = store::accounts::is_blocked(&mut tx, id).await?;
    let cause = crate::State::cause(caller);
    let transition = |driver: &mut Driver| driver.update(change, is_blocked);
    let driver = tiffin_bus::change(&mut tx, &state.recorder, &cause, id, transition).await?;
    let account = store::accounts::find(&mut tx, id)
        .await?
        .unwrap_or_default();
    tx.commit().await?;
    Ok((driver, account))
}

impl DriverUpdate {
    /// Checks the fields of this service; the user service checks the profile.
    fn check(self) -> Result<(ProfileChange, DriverChange), Problem> {
        let mut errors = FieldErrors::default();
        let Some(dr_nic) = errors.check_given("drNic", self.dr_nic, |nic| rules::nic(&nic)) else {
            return Err(errors.into_problem());
        };
        let profile = ProfileChange {
            first_name: self.first_name,
            last_name: self.last_name,
            address: self.address,
            phone: self.phone,
            image: self.image,
        };
        let change = DriverChange {
            vehicle_type: self.vehicle_type,
            dr_nic,
            is_available: self.is_available,
        };
        if profile == ProfileChange::default() && change == DriverChange::default() {
            return Err(Refusal::NothingToChange.into());
        }
        Ok((profile, change))
    }
}
