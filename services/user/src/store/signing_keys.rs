//! The table `signing_keys`.

use sqlx::{PgConnection, PgPool};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::Error;

/// A signing key; its private half is sealed.
pub(crate) struct SigningKey {
    pub kid: Uuid,
    pub private_key: Vec<u8>,
    pub public_key: Vec<u8>,
    pub created_at: OffsetDateTime,
}

/// Locks the keys: one process at a time reads and changes them.
pub(crate) async fn lock_table(tx: &mut PgConnection) -> Result<(), Error> {
    sqlx::query!("lock table signing_keys in share row exclusive mode")
        .execute(tx)
        .await?;
    Ok(())
}

/// All keys, the newest first.
pub(crate) async fn list(pool: &PgPool) -> Result<Vec<SigningKey>, Error> {
    let keys = sqlx::query_as!(
        SigningKey,
        "select kid, private_key, public_key, created_at from signing_keys order by created_at desc, kid desc"
    );
    Ok(keys.fetch_all(pool).await?)
}

/// The private keys by their ids.
pub(crate) async fn private_keys(tx: &mut PgConnection) -> Result<Vec<(Uuid, Vec<u8>)>, Error> {
    let rows = sqlx::query!("select kid, private_key from signing_keys")
        .fetch_all(tx)
        .await?;
    let keys = rows.into_iter().map(|row| (row.kid, row.private_key));
    Ok(keys.collect())
}

pub(crate) async fn set_private_key(
    tx: &mut PgConnection,
    kid: Uuid,
    sealed: &[u8],
) -> Result<(), Error> {
    sqlx::query!(
        "update signing_keys set private_key = $2 where kid = $1",
        kid,
        sealed,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The time at which the key was made that no other has followed yet.
pub(crate) async fn current_created_at(
    tx: &mut PgConnection,
) -> Result<Option<OffsetDateTime>, Error> {
    let created_at =
        sqlx::query_scalar!("select created_at from signing_keys where retired_at is null");
    Ok(created_at.fetch_optional(tx).await?)
}

pub(crate) async fn insert(tx: &mut PgConnection, key: &SigningKey) -> Result<(), Error> {
    sqlx::query!(
        "insert into signing_keys (kid, private_key, public_key, created_at) values ($1, $2, $3, $4)",
        key.kid,
        key.private_key,
        key.public_key,
        key.created_at,
    )
    .execute(tx)
    .await?;
    Ok(())
}

pub(crate) async fn retire_current(
    tx: &mut PgConnection,
    now: OffsetDateTime,
) -> Result<(), Error> {
    sqlx::query!(
        "update signing_keys set retired_at = $1 where retired_at is null",
        now
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Deletes keys that were retired before `before`.
pub(crate) async fn delete_retired(
    tx: &mut PgConnection,
    before: OffsetDateTime,
) -> Result<(), Error> {
    sqlx::query!("delete from signing_keys where retired_at < $1", before)
        .execute(tx)
        .await?;
    Ok(())
}
