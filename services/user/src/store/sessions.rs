//! The tables `refresh_families` and `refresh_tokens`.
//!
//! Sessions outlive access tokens: each is a family of refresh tokens, and each token is good for one use.
//! A used token that comes back is in two hands: the family ends. Within ten seconds it may come again, from
//! another tab.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use sqlx::PgConnection;
use tiffin_chassis::token::Proof;
use tiffin_events::{Clock, UserId};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::hash_of_secret;
use super::pending_sign_ins;
use crate::{Error, methods};

/// The lifetime of a refresh token.
pub(crate) const LIFETIME: Duration = Duration::days(30);
/// Sessions of one account at a time.
const MAX_SESSIONS: i64 = 50;
/// The time after its use in which a token may come again, from another tab.
const REUSE_GRACE: Duration = Duration::seconds(10);

/// The state of a refresh token that a browser presents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TokenState {
    Valid,
    /// Too old, or its family is over.
    Over,
    /// Used before: the family must end.
    Reused,
}

fn state_of(
    now: OffsetDateTime,
    ended: Option<OffsetDateTime>,
    expires: OffsetDateTime,
    used: Option<OffsetDateTime>,
) -> TokenState {
    match used {
        _ if ended.is_some() || now >= expires => TokenState::Over,
        Some(used) if now - used > REUSE_GRACE => TokenState::Reused,
        _ => TokenState::Valid,
    }
}

/// Begins a family; answers its first token.
pub(crate) async fn start(
    tx: &mut PgConnection,
    clock: &Clock,
    user: UserId,
    proof: &Proof,
) -> Result<String, Error> {
    let family = clock.new_id();
    sqlx::query!(
        "insert into refresh_families (id, user_id, started_at, proven_at, methods)
         values ($1, $2, $3, $4, $5)",
        family,
        user.0,
        clock.now(),
        proof.at,
        &methods::names(&proof.methods),
    )
    .execute(&mut *tx)
    .await?;
    let token = add_token(tx, family, clock.now()).await?;
    end_surplus(tx, clock.now(), user).await?;
    Ok(token)
}

/// Ends the sessions that were used longest ago, where an account has more than it may.
async fn end_surplus(
    tx: &mut PgConnection,
    now: OffsetDateTime,
    user: UserId,
) -> Result<(), Error> {
    sqlx::query!(
        "update refresh_families set ended_at = $2 where id in (
             select f.id from refresh_families f join refresh_tokens t on t.family_id = f.id
             where f.user_id = $1 and f.ended_at is null
             group by f.id order by max(t.issued_at) desc, f.id desc offset $3
         )",
        user.0,
        now,
        MAX_SESSIONS,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The owner of a token, valid or not.
pub(crate) async fn owner(tx: &mut PgConnection, token: &str) -> Result<Option<UserId>, Error> {
    let owner = sqlx::query_scalar!(
        "select f.user_id from refresh_families as f join refresh_tokens as t on t.family_id = f.id
         where t.hash = $1",
        &hash_of_secret(token)[..],
    );
    Ok(owner.fetch_optional(tx).await?.map(UserId))
}

/// A refresh token that follows another, and the proof of its session, which renewing leaves as it is.
pub(crate) struct Renewed {
    pub token: String,
    pub proof: Proof,
}

/// Exchanges a token for the next one of its family; `None` where it is not valid. The caller
/// commits either way.
pub(crate) async fn renew(
    tx: &mut PgConnection,
    now: OffsetDateTime,
    token: &str,
) -> Result<Option<Renewed>, Error> {
    let Some(family) = lock_family(tx, token).await? else {
        return Ok(None);
    };
    let stored = sqlx::query!(
        "select expires_at, used_at from refresh_tokens where hash = $1",
        &hash_of_secret(token)[..]
    )
    .fetch_one(&mut *tx)
    .await?;
    match state_of(now, family.ended_at, stored.expires_at, stored.used_at) {
        TokenState::Over => Ok(None),
        TokenState::Reused => {
            sqlx::query!(
                "update refresh_families set ended_at = $2 where id = $1",
                family.id,
                now
            )
            .execute(tx)
            .await?;
            tracing::warn!(user = %family.user_id, "a used refresh token came back; its sign-in ends");
            Ok(None)
        }
        TokenState::Valid => {
            mark_used(tx, token, now).await?;
            let token = add_token(tx, family.id, now).await?;
            let proof = Proof {
                at: family.proven_at,
                methods: methods::read(&family.methods),
            };
            Ok(Some(Renewed { token, proof }))
        }
    }
}

/// Sets the proof of the session that a token belongs to, if it is the user's.
pub(crate) async fn set_proof(
    tx: &mut PgConnection,
    user: UserId,
    token: &str,
    proof: &Proof,
) -> Result<(), Error> {
    sqlx::query!(
        "update refresh_families set proven_at = $3, methods = $4
         where user_id = $1 and ended_at is null
           and id = (select family_id from refresh_tokens where hash = $2)",
        user.0,
        &hash_of_secret(token)[..],
        proof.at,
        &methods::names(&proof.methods),
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Ends the family of a token, if it has one.
pub(crate) async fn end(
    tx: &mut PgConnection,
    now: OffsetDateTime,
    token: &str,
) -> Result<(), Error> {
    sqlx::query!(
        "update refresh_families set ended_at = $2
         where ended_at is null and id = (select family_id from refresh_tokens where hash = $1)",
        &hash_of_secret(token)[..],
        now,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Ends every family of a user, but the one that `except` belongs to, and every sign-in that still waits
/// for a code.
pub(crate) async fn end_all(
    tx: &mut PgConnection,
    now: OffsetDateTime,
    user: UserId,
    except: Option<&str>,
) -> Result<(), Error> {
    pending_sign_ins::end_all(tx, user).await?;
    let except = except.map(hash_of_secret);
    sqlx::query!(
        "update refresh_families set ended_at = $2
         where user_id = $1 and ended_at is null
           and id is distinct from (select family_id from refresh_tokens where hash = $3)",
        user.0,
        now,
        except.as_ref().map(|hash| &hash[..]),
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Deletes expired tokens, and families without any.
pub(crate) async fn delete_expired(
    tx: &mut PgConnection,
    now: OffsetDateTime,
) -> Result<(), Error> {
    sqlx::query!("delete from refresh_tokens where expires_at < $1", now)
        .execute(&mut *tx)
        .await?;
    sqlx::query!(
        "delete from refresh_families as f
         where f.started_at < $1 and not exists (select from refresh_tokens as t where t.family_id = f.id)",
        now - LIFETIME,
    )
    .execute(tx)
    .await?;
    Ok(())
}

struct Family {
    id: Uuid,
    user_id: Uuid,
    ended_at: Option<OffsetDateTime>,
    proven_at: Option<OffsetDateTime>,
    methods: Vec<String>,
}

/// Two exchanges within one family go one after the other.
async fn lock_family(tx: &mut PgConnection, token: &str) -> Result<Option<Family>, Error> {
    let family = sqlx::query_as!(
        Family,
        "select id, user_id, ended_at, proven_at, methods from refresh_families
         where id = (select family_id from refresh_tokens where hash = $1)
         for update",
        &hash_of_secret(token)[..],
    );
    Ok(family.fetch_optional(tx).await?)
}

async fn mark_used(tx: &mut PgConnection, token: &str, now: OffsetDateTime) -> Result<(), Error> {
    sqlx::query!(
        "update refresh_tokens set used_at = $2 where hash = $1 and used_at is null",
        &hash_of_secret(token)[..],
        now,
    )
    .execute(tx)
    .await?;
    Ok(())
}

async fn add_token(
    tx: &mut PgConnection,
    family: Uuid,
    now: OffsetDateTime,
) -> Result<String, Error> {
    let token = URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>());
    sqlx::query!(
        "insert into refresh_tokens (hash, family_id, issued_at, expires_at) values ($1, $2, $3, $4)",
        &hash_of_secret(&token)[..],
        family,
        now,
        now + LIFETIME,
    )
    .execute(tx)
    .await?;
    Ok(token)
}

#[cfg(test)]
mod tests {
    use time::{Duration, OffsetDateTime};

    use super::{LIFETIME, TokenState, state_of};

    #[test]
    fn the_state_of_a_token_follows_from_its_use_its_age_and_its_family() {
        let issued = OffsetDateTime::UNIX_EPOCH;
        let after = |seconds| issued + Duration::seconds(seconds);
        for (now, ended, used, expected) in [
            (after(60), None, None, TokenState::Valid),
            (after(60), None, Some(after(50)), TokenState::Valid),
            (after(60), None, Some(after(49)), TokenState::Reused),
            (after(60), Some(after(30)), None, TokenState::Over),
            (after(60), Some(after(30)), Some(after(1)), TokenState::Over),
            (issued + LIFETIME, None, None, TokenState::Over),
        ] {
            assert_eq!(
                state_of(now, ended, issued + LIFETIME, used),
                expected,
                "{now} {ended:?} {used:?}"
            );
        }
    }
}
