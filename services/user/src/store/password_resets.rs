//! The table `password_resets`.

use sqlx::PgConnection;
use tiffin_events::UserId;
use time::OffsetDateTime;

use super::hash_of_secret;
use crate::{
    Error,
    resets::{LIFETIME, Language},
};

/// Saves the hash of a token in place of the one before.
pub(crate) async fn save(
    tx: &mut PgConnection,
    now: OffsetDateTime,
    user: UserId,
    token: &str,
    language: Language,
) -> Result<(), Error> {
    sqlx::query!(
        "insert into password_resets (user_id, hash, language, expires_at) values ($1, $2, $3, $4)
             on conflict (user_id) do update set hash = $2, language = $3, expires_at = $4",
        user.0,
        &hash_of_secret(token)[..],
        language.code(),
        now + LIFETIME,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The account of a valid token, and the language of its mail.
pub(crate) async fn find(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    token: &str,
) -> Result<Option<(UserId, Language)>, Error> {
    let found = sqlx::query!(
        "select user_id, language from password_resets where hash = $1 and expires_at > $2",
        &hash_of_secret(token)[..],
        now,
    );
    let found = found.fetch_optional(conn).await?;
    Ok(found.map(|row| (UserId(row.user_id), Language::read(&row.language))))
}

/// Redeems a token; false where another request was first.
pub(crate) async fn redeem(tx: &mut PgConnection, token: &str) -> Result<bool, Error> {
    let redeemed = sqlx::query!(
        "delete from password_resets where hash = $1",
        &hash_of_secret(token)[..]
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
