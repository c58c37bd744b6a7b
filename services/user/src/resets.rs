//! Password resets by mail (OWASP Forgot Password Cheat Sheet): a token of 32 random bytes, valid for half an hour
//! and one use; a new one replaces the one before. A request only inserts a row, so that it takes as long for an
//! address without an account; a worker writes the mails.

mod mails;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use tiffin_events::UserId;
use time::{Duration, OffsetDateTime};

pub(crate) use mails::{Language, queue_changed};

use crate::{Error, State, store};

/// The lifetime of a token.
pub(crate) const LIFETIME: Duration = Duration::minutes(30);

/// Requests a mail to an address, which may have an account or not.
pub(crate) async fn request(state: &State, email: &str, language: Language) -> Result<(), Error> {
    sqlx::query!(
        "insert into password_requests (id, email, language, asked_at) values ($1, $2, $3, $4)",
        state.clock.new_id(),
        email,
        language.code(),
        state.clock.now(),
    )
    .execute(&state.pool)
    .await?;
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
    let mut tx = state.pool.begin().await?;
    let request = sqlx::query!(
        "delete from password_requests where id = (
            select id from password_requests order by asked_at limit 1 for update skip locked
         )
         returning email, language, asked_at",
    );
    let Some(request) = request.fetch_optional(&mut *tx).await? else {
        return Ok(false);
    };
    let user = store::find_by_email(&mut tx, &request.email).await?;
    if let Some(user) = user.filter(|user| !user.blocked && now - request.asked_at < LIFETIME) {
        let token = URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>());
        sqlx::query!(
            "insert into password_resets (user_id, hash, language, expires_at) values ($1, $2, $3, $4)
             on conflict (user_id) do update set hash = $2, language = $3, expires_at = $4",
            user.id.0,
            &hash(&token)[..],
            request.language,
            now + LIFETIME,
        )
        .execute(&mut *tx)
        .await?;
        let language = Language::read(&request.language);
        mails::queue_link(&mut tx, state, &user.email, language, &token).await?;
    }
    tx.commit().await?;
    Ok(true)
}

/// The account of a valid token, and the language of its mail.
pub(crate) async fn find(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    token: &str,
) -> Result<Option<(UserId, Language)>, Error> {
    let found = sqlx::query!(
        "select user_id, language from password_resets where hash = $1 and expires_at > $2",
        &hash(token)[..],
        now,
    );
    let found = found.fetch_optional(conn).await?;
    Ok(found.map(|row| (UserId(row.user_id), Language::read(&row.language))))
}

/// Redeems a token; false where another request was first.
pub(crate) async fn redeem(tx: &mut PgConnection, token: &str) -> Result<bool, Error> {
    let redeemed = sqlx::query!(
        "delete from password_resets where hash = $1",
        &hash(token)[..]
    );
    Ok(redeemed.execute(tx).await?.rows_affected() == 1)
}

/// Ends a user's token.
pub(crate) async fn end(tx: &mut PgConnection, user: UserId) -> Result<(), Error> {
    sqlx::query!("delete from password_resets where user_id = $1", user.0)
        .execute(tx)
        .await?;
    Ok(())
}

/// Deletes the requests for an address.
pub(crate) async fn delete_requests(tx: &mut PgConnection, email: &str) -> Result<(), Error> {
    sqlx::query!("delete from password_requests where email = $1", email)
        .execute(tx)
        .await?;
    Ok(())
}

/// Deletes expired tokens.
pub(crate) async fn delete_expired(
    tx: &mut PgConnection,
    now: OffsetDateTime,
) -> Result<(), Error> {
    sqlx::query!("delete from password_resets where expires_at < $1", now)
        .execute(tx)
        .await?;
    Ok(())
}

fn hash(token: &str) -> [u8; 32] {
    Sha256::digest(token).into()
}
