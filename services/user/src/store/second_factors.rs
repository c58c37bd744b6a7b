//! The table `second_factors`.

use sqlx::{PgConnection, PgPool};
use tiffin_events::UserId;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{Error, reseal::SealedRow, second_factor::purpose};

/// The number of secrets that are sealed again at once.
const ROUND: i64 = 500;

/// A second factor as it is stored.
pub(crate) struct Factor {
    /// Sealed.
    pub secret: Vec<u8>,
    pub is_confirmed: bool,
    pub last_step: i64,
}

/// The second factor of the account, confirmed or not.
pub(crate) async fn find(conn: &mut PgConnection, id: UserId) -> Result<Option<Factor>, Error> {
    let factor = sqlx::query_as!(
        Factor,
        r#"select secret, confirmed_at is not null as "is_confirmed!", last_step
         from second_factors where user_id = $1"#,
        id.0,
    );
    Ok(factor.fetch_optional(conn).await?)
}

/// True if the account has two-step sign-in.
pub(crate) async fn is_on(conn: &mut PgConnection, id: UserId) -> Result<bool, Error> {
    Ok(find(conn, id)
        .await?
        .is_some_and(|factor| factor.is_confirmed))
}

/// Saves a new secret in place of one that was never confirmed; false where one was.
pub(crate) async fn begin(
    tx: &mut PgConnection,
    now: OffsetDateTime,
    id: UserId,
    sealed: &[u8],
) -> Result<bool, Error> {
    let saved = sqlx::query!(
        "insert into second_factors as f (user_id, secret, begun_at) values ($1, $2, $3)
         on conflict (user_id) do update set secret = $2, begun_at = $3, last_step = 0
         where f.confirmed_at is null",
        id.0,
        sealed,
        now,
    );
    Ok(saved.execute(tx).await?.rows_affected() == 1)
}

/// Confirms the factor: the account asks for a code from now on. False where it does already.
pub(crate) async fn confirm(
    tx: &mut PgConnection,
    now: OffsetDateTime,
    id: UserId,
) -> Result<bool, Error> {
    let confirmed = sqlx::query!(
        "update second_factors set confirmed_at = $2 where user_id = $1 and confirmed_at is null",
        id.0,
        now,
    );
    Ok(confirmed.execute(tx).await?.rows_affected() == 1)
}

/// Deletes a confirmed factor and its recovery codes; false where there is none.
pub(crate) async fn turn_off(tx: &mut PgConnection, id: UserId) -> Result<bool, Error> {
    let deleted = sqlx::query!(
        "delete from second_factors where user_id = $1 and confirmed_at is not null",
        id.0
    );
    Ok(deleted.execute(tx).await?.rows_affected() == 1)
}

/// Deletes the factor and its recovery codes, with the account.
pub(crate) async fn delete(tx: &mut PgConnection, id: UserId) -> Result<(), Error> {
    sqlx::query!("delete from second_factors where user_id = $1", id.0)
        .execute(tx)
        .await?;
    Ok(())
}

/// Uses up a step and all before it; false where that was done already.
pub(crate) async fn redeem_step(
    tx: &mut PgConnection,
    id: UserId,
    step: i64,
) -> Result<bool, Error> {
    let redeemed = sqlx::query!(
        "update second_factors set last_step = $2 where user_id = $1 and last_step < $2",
        id.0,
        step,
    );
    Ok(redeemed.execute(tx).await?.rows_affected() == 1)
}

/// Some secrets of accounts after `after` that another master key than `current` sealed, in the order of the accounts.
pub(crate) async fn sealed_by_others(
    pool: &PgPool,
    current: &[u8],
    after: Uuid,
) -> Result<Vec<SealedRow>, Error> {
    let rows = sqlx::query!(
        "select user_id, secret from second_factors
         where user_id > $1 and substring(secret from 2 for 8) <> $2
         order by user_id limit $3",
        after,
        current,
        ROUND,
    );
    let rows = rows.fetch_all(pool).await?.into_iter();
    let rows = rows.map(|row| SealedRow {
        id: row.user_id,
        purpose: purpose(UserId(row.user_id)),
        sealed: row.secret,
    });
    Ok(rows.collect())
}

/// Saves secrets that are sealed again, except those that changed meanwhile; answers their number.
pub(crate) async fn reseal(
    pool: &PgPool,
    ids: &[Uuid],
    before: &[Vec<u8>],
    after: &[Vec<u8>],
) -> Result<u64, Error> {
    let saved = sqlx::query!(
        "update second_factors as f set secret = n.after
         from unnest($1::uuid[], $2::bytea[], $3::bytea[]) as n (id, before, after)
         where f.user_id = n.id and f.secret = n.before",
        ids,
        before,
        after,
    );
    Ok(saved.execute(pool).await?.rows_affected())
}
