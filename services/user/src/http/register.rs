use std::net::IpAddr;

use axum::{extract, response::Response};
use http::StatusCode;
use tiffin_chassis::{
    IdempotencyKey, Json, Limit, Problem, idempotency,
    refusal::{BadBody, BadField, BadKey},
    refusals, refused_by,
};
use tiffin_events::UserId;
use time::Duration;

use super::{
    answers::UserAnswer,
    registration::{BadRole, Registration},
    request_context::RequestContext,
};
pub(crate) use crate::sign_ups::owner_of_key;
use crate::{Error, State, rules::BadInput, sign_ups, store, user::Refusal};

const OPERATION: &str = "register";

refusals! {
    /// Too many sign-ups from one network.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum TooManySignUps {
        OfNetwork =
            429, "user.too-many-sign-ups",
            "Too many accounts were opened from your network. Please try again later.";
    }
}

refused_by! {
    RegisterRefusals:
        BadBody, BadField, BadKey, BadRole, BadInput, Refusal::{EmailTaken, Busy},
        TooManySignUps,
}

/// Opens an account.
///
/// The e-mail address is to be proven before it can do much: until then others may sign up with it too,
/// and who proves it keeps it. Drivers sign up with the driver service.
#[utoipa::path(
    post, path = "/api/v1/users", tag = "user",
    params(("Idempotency-Key" = Option<String>, Header, description = "Sent again, it gets the first answer again.")),
    request_body = Registration,
    responses(
        (status = 201, description = "The account is open.", body = UserAnswer),
        RegisterRefusals,
    ),
    extensions(("x-roles" = json!(["*"])))
)]
pub(crate) async fn register(
    extract::State(state): extract::State<State>,
    context: RequestContext,
    key: IdempotencyKey,
    Json(body): Json<Registration>,
) -> Result<Response, Problem> {
    let role = body.role()?;
    let sign_up = body.check()?;
    let owner = owner_of_key(&sign_up.email);
    count(&state, context.network).await?;
    // The turn comes first: the hash of a locked address must not wait for one.
    let turn = state.passwords.turn().await?;
    let id = UserId(state.clock.new_id());
    prefetch_key(&state, id).await?;
    let mut tx = idempotency::begin(&state.pool, owner, OPERATION).await?;
    store::lock_address(&mut tx, &sign_up.email).await?;
    let form = body.without_password();
    if let Some(answer) = key.first_answer(&mut tx, owner, OPERATION, &form).await? {
        let known = store::list_by_email(&mut tx, &sign_up.email).await?;
        drop(tx);
        // The first answer is for the first form, and the password is part of it.
        let same = sign_ups::find_by_password(turn, &sign_up.password, known).await?;
        return same.map(|_| answer).ok_or_else(|| BadKey::Reused.into());
    }
    let opened = sign_ups::open(&mut tx, &state.recorder, turn, sign_up, id, role).await?;
    let answer = UserAnswer::new("Registration Successfully", opened.user);
    let response = key
        .keep(
            &mut tx,
            owner,
            OPERATION,
            &form,
            StatusCode::CREATED,
            &answer,
        )
        .await?;
    tx.commit().await?;
    revoke(&state, &opened.ended);
    Ok(response)
}

/// Counts a sign-up with any result: each reveals whether an address has an account.
pub(super) async fn count(state: &State, network: Option<IpAddr>) -> Result<(), Problem> {
    let Some(network) = network else {
        return Ok(());
    };
    let limit = Limit {
        most: state.config.sign_ups,
        window: Duration::HOUR,
    };
    let key = format!("sign-ups:{network}");
    if let Some(wait) = state.limits.take(&key, limit).await? {
        return Err(Problem::from(TooManySignUps::OfNetwork).retry_after(wait.unsigned_abs()));
    }
    Ok(())
}

/// Fetches the key of an account, so that no transaction waits for it.
pub(super) async fn prefetch_key(state: &State, id: UserId) -> Result<(), Error> {
    Ok(state.recorder.keys.prefetch(&[id]).await?)
}

/// Refuses the tokens of accounts that have ended, here before others hear of it.
pub(super) fn revoke(state: &State, ended: &[UserId]) {
    let now = state.clock.now();
    for id in ended {
        state.verifier.revocations().revoke(*id, now);
    }
}
