//! Calls of Tiffin's other services. Not part of the public interface.

use std::net::IpAddr;

use axum::extract;
use http::{HeaderMap, StatusCode, header};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use tiffin_chassis::{Json, Problem, refusals};
use tiffin_events::{Role, UserId};

use super::{
    answers::UserAnswer,
    register::{count, prefetch_key, revoke},
    registration::Registration,
};
use crate::{
    State, sign_ups, store,
    user::{Refusal, User},
};

refusals! {
    /// A caller who is no service.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum NotAService {
        Caller = 401, "user.services-only", "Only services may ask for this.";
    }
}

#[derive(Deserialize)]
pub(crate) struct NewDriver {
    id: UserId,
    /// The network of the person who signs up; sign-ups are counted by it.
    network: Option<IpAddr>,
    #[serde(flatten)]
    registration: Registration,
}

/// Makes a driver's account under the id that the driver service gave it. Asked again for the same
/// id and e-mail address, it answers with the account that is there.
pub(crate) async fn create_driver(
    extract::State(state): extract::State<State>,
    headers: HeaderMap,
    Json(body): Json<NewDriver>,
) -> Result<(StatusCode, Json<UserAnswer>), Problem> {
    require_service(&state, &headers)?;
    let sign_up = body.registration.check()?;
    let mut conn = state.pool.acquire().await?;
    if let Some(user) = store::find(&mut conn, body.id).await? {
        return existing(user, &sign_up.email);
    }
    drop(conn);
    count(&state, body.network).await?;
    let turn = state.passwords.turn().await?;
    prefetch_key(&state, body.id).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    store::lock_address(&mut tx, &sign_up.email).await?;
    // The same request came twice at once: the other one made the account.
    if let Some(user) = store::find(&mut tx, body.id).await? {
        return existing(user, &sign_up.email);
    }
    let opened = sign_ups::open(
        &mut tx,
        &state.recorder,
        turn,
        sign_up,
        body.id,
        Role::Delivery,
    )
    .await?;
    tx.commit().await?;
    revoke(&state, &opened.ended);
    Ok((
        StatusCode::CREATED,
        Json(UserAnswer::new("Registration Successfully", opened.user)),
    ))
}

fn existing(user: User, email: &str) -> Result<(StatusCode, Json<UserAnswer>), Problem> {
    if user.email == email && user.role == Role::Delivery {
        Ok((
            StatusCode::CREATED,
            Json(UserAnswer::new("Registration Successfully", user)),
        ))
    } else {
        Err(Refusal::EmailTaken.into())
    }
}

/// `Authorization: Service <key>`, compared by digest, so that the time taken tells nothing of it.
fn require_service(state: &State, headers: &HeaderMap) -> Result<(), Problem> {
    let shown = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok());
    let shown = shown.and_then(|value| value.strip_prefix("Service "));
    match (&state.config.service_key, shown) {
        (Some(key), Some(shown)) if Sha256::digest(key) == Sha256::digest(shown) => Ok(()),
        _ => Err(NotAService::Caller.into()),
    }
}
