//! The tokens of drivers' phones, as their hashes.

use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use tiffin_events::{Role, UserId};
use time::{Duration, OffsetDateTime};

use crate::phone::{PhoneOutcome, PhoneTokenView};

/// The age of a last use that is worth a write.
const USE_INTERVAL: Duration = Duration::seconds(15);

/// A driver's token, without the token.
#[derive(Clone, Copy, Debug)]
pub struct PhoneToken {
    pub driver: UserId,
    pub made_at: OffsetDateTime,
}

/// Keeps the hash of a driver's token in place of the one before. Returns false if the account is no active driver.
pub async fn replace(
    tx: &mut PgConnection,
    UserId(driver): UserId,
    token: &str,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "insert into phone_tokens (driver_id, hash, made_at)
         select id, $2, $3 from people where id = $1 and role = $4 and not blocked and not deleted
         on conflict (driver_id) do update
         set hash = excluded.hash, made_at = excluded.made_at, used_at = null, outcome = null",
        driver,
        &hash(token)[..],
        now,
        Role::Delivery.as_str(),
    )
    .execute(tx)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// The token with this text, if its driver is active.
pub async fn find(tx: &mut PgConnection, token: &str) -> sqlx::Result<Option<PhoneToken>> {
    let found = sqlx::query!(
        "select t.driver_id, t.made_at
         from phone_tokens t join people p on p.id = t.driver_id
         where t.hash = $1 and p.role = $2 and not p.blocked and not p.deleted",
        &hash(token)[..],
        Role::Delivery.as_str(),
    )
    .fetch_optional(tx)
    .await?;
    Ok(found.map(|row| PhoneToken {
        driver: UserId(row.driver_id),
        made_at: row.made_at,
    }))
}

pub async fn view(
    tx: &mut PgConnection,
    UserId(driver): UserId,
) -> sqlx::Result<Option<PhoneTokenView>> {
    let found = sqlx::query!(
        "select made_at, used_at, outcome from phone_tokens where driver_id = $1",
        driver
    )
    .fetch_optional(tx)
    .await?;
    Ok(found.map(|row| PhoneTokenView {
        made_at: row.made_at,
        used_at: row.used_at,
        outcome: row.outcome.as_deref().and_then(PhoneOutcome::parse),
    }))
}

/// Notes a token's use, and what became of its position if it sent one.
pub async fn note_use(
    tx: &mut PgConnection,
    token: &PhoneToken,
    outcome: Option<PhoneOutcome>,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "update phone_tokens set used_at = $3, outcome = coalesce($4, outcome)
         where driver_id = $1 and made_at = $2
           and (used_at is null or used_at < $5 or outcome is distinct from coalesce($4, outcome))",
        token.driver.0,
        token.made_at,
        now,
        outcome.map(PhoneOutcome::as_str),
        now - USE_INTERVAL,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Deletes a driver's token if it was made by then.
pub async fn revoke(
    tx: &mut PgConnection,
    UserId(driver): UserId,
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "delete from phone_tokens where driver_id = $1 and made_at <= $2",
        driver,
        at
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// A token is 256 random bits, so that a fast hash of it tells nothing, and the index finds it in a time that says
/// nothing of its text.
fn hash(token: &str) -> [u8; 32] {
    Sha256::digest(token).into()
}
