use axum::{extract, response::Response};
use tiffin_chassis::{
    Caller, Json, Problem,
    refusal::{BadBody, BadField, BadToken},
    refused_by,
};

use super::{Code, RecoveryCodes, TwoStep, account, lock_unchanged};
use crate::{
    State,
    http::answers::no_store,
    second_factor::{self, BadCode, NewRecoveryCodes, Notice, Origin},
    store::{recovery_codes, second_factors},
    user::Refusal,
};

refused_by! {
    RenewRecoveryCodesRefusals:
        BadBody, BadField, BadToken, Refusal::{Unknown, Busy}, TwoStep::{Off},
        BadCode::{Wrong, TooMany},
}

/// Makes new recovery codes; the earlier ones no longer work. The account's owner is mailed.
#[utoipa::path(
    post, path = "/api/v1/users/second-factor/recovery-codes", tag = "user",
    security(("bearer" = [])), request_body = Code,
    responses(
        (status = 200, description = "The new ones.", body = RecoveryCodes),
        RenewRecoveryCodesRefusals,
    ),
    extensions(("x-roles" = json!(["customer", "restaurant", "delivery", "admin", "operator"])))
)]
pub(crate) async fn renew_recovery_codes(
    extract::State(state): extract::State<State>,
    caller: Caller,
    Json(body): Json<Code>,
) -> Result<Response, Problem> {
    let known = account(&state, &caller).await?;
    let mut conn = state.pool.acquire().await?;
    let is_on = second_factors::is_on(&mut conn, known.id).await?;
    drop(conn);
    if !is_on {
        return Err(TwoStep::Off.into());
    }
    let code = second_factor::verify(&state, known.id, &body.code, Origin::Session).await?;
    let recovery = NewRecoveryCodes::new(&state.passwords).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let user = lock_unchanged(&mut tx, &known).await?;
    second_factor::redeem(&mut tx, &state, user.id, code).await?;
    recovery_codes::replace(&mut tx, user.id, &recovery.hashes).await?;
    second_factor::queue_notice(&mut tx, &state, &user.email, Notice::NewRecoveryCodes).await?;
    tx.commit().await?;
    state.mail_waits.notify_one();
    Ok(no_store(RecoveryCodes {
        message: "You have new recovery codes".to_owned(),
        recovery_codes: recovery.codes,
    }))
}
