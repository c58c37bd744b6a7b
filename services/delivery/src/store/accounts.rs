//! The read model of accounts.

use sqlx::PgConnection;
use tiffin_events::{
    Role, UserId,
    user::{UserProfileV1, UserRefV1},
};

use super::orders;

/// True if the account may be given a delivery: a driver who is not blocked.
pub async fn is_active_driver(tx: &mut PgConnection, UserId(id): UserId) -> sqlx::Result<bool> {
    let found = sqlx::query_scalar!(
        r#"select exists (
               select from people where id = $1 and role = $2 and not blocked and not deleted
           ) as "may_drive!""#,
        id,
        Role::Delivery.as_str(),
    )
    .fetch_one(tx)
    .await?;
    Ok(found)
}

pub async fn save(tx: &mut PgConnection, account: &UserProfileV1) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into people (id, role, email, first_name, last_name, phone)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (id) do update
         set role = excluded.role, email = excluded.email, first_name = excluded.first_name,
             last_name = excluded.last_name, phone = excluded.phone",
        account.user_id.0,
        account.role.as_str(),
        account.email,
        account.first_name,
        account.last_name,
        account.phone,
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

/// Erases the data of an account, also from its orders, and marks it as deleted. Its earlier events can't be read any
/// more; this one must lead to the same rows without them.
pub async fn erase(tx: &mut PgConnection, account: &UserRefV1) -> sqlx::Result<()> {
    tiffin_database::lock_for_erasure(tx, account.user_id.0).await?;
    sqlx::query!(
        "insert into people (id, role, email, first_name, last_name, phone, deleted)
         values ($1, $2, '', '', '', '', true)
         on conflict (id) do update
         set role = excluded.role, email = '', first_name = '', last_name = '', phone = '', blocked = false,
             deleted = true",
        account.user_id.0,
        account.role.as_str(),
    )
    .execute(&mut *tx)
    .await?;
    orders::forget_address(tx, account.user_id).await
}
