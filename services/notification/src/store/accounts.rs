//! The read model of accounts.

use std::collections::HashMap;

use sqlx::PgConnection;
use tiffin_events::{
    Role, UserId,
    role::UnknownRole,
    user::{UserProfileV1, UserRefV1},
};

use crate::{Error, language::Language};

/// The name, address and state of an account, for mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    pub email: String,
    pub first_name: String,
    pub role: Role,
    /// Of its mails.
    pub language: Language,
    pub blocked: bool,
    pub deleted: bool,
}

/// Accounts' data. Those whose first event has not come are left out.
pub async fn find_all(
    tx: &mut PgConnection,
    ids: impl IntoIterator<Item = UserId>,
) -> Result<HashMap<UserId, Account>, Error> {
    let ids: Vec<_> = ids.into_iter().map(|id| id.0).collect();
    let rows = sqlx::query!(
        "select id, email, first_name, role, blocked, deleted,
                (select language from preferences where user_id = people.id)
         from people where id = any ($1)",
        &ids
    );
    let rows = rows.fetch_all(tx).await?.into_iter();
    rows.map(|row| {
        let role = row
            .role
            .parse()
            .map_err(|error: UnknownRole| Error::Unreadable(error.to_string()))?;
        let account = Account {
            email: row.email,
            first_name: row.first_name,
            role,
            language: row
                .language
                .as_deref()
                .map(Language::read)
                .unwrap_or_default(),
            blocked: row.blocked,
            deleted: row.deleted,
        };
        Ok((UserId(row.id), account))
    })
    .collect()
}

/// Saves an account's data from an event.
pub async fn save(tx: &mut PgConnection, account: &UserProfileV1) -> Result<(), Error> {
    sqlx::query!(
        "insert into people (id, email, first_name, role) values ($1, $2, $3, $4)
         on conflict (id) do update set email = $2, first_name = $3, role = $4",
        account.user_id.0,
        account.email,
        account.first_name,
        account.role.as_str(),
    )
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn set_blocked(tx: &mut PgConnection, id: UserId, blocked: bool) -> Result<(), Error> {
    sqlx::query!(
        "update people set blocked = $2 where id = $1",
        id.0,
        blocked
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Erases an account's data. Its earlier events are erased too; this one must lead to the same rows without
/// them.
pub async fn erase(tx: &mut PgConnection, user: &UserRefV1) -> Result<(), Error> {
    sqlx::query!(
        "insert into people (id, email, first_name, role, deleted) values ($1, '', '', $2, true)
         on conflict (id) do update
         set email = '', first_name = '', role = $2, blocked = false, deleted = true",
        user.user_id.0,
        user.role.as_str(),
    )
    .execute(tx)
    .await?;
    Ok(())
}
