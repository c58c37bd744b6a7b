use axum::{extract, response::Response};
use serde::Serialize;
use tiffin_chassis::{
    EnrollingCaller, Problem,
    refusal::{BadToken, WrongCaller},
    refused_by,
};
use utoipa::ToSchema;

use super::{TwoStep, account};
use crate::{
    State,
    http::answers::no_store,
    second_factor::{AppSecret, qr_image},
    store::second_factors,
    user::Refusal,
};

/// The data for the authenticator app.
#[derive(Serialize, ToSchema)]
pub(crate) struct Setup {
    /// `otpauth://totp/…`: what the QR code says, and a link that apps on this device open.
    address: String,
    /// The secret in base32, for who types it.
    secret: String,
    qr: Qr,
}

/// A QR code to draw as an SVG of `size` units, one a module, the quiet zone included.
#[derive(Serialize, ToSchema)]
pub(crate) struct Qr {
    size: usize,
    /// The dark modules, as the `d` of a path.
    path: String,
}

refused_by! {
    BeginSecondFactorRefusals:
        BadToken, WrongCaller::{ProofTooOld}, Refusal::{Unknown}, TwoStep::{OnAlready},
}

/// Begins to turn on two-step sign-in: gives the authenticator app its secret.
///
/// It is on once a first code is shown. What was begun before and not finished is of no use any more.
/// Asks for a proof of the last five minutes.
#[utoipa::path(
    post, path = "/api/v1/users/second-factor", tag = "user", security(("bearer" = [])),
    responses(
        (status = 200, description = "The secret for the app, and its QR code.", body = Setup),
        BeginSecondFactorRefusals,
    ),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"])))
)]
pub(crate) async fn begin_second_factor(
    extract::State(state): extract::State<State>,
    EnrollingCaller(caller): EnrollingCaller,
) -> Result<Response, Problem> {
    let now = state.clock.now();
    caller.require_fresh(now)?;
    let user = account(&state, &caller).await?;
    let secret = AppSecret::new();
    let sealed = secret.seal(&state.seal, user.id)?;
    let mut conn = state.pool.acquire().await?;
    if !second_factors::begin(&mut conn, now, user.id, &sealed).await? {
        return Err(TwoStep::OnAlready.into());
    }
    let address = secret.uri(&user.email)?;
    let image = qr_image(&address)?;
    Ok(no_store(Setup {
        secret: secret.base32()?,
        qr: Qr {
            size: image.size,
            path: image.path,
        },
        address,
    }))
}
