//! The table `known_devices`: browsers that have signed in to an account before. Wrong passwords from elsewhere
//! don't count against them (OWASP, Slow Down Online Guessing Attacks with Device Cookies).

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use sqlx::PgConnection;
use tiffin_events::UserId;
use time::{Duration, OffsetDateTime};

use super::hash_of_secret;
use crate::Error;

/// The time that a browser is known after its last sign-in.
pub(crate) const LIFETIME: Duration = Duration::days(180);
/// Browsers of one account; the one that was seen longest ago is deleted first.
const MAX_DEVICES: i64 = 20;

/// The name in counters of a browser that has signed in to the verified account of `email`; `None` for
/// others.
pub(crate) async fn find_by_email(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    key: Option<&str>,
    email: &str,
) -> Result<Option<String>, Error> {
    let Some(key) = key else {
        return Ok(None);
    };
    let is_known = sqlx::query_scalar!(
        r#"select exists (
               select from known_devices d join users u on u.id = d.user_id
               where d.hash = $1 and u.email = $2 and u.verified and d.seen_at > $3
           ) as "is_known!""#,
        &hash_of_secret(key)[..],
        email,
        now - LIFETIME,
    );
    let is_known = is_known.fetch_one(conn).await?;
    Ok(is_known.then(|| URL_SAFE_NO_PAD.encode(hash_of_secret(key))))
}

/// The name in counters of a browser that has signed in to the account `user`; `None` for others.
pub(crate) async fn find_by_user(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    key: Option<&str>,
    user: UserId,
) -> Result<Option<String>, Error> {
    let Some(key) = key else {
        return Ok(None);
    };
    let is_known = sqlx::query_scalar!(
        r#"select exists (
               select from known_devices where hash = $1 and user_id = $2 and seen_at > $3
           ) as "is_known!""#,
        &hash_of_secret(key)[..],
        user.0,
        now - LIFETIME,
    );
    let is_known = is_known.fetch_one(conn).await?;
    Ok(is_known.then(|| URL_SAFE_NO_PAD.encode(hash_of_secret(key))))
}

/// Records the browser of a sign-in and returns its key: the present one if there is one.
pub(crate) async fn record(
    tx: &mut PgConnection,
    now: OffsetDateTime,
    user: UserId,
    key: Option<&str>,
) -> Result<String, Error> {
    // A key that this service has not made may be known to an attacker.
    let key = match key {
        Some(key) if is_issued(tx, key).await? => key.to_owned(),
        _ => URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>()),
    };
    sqlx::query!(
        "insert into known_devices (hash, user_id, seen_at) values ($1, $2, $3)
         on conflict on constraint known_devices_pkey do update set seen_at = excluded.seen_at",
        &hash_of_secret(&key)[..],
        user.0,
        now,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "delete from known_devices where user_id = $1 and hash in (
             select hash from known_devices where user_id = $1 order by seen_at desc, hash offset $2
         )",
        user.0,
        MAX_DEVICES,
    )
    .execute(tx)
    .await?;
    Ok(key)
}

async fn is_issued(conn: &mut PgConnection, key: &str) -> Result<bool, Error> {
    let is_issued = sqlx::query_scalar!(
        r#"select exists (select from known_devices where hash = $1) as "is_ours!""#,
        &hash_of_secret(key)[..]
    );
    Ok(is_issued.fetch_one(conn).await?)
}

/// Deletes all browsers of an account.
pub(crate) async fn delete_all(tx: &mut PgConnection, user: UserId) -> Result<(), Error> {
    sqlx::query!("delete from known_devices where user_id = $1", user.0)
        .execute(tx)
        .await?;
    Ok(())
}

/// Deletes browsers that were not seen for long.
pub(crate) async fn delete_expired(
    conn: &mut PgConnection,
    now: OffsetDateTime,
) -> Result<(), Error> {
    sqlx::query!(
        "delete from known_devices where seen_at <= $1",
        now - LIFETIME
    )
    .execute(conn)
    .await?;
    Ok(())
}
