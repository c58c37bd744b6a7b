//! Read model of drivers' accounts.

use sqlx::PgConnection;
use tiffin_events::{UserId, user::UserProfileV1};

use crate::accounts::Account;

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

/// The known data of an account: from its events, or before they come from the sign-up's answer.
pub async fn find(tx: &mut PgConnection, UserId(id): UserId) -> sqlx::Result<Option<Account>> {
    sqlx::query_as!(
        Account,
        r#"select email as "email!", first_name as "first_name!", last_name as "last_name!",
                  address as "address!", phone as "phone!", image
           from people where id = $1
           union all
           select email, first_name, last_name, address, phone, image
           from newcomers where id = $1 and not exists (select from people where id = $1)"#,
        id,
    )
    .fetch_optional(tx)
    .await
}

pub async fn save(tx: &mut PgConnection, account: &UserProfileV1) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into people (id, email, first_name, last_name, address, phone, image)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (id) do update
         set email = excluded.email, first_name = excluded.first_name, last_name = excluded.last_name,
             address = excluded.address, phone = excluded.phone, image = excluded.image",
        account.user_id.0,
        account.email,
        account.first_name,
        account.last_name,
        account.address,
        account.phone,
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
        "insert into people (id, email, first_name, last_name, address, phone, deleted)
         values ($1, '', '', '', '', '', true)
         on conflict (id) do update
         set email = '', first_name = '', last_name = '', address = '', phone = '', image = null, blocked = false,
             deleted = true",
        id,
    )
    .execute(tx)
    .await?;
    Ok(())
}
