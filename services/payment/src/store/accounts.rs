//! The read model of accounts, for the names on invoices.

use sqlx::PgConnection;
use tiffin_events::{UserId, user::UserProfileV1};

/// Saves an account's data from an event.
pub async fn save(tx: &mut PgConnection, account: &UserProfileV1) -> sqlx::Result<()> {
    let name = format!("{} {}", account.first_name, account.last_name);
    sqlx::query!(
        "insert into people (id, name, email) values ($1, $2, $3)
         on conflict (id) do update set name = excluded.name, email = excluded.email",
        account.user_id.0,
        name.trim(),
        account.email,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Erases an account's data, also from its orders, refunds and restaurants. Its earlier events can't be read any more;
/// this one must lead to the same rows without them.
pub async fn erase(tx: &mut PgConnection, UserId(id): UserId) -> sqlx::Result<()> {
    tiffin_database::lock_for_erasure(tx, id).await?;
    sqlx::query!(
        "insert into people (id, name, email, deleted) values ($1, '', '', true)
         on conflict (id) do update set name = '', email = '', deleted = true",
        id
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "update orders set address = '' where customer_id = $1 and address <> ''",
        id
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "update refunds set note = null where customer_id = $1 and note is not null",
        id
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "update restaurants set phone = '' where owner_id = $1 and phone <> ''",
        id
    )
    .execute(tx)
    .await?;
    Ok(())
}
