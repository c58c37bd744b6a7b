//! The table `operators`.

use sqlx::PgConnection;
use tiffin_events::UserId;
use time::OffsetDateTime;

use crate::Error;

pub(crate) async fn insert(
    tx: &mut PgConnection,
    now: OffsetDateTime,
    id: UserId,
) -> Result<(), Error> {
    sqlx::query!(
        "insert into operators (user_id, granted_at) values ($1, $2) on conflict do nothing",
        id.0,
        now,
    )
    .execute(tx)
    .await?;
    Ok(())
}

pub(crate) async fn delete(tx: &mut PgConnection, id: UserId) -> Result<(), Error> {
    sqlx::query!("delete from operators where user_id = $1", id.0)
        .execute(tx)
        .await?;
    Ok(())
}

pub(crate) async fn contains(conn: &mut PgConnection, id: UserId) -> Result<bool, Error> {
    let is_one = sqlx::query_scalar!(
        r#"select exists (select from operators where user_id = $1) as "is_one!""#,
        id.0
    );
    Ok(is_one.fetch_one(conn).await?)
}
