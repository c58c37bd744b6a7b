//! Read model of accounts.

use sqlx::PgConnection;
use tiffin_events::{UserId, user::UserProfileV1};

/// True if an account is blocked or closed.
pub async fn is_blocked(tx: &mut PgConnection, UserId(id): UserId) -> sqlx::Result<bool> {
    let is_blocked = sqlx::query_scalar!(
        r#"select blocked or deleted as "shut_out!" from people where id = $1"#,
        id
    )
    .fetch_optional(tx)
    .await?;
    Ok(is_blocked.unwrap_or(false))
}

pub async fn save(tx: &mut PgConnection, account: &UserProfileV1) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into people (id, first_name, last_name, email, image) values ($1, $2, $3, $4, $5)
         on conflict (id) do update
         set first_name = excluded.first_name, last_name = excluded.last_name, email = excluded.email,
             image = excluded.image",
        account.user_id.0,
        account.first_name,
        account.last_name,
        account.email,
        account.image,
    )
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn set_blocked(
    tx: &mut PgConnection,
    UserId(id): UserId,
    blocked: bool,
) -> sqlx::Result<()> {
    sqlx::query!("update people set blocked = $2 where id = $1", id, blocked)
        .execute(tx)
        .await?;
    Ok(())
}

/// Erases the data of an account and marks it as deleted. Its earlier events are erased too; this one must
/// lead to the same rows without them.
pub async fn erase(tx: &mut PgConnection, UserId(id): UserId) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into people (id, first_name, last_name, deleted) values ($1, '', '', true)
         on conflict (id) do update
         set first_name = '', last_name = '', email = '', image = null, blocked = false, deleted = true",
        id,
    )
    .execute(tx)
    .await?;
    Ok(())
}
