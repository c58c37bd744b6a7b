//! Browsers that have signed in to an account before. Wrong passwords from elsewhere don't count against
//! them (OWASP, Slow Down Online Guessing Attacks with Device Cookies).

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use tiffin_events::UserId;
use time::{Duration, OffsetDateTime};

use crate::Error;

/// The time that a browser is known after its last sign-in.
pub(crate) const LIFE: Duration = Duration::days(180);
/// Browsers of one account; the one that was seen longest ago is forgotten first.
const MOST: i64 = 20;

/// The name in counters of a browser that has signed in to the verified account of `email`; `None` for
/// others.
pub(crate) async fn known(
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
        &hash(key)[..],
        email,
        now - LIFE,
    );
    let is_known = is_known.fetch_one(conn).await?;
    Ok(is_known.then(|| URL_SAFE_NO_PAD.encode(hash(key))))
}

/// The same of an account by its id.
pub(crate) async fn known_to(
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
        &hash(key)[..],
        user.0,
        now - LIFE,
    );
    let is_known = is_known.fetch_one(conn).await?;
    Ok(is_known.then(|| URL_SAFE_NO_PAD.encode(hash(key))))
}

/// Remembers the browser of a sign-in; answers the key that it keeps, its own if it has one.
pub(crate) async fn remember(
    tx: &mut PgConnection,
    now: OffsetDateTime,
    user: UserId,
    key: Option<&str>,
) -> Result<String, Error> {
    // A key that we have not made may be known to the one who put it there.
    let key = match key {
        Some(key) if is_ours(tx, key).await? => key.to_owned(),
        _ => URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>()),
    };
    sqlx::query!(
        "insert into known_devices (hash, user_id, seen_at) values ($1, $2, $3)
         on conflict on constraint known_devices_pkey do update set seen_at = excluded.seen_at",
        &hash(&key)[..],
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
        MOST,
    )
    .execute(tx)
    .await?;
    Ok(key)
}

async fn is_ours(conn: &mut PgConnection, key: &str) -> Result<bool, Error> {
    let is_ours = sqlx::query_scalar!(
        r#"select exists (select from known_devices where hash = $1) as "is_ours!""#,
        &hash(key)[..]
    );
    Ok(is_ours.fetch_one(conn).await?)
}

/// Forgets all browsers of an account.
pub(crate) async fn forget(tx: &mut PgConnection, user: UserId) -> Result<(), Error> {
    sqlx::query!("delete from known_devices where user_id = $1", user.0)
        .execute(tx)
        .await?;
    Ok(())
}

/// Forgets browsers that were not seen for long.
pub(crate) async fn forget_old(conn: &mut PgConnection, now: OffsetDateTime) -> Result<(), Error> {
    sqlx::query!("delete from known_devices where seen_at <= $1", now - LIFE)
        .execute(conn)
        .await?;
    Ok(())
}

fn hash(key: &str) -> [u8; 32] {
    Sha256::digest(key).into()
}
