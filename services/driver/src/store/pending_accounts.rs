//! Accounts of drivers whose events are still on their way, as the user service answered them.

use sqlx::PgConnection;
use tiffin_events::UserId;

use crate::accounts::Account;

/// Saves a new account until its event comes; does nothing if the event came first.
pub async fn save(
    tx: &mut PgConnection,
    UserId(id): UserId,
    account: &Account,
) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into newcomers (id, email, first_name, last_name, address, phone, image)
         select $1, $2, $3, $4, $5, $6, $7 where not exists (select from people where id = $1)
         on conflict (id) do nothing",
        id,
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

/// Deletes an account whose event has come, or which was closed.
pub async fn delete(tx: &mut PgConnection, UserId(id): UserId) -> sqlx::Result<()> {
    sqlx::query!("delete from newcomers where id = $1", id)
        .execute(tx)
        .await?;
    Ok(())
}
