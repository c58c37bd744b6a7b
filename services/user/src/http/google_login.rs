use axum::{extract, response::Response};
use serde::Deserialize;
use tiffin_bus::Cause;
use tiffin_chassis::{
    Json, Problem,
    refusal::{BadBody, BadField},
    refused_by, telemetry,
};
use tiffin_events::{Role, UserId};
use utoipa::ToSchema;

use super::{
    attempt::{Attempt, TooManyFailures},
    login::{SignInRefusal, sign_in},
    register::{prefetch_key, revoke},
    request_context::RequestContext,
};
use crate::{
    Error, State,
    google::{Google, GoogleAccount, GoogleError},
    sign_ups,
    store::{self, codes, password_resets, sessions},
    user::{NewUser, Refusal, User},
};

/// The token that Google gave the browser.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GoogleLogin {
    access_token: String,
}

refused_by! {
    GoogleLoginRefusals:
        BadBody, BadField, GoogleError, SignInRefusal::{Wrong, CodeWanted, Blocked},
        TooManyFailures, Refusal::{Unknown},
}

/// Signs in with Google. An unknown person gets an account, as a customer.
#[utoipa::path(
    post, path = "/api/v1/users/google", tag = "user", request_body = GoogleLogin,
    responses(
        (status = 200, description = "Signed in.", body = super::answers::LoginAnswer),
        GoogleLoginRefusals,
    ),
    extensions(("x-roles" = json!(["*"])))
)]
pub(crate) async fn google_login(
    extract::State(state): extract::State<State>,
    context: RequestContext,
    Json(body): Json<GoogleLogin>,
) -> Result<Response, Problem> {
    let google = state.google.as_ref().ok_or(GoogleError::NotSetUp)?;
    let token = body.access_token.trim();
    if token.is_empty() {
        return Err(GoogleError::NoToken.into());
    }
    let attempt = Attempt::from_address(&state, &context).await?;
    let owner = match google.owner(token).await {
        Err(GoogleError::Refused) => return Err(GoogleError::Refused.into()),
        answer => answer,
    };
    attempt.succeeded(&state).await?;
    let user = account(&state, google, token, &owner?).await?;
    // Google does not say with which methods the user has signed in.
    sign_in(&state, &context, &user, &[]).await
}

/// The account of the address, which is made if there is none.
async fn account(
    state: &State,
    google: &Google,
    token: &str,
    owner: &GoogleAccount,
) -> Result<User, Problem> {
    if let Some(user) = known(state, owner).await? {
        return claim(state, user).await;
    }
    let profile = google.profile(token, owner).await?;
    let id = UserId(state.clock.new_id());
    let (user, event) = User::register(NewUser {
        id,
        email: owner.email.clone(),
        password_hash: String::new(),
        role: Role::Customer,
        profile,
        verified: true,
    });
    let cause = Cause::user(id, telemetry::traceparent());
    prefetch_key(state, id).await?;
    let mut tx = tiffin_database::begin(&state.pool).await?;
    store::lock_address(&mut tx, &user.email).await?;
    // The same person came twice at once, or signed up meanwhile.
    if let Some(user) = store::find_by_email(&mut tx, &user.email).await? {
        drop(tx);
        return claim(state, user).await;
    }
    store::insert(&mut tx, &state.recorder, &cause, &user, event).await?;
    tx.commit().await?;
    Ok(user)
}

async fn known(state: &State, owner: &GoogleAccount) -> Result<Option<User>, Error> {
    let mut conn = state.pool.acquire().await?;
    store::find_by_email(&mut conn, &owner.email).await
}

/// Gives an unproven account to the owner of its address: it may have been opened by another person, so its
/// password and sessions end. Of several accounts with the address it is the newest; the others end.
async fn claim(state: &State, user: User) -> Result<User, Problem> {
    if user.verified || user.blocked {
        return Ok(user);
    }
    let mut tx = tiffin_database::begin(&state.pool).await?;
    store::lock_address(&mut tx, &user.email).await?;
    let user = store::find_by_email(&mut tx, &user.email)
        .await?
        .ok_or(Error::from(Refusal::Unknown))?;
    if user.verified || user.blocked {
        return Ok(user);
    }
    let cause = Cause::user(user.id, telemetry::traceparent());
    let claimed =
        tiffin_bus::change(&mut tx, &state.recorder, &cause, user.id, User::claim).await?;
    let now = state.clock.now();
    sessions::end_all(&mut tx, now, user.id, None).await?;
    codes::end(&mut tx, user.id).await?;
    password_resets::end(&mut tx, user.id).await?;
    let ended = sign_ups::end_others(&mut tx, &state.recorder, &claimed).await?;
    tx.commit().await?;
    revoke(state, &ended);
    state.verifier.revocations().revoke(user.id, now);
    // A token from the very millisecond of the revocation would be refused with those before it.
    tokio::time::sleep(std::time::Duration::from_millis(2)).await;
    Ok(claimed)
}
