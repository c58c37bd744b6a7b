//! The table `codes`: one-time codes that prove an e-mail address. A code has six digits, lasts ten minutes and
//! allows five tries; one is mailed in half a minute.

use sqlx::PgConnection;
use tiffin_events::UserId;
use time::{Duration, OffsetDateTime};

use crate::Error;

/// The lifetime of a code.
pub(crate) const LIFETIME: Duration = Duration::minutes(10);
/// The shortest time between two mails to one user.
pub(crate) const MIN_INTERVAL: Duration = Duration::seconds(30);
const MAX_TRIES: i32 = 5;

/// Six random digits.
pub(crate) fn new_code() -> String {
    format!("{:06}", rand::random_range(0..1_000_000))
}

/// Saves the hash of a code in place of the one before; false where that one was sent less than half a minute
/// ago.
pub(crate) async fn save(
    tx: &mut PgConnection,
    now: OffsetDateTime,
    user: UserId,
    hash: &str,
) -> Result<bool, Error> {
    let saved = sqlx::query!(
        "insert into codes as c (user_id, hash, sent_at, expires_at, tries) values ($1, $2, $3, $4, 0)
         on conflict (user_id) do update set hash = $2, sent_at = $3, expires_at = $4, tries = 0
         where c.sent_at <= $5",
        user.0,
        hash,
        now,
        now + LIFETIME,
        now - MIN_INTERVAL,
    );
    Ok(saved.execute(tx).await?.rows_affected() == 1)
}

/// The time until another code may be sent; `None` if it may be sent now.
pub(crate) async fn wait(
    tx: &mut PgConnection,
    now: OffsetDateTime,
    user: UserId,
) -> Result<Option<Duration>, Error> {
    let sent_at = sqlx::query_scalar!("select sent_at from codes where user_id = $1", user.0)
        .fetch_optional(tx)
        .await?;
    Ok(sent_at
        .map(|sent_at| sent_at + MIN_INTERVAL - now)
        .filter(|wait| wait.is_positive()))
}

/// The result of checking a typed code.
#[derive(Debug)]
pub(crate) enum Try {
    /// The hash to compare the code with.
    Compare(String),
    /// All tries are used up; another code may be mailed after this time.
    UsedUp(Duration),
    /// There is no valid code.
    NoCode,
}

/// Uses up one try. The try is used before the comparison: many at once are still five.
pub(crate) async fn take_try(
    tx: &mut PgConnection,
    now: OffsetDateTime,
    user: UserId,
) -> Result<Try, Error> {
    let hash = sqlx::query_scalar!(
        "update codes set tries = tries + 1 where user_id = $1 and tries < $3 and expires_at > $2 returning hash",
        user.0,
        now,
        MAX_TRIES,
    );
    if let Some(hash) = hash.fetch_optional(&mut *tx).await? {
        return Ok(Try::Compare(hash));
    }
    let sent_at = sqlx::query_scalar!(
        "select sent_at from codes where user_id = $1 and expires_at > $2",
        user.0,
        now,
    );
    let sent_at = sent_at.fetch_optional(tx).await?;
    Ok(sent_at.map_or(Try::NoCode, |sent_at| {
        Try::UsedUp((sent_at + MIN_INTERVAL - now).max(Duration::SECOND))
    }))
}

/// Ends a user's code.
pub(crate) async fn end(tx: &mut PgConnection, user: UserId) -> Result<(), Error> {
    sqlx::query!("delete from codes where user_id = $1", user.0)
        .execute(tx)
        .await?;
    Ok(())
}

/// Deletes codes that have expired.
pub(crate) async fn delete_expired(
    tx: &mut PgConnection,
    now: OffsetDateTime,
) -> Result<(), Error> {
    sqlx::query!("delete from codes where expires_at < $1", now)
        .execute(tx)
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::new_code;

    #[test]
    fn a_code_is_six_digits() {
        for _ in 0..100 {
            let code = new_code();
            assert!(
                code.len() == 6 && code.bytes().all(|byte| byte.is_ascii_digit()),
                "{code}"
            );
        }
    }
}
