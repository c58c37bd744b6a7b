//! Password resets by mail (OWASP Forgot Password Cheat Sheet): a token of 32 random bytes, valid for half an hour
//! and one use; a new one replaces the one before. A request only inserts a row, so that it takes as long for an
//! address without an account; a worker writes the mails.

mod mails;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use time::Duration;

pub(crate) use mails::{Language, queue_changed};

use crate::{
    Error, State,
    store::{self, password_requests, password_resets},
};

/// The lifetime of a token.
pub(crate) const LIFETIME: Duration = Duration::minutes(30);

/// Requests a mail to an address, which may have an account or not.
pub(crate) async fn request(state: &State, email: &str, language: Language) -> Result<(), Error> {
    password_requests::insert(&state.pool, &state.clock, email, language).await?;
    state.mail_waits.notify_one();
    Ok(())
}

/// Writes the requested mails: none for an address without an account, or with a blocked one.
pub(crate) async fn write_due(state: &State) -> Result<(), Error> {
    while write_next(state).await? {}
    Ok(())
}

/// The token is committed with the mail that carries it.
async fn write_next(state: &State) -> Result<bool, Error> {
    let now = state.clock.now();
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let Some(request) = password_requests::take(&mut tx).await? else {
        return Ok(false);
    };
    let user = store::find_by_email(&mut tx, &request.email).await?;
    if let Some(user) = user.filter(|user| !user.blocked && now - request.asked_at < LIFETIME) {
        let token = URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>());
        password_resets::save(&mut tx, now, user.id, &token, request.language).await?;
        mails::queue_link(&mut tx, state, &user.email, request.language, &token).await?;
    }
    tx.commit().await?;
    Ok(true)
}
