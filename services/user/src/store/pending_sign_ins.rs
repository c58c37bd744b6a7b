//! The table `sign_ins_under_way`: sign-ins that wait for the code after the right password. One waits five minutes
//! and allows five tries and one success.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use sqlx::PgConnection;
use tiffin_chassis::token::Method;
use tiffin_events::UserId;
use time::{Duration, OffsetDateTime};

use super::hash_of_secret;
use crate::{Error, methods};

const LIFETIME: Duration = Duration::minutes(5);
const MAX_TRIES: i32 = 5;

/// A sign-in that waits for its second step: the account, and the methods shown.
#[derive(Debug)]
pub(crate) struct PendingSignIn {
    pub user: UserId,
    pub methods: Vec<Method>,
}

/// Begins one; answers the challenge that the browser sends with the code.
pub(crate) async fn begin(
    tx: &mut PgConnection,
    now: OffsetDateTime,
    user: UserId,
    methods: &[Method],
) -> Result<String, Error> {
    let challenge = URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>());
    sqlx::query!(
        "insert into sign_ins_under_way (hash, user_id, methods, expires_at) values ($1, $2, $3, $4)",
        &hash_of_secret(&challenge)[..],
        user.0,
        &methods::names(methods),
        now + LIFETIME,
    )
    .execute(tx)
    .await?;
    Ok(challenge)
}

/// Uses up one try. The try is used before the code is checked: many at once are still five. `None` where the sign-in
/// is over.
pub(crate) async fn take_try(
    tx: &mut PgConnection,
    now: OffsetDateTime,
    challenge: &str,
) -> Result<Option<PendingSignIn>, Error> {
    let taken = sqlx::query!(
        "update sign_ins_under_way set tries = tries + 1
         where hash = $1 and tries < $3 and expires_at > $2
         returning user_id, methods",
        &hash_of_secret(challenge)[..],
        now,
        MAX_TRIES,
    );
    Ok(taken.fetch_optional(tx).await?.map(|row| PendingSignIn {
        user: UserId(row.user_id),
        methods: methods::read(&row.methods),
    }))
}

/// Ends it; false where another request was first, or the account's sessions ended meanwhile.
pub(crate) async fn end(tx: &mut PgConnection, challenge: &str) -> Result<bool, Error> {
    let ended = sqlx::query!(
        "delete from sign_ins_under_way where hash = $1",
        &hash_of_secret(challenge)[..]
    );
    Ok(ended.execute(tx).await?.rows_affected() == 1)
}

/// Ends all of a user.
pub(crate) async fn end_all(tx: &mut PgConnection, user: UserId) -> Result<(), Error> {
    sqlx::query!("delete from sign_ins_under_way where user_id = $1", user.0)
        .execute(tx)
        .await?;
    Ok(())
}

/// Deletes expired ones.
pub(crate) async fn delete_expired(
    tx: &mut PgConnection,
    now: OffsetDateTime,
) -> Result<(), Error> {
    sqlx::query!("delete from sign_ins_under_way where expires_at < $1", now)
        .execute(tx)
        .await?;
    Ok(())
}
