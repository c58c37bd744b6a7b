use std::net::IpAddr;

use axum::{extract::State, http::StatusCode, response::Response};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tiffin_bus::Cause;
use tiffin_chassis::{
    FieldErrors, IdempotencyKey, Json, Network, Problem, idempotency,
    refusal::{BadBody, BadField, BadKey},
    refused_by, telemetry,
};
use tiffin_events::{UserId, driver::VehicleType};
use utoipa::ToSchema;

use super::DriverAnswer;
use crate::{
    accounts::{self, Account, AccountForm, AccountsUnavailable},
    driver::Driver,
    rules::{self, BadInput},
    store::{
        applications::{self, Application},
        drivers, pending_accounts,
    },
    view::DriverView,
};

const OPERATION: &str = "register_driver";

/// A driver's sign-up form. The role is always `delivery`.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct NewDriver {
    #[schema(required)]
    email: String,
    /// At least 8 characters, an uppercase letter and a symbol among them.
    // Never written anywhere: hashes of this form are stored, and a fast hash of a password is easy to break.
    #[serde(skip_serializing_if = "is_secret")]
    #[schema(required, write_only)]
    password: String,
    #[schema(required)]
    first_name: String,
    #[schema(required)]
    last_name: String,
    #[schema(required)]
    address: String,
    /// Digits, with an optional leading `+`.
    #[schema(required)]
    phone: String,
    /// The picture's URL.
    #[schema(required)]
    image: String,
    #[schema(required, value_type = VehicleType)]
    vehicle_type: Option<VehicleType>,
    /// The national identity card's number.
    #[schema(required)]
    dr_nic: String,
    role: Option<String>,
}

/// `skip_serializing` would hide the field from the interface's description, too.
fn is_secret(_: &str) -> bool {
    true
}

refused_by! {
    RegisterDriverRefusals:
        BadBody, BadField, BadKey, BadInput, AccountsUnavailable,
        ; accounts::SIGN_UP_REFUSALS
}

/// Signs up a driver: an account with the user service, and the vehicle here.
///
/// Sent again after it failed half-way, it continues where it stopped.
#[utoipa::path(
    post,
    path = "/api/v1/driver",
    tag = "driver",
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key and body give the first answer again.")),
    request_body = NewDriver,
    responses(
        (status = 201, description = "The driver. Their e-mail address is to be proven before they can do much.", body = DriverAnswer),
        RegisterDriverRefusals,
    ),
    extensions(("x-roles" = json!(["*"]))),
)]
pub async fn register_driver(
    State(state): State<crate::State>,
    Network(network): Network,
    key: IdempotencyKey,
    Json(body): Json<NewDriver>,
) -> Result<Response, Problem> {
    let (vehicle_type, dr_nic) = body.check()?;
    let owner = applications::owner_of_key(&body.email);
    let mut tx = idempotency::begin(&state.pool, owner, OPERATION).await?;
    if let Some(answer) = key.first_answer(&mut tx, owner, OPERATION, &body).await? {
        return Ok(answer);
    }
    let fingerprint = body.fingerprint(&key)?;
    let application = applications::open(
        &mut tx,
        &state.clock,
        &fingerprint,
        key.0.is_some(),
        (vehicle_type, &dr_nic),
    )
    .await?;
    tx.commit().await?;
    let form = body.account(application.id, network);
    let account = state.accounts.open(&form).await?;
    finish(&state, &key, &body, application, account).await
}

/// Creates the driver of an account that the user service has opened.
async fn finish(
    state: &crate::State,
    key: &IdempotencyKey,
    body: &NewDriver,
    application: Application,
    account: Account,
) -> Result<Response, Problem> {
    let owner = applications::owner_of_key(&body.email);
    let mut tx = idempotency::begin(&state.pool, owner, OPERATION).await?;
    // The same request may have been sent twice, and the other one was faster.
    if let Some(answer) = key.first_answer(&mut tx, owner, OPERATION, body).await? {
        return Ok(answer);
    }
    let id = application.id;
    pending_accounts::save(&mut tx, id, &account).await?;
    let driver = Driver::register(
        id,
        application.vehicle_type,
        application.dr_nic,
        state.clock.now(),
    );
    let cause = Cause::user(id, telemetry::traceparent());
    let driver = drivers::register(&mut tx, &state.recorder, &cause, driver).await?;
    applications::close(&mut tx, id).await?;
    let answer = DriverAnswer {
        message: "Registration Successfully",
        driver: DriverView::new(driver, account),
    };
    let answer = key
        .keep(
            &mut tx,
            owner,
            OPERATION,
            body,
            StatusCode::CREATED,
            &answer,
        )
        .await?;
    tx.commit().await?;
    Ok(answer)
}

impl NewDriver {
    /// Checks the fields of this service; the user service checks those of the account.
    fn check(&self) -> Result<(VehicleType, String), Problem> {
        let mut errors = FieldErrors::default();
        let vehicle = self.vehicle_type.ok_or(BadInput::NoVehicle);
        match (
            errors.check("vehicleType", vehicle),
            errors.check("drNic", rules::nic(&self.dr_nic)),
        ) {
            (Some(vehicle_type), Some(dr_nic)) => Ok((vehicle_type, dr_nic)),
            _ => Err(errors.into_problem()),
        }
    }

    fn account(&self, id: UserId, network: Option<IpAddr>) -> AccountForm<'_> {
        AccountForm {
            id,
            network,
            email: &self.email,
            password: &self.password,
            first_name: &self.first_name,
            last_name: &self.last_name,
            address: &self.address,
            phone: &self.phone,
            image: &self.image,
        }
    }

    /// A digest by which two forms are the same sign-up: every field but the password, and the key.
    fn fingerprint(&self, key: &IdempotencyKey) -> serde_json::Result<Vec<u8>> {
        Ok(Sha256::digest(serde_json::to_vec(&(self, &key.0))?).to_vec())
    }
}
