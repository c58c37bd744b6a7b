//! The table `recovery_codes`.

use sqlx::PgConnection;
use tiffin_events::UserId;
use time::OffsetDateTime;

use crate::Error;

/// Saves new recovery codes in place of all others.
pub(crate) async fn replace(
    tx: &mut PgConnection,
    id: UserId,
    hashes: &[(i16, String)],
) -> Result<(), Error> {
    sqlx::query!("delete from recovery_codes where user_id = $1", id.0)
        .execute(&mut *tx)
        .await?;
    let (numbers, hashes): (Vec<i16>, Vec<String>) = hashes.iter().cloned().unzip();
    sqlx::query!(
        "insert into recovery_codes (user_id, number, hash)
         select $1, number, hash from unnest($2::smallint[], $3::text[]) as t (number, hash)",
        id.0,
        &numbers,
        &hashes,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The number of unused recovery codes.
pub(crate) async fn count_unused(conn: &mut PgConnection, id: UserId) -> Result<i64, Error> {
    let left = sqlx::query_scalar!(
        r#"select count(*) as "left!" from recovery_codes where user_id = $1 and used_at is null"#,
        id.0,
    );
    Ok(left.fetch_one(conn).await?)
}

/// The hash of a recovery code that was not used.
pub(crate) async fn find_hash(
    conn: &mut PgConnection,
    id: UserId,
    number: i16,
) -> Result<Option<String>, Error> {
    let hash = sqlx::query_scalar!(
        "select hash from recovery_codes where user_id = $1 and number = $2 and used_at is null",
        id.0,
        number,
    );
    Ok(hash.fetch_optional(conn).await?)
}

/// Uses up a recovery code; false where that was done already.
pub(crate) async fn redeem(
    tx: &mut PgConnection,
    id: UserId,
    number: i16,
    now: OffsetDateTime,
) -> Result<bool, Error> {
    let redeemed = sqlx::query!(
        "update recovery_codes set used_at = $3 where user_id = $1 and number = $2 and used_at is null",
        id.0,
        number,
        now,
    );
    Ok(redeemed.execute(tx).await?.rows_affected() == 1)
}
