//! The preferences of readers.

use std::collections::{HashMap, HashSet};

use sqlx::PgConnection;
use tiffin_events::UserId;

use crate::{Error, language::Language, notification::Preferences};

/// A user's preferences. By default all channels are on.
pub async fn of(tx: &mut PgConnection, user: UserId) -> Result<Preferences, Error> {
    let row = sqlx::query!(
        r#"select coalesce(p.mail, true) as "mail!", coalesce(p.push, true) as "push!",
            coalesce(p.in_app, true) as "in_app!"
         from (select $1::uuid as id) u left join preferences p on p.user_id = u.id"#,
        user.0,
    )
    .fetch_one(tx)
    .await?;
    Ok(Preferences {
        mail: row.mail,
        push: row.push,
        in_app: row.in_app,
    })
}

/// The channels that reach users: push only if one of their browsers is subscribed.
pub async fn channels_of(
    tx: &mut PgConnection,
    users: impl IntoIterator<Item = UserId>,
) -> Result<HashMap<UserId, Preferences>, Error> {
    let users: HashSet<_> = users.into_iter().map(|user| user.0).collect();
    let users: Vec<_> = users.into_iter().collect();
    let rows = sqlx::query!(
        r#"select u.id as "id!", coalesce(p.mail, true) as "mail!",
            coalesce(p.push, true) and exists (select from subscriptions where user_id = u.id) as "push!",
            coalesce(p.in_app, true) as "in_app!"
         from unnest($1::uuid[]) u (id) left join preferences p on p.user_id = u.id"#,
        &users,
    );
    let rows = rows.fetch_all(tx).await?.into_iter();
    Ok(rows
        .map(|row| {
            let preferences = Preferences {
                mail: row.mail,
                push: row.push,
                in_app: row.in_app,
            };
            (UserId(row.id), preferences)
        })
        .collect())
}

/// The addresses of second contacts, by the owners who chose them.
pub async fn second_contacts(
    tx: &mut PgConnection,
    users: impl IntoIterator<Item = UserId>,
) -> Result<HashMap<UserId, String>, Error> {
    let users: HashSet<_> = users.into_iter().map(|user| user.0).collect();
    let users: Vec<_> = users.into_iter().collect();
    let rows = sqlx::query!(
        r#"select user_id, second_contact as "second_contact!" from preferences
         where user_id = any ($1) and second_contact is not null"#,
        &users,
    );
    let rows = rows.fetch_all(tx).await?.into_iter();
    Ok(rows
        .map(|row| (UserId(row.user_id), row.second_contact))
        .collect())
}

/// The language that a user chose for mails.
pub async fn language(tx: &mut PgConnection, user: UserId) -> Result<Option<Language>, Error> {
    let language = sqlx::query_scalar!(
        r#"select language as "language!" from preferences where user_id = $1 and language is not null"#,
        user.0,
    );
    let language = language.fetch_optional(tx).await?;
    Ok(language.as_deref().map(Language::read))
}

/// Sets the language of the mails of a user who has preferences.
pub async fn set_language(
    tx: &mut PgConnection,
    user: UserId,
    language: Language,
) -> Result<(), Error> {
    sqlx::query!(
        "update preferences set language = $2 where user_id = $1",
        user.0,
        language.code(),
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Sets or removes the second contact of an owner who has preferences.
pub async fn set_second_contact(
    tx: &mut PgConnection,
    user: UserId,
    address: Option<&str>,
) -> Result<(), Error> {
    sqlx::query!(
        "update preferences set second_contact = $2 where user_id = $1",
        user.0,
        address,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Saves a user's choices, unless their account is closed. `None` leaves a channel as it is.
pub async fn set(
    tx: &mut PgConnection,
    user: UserId,
    mail: Option<bool>,
    push: Option<bool>,
    in_app: Option<bool>,
) -> Result<(), Error> {
    tiffin_database::keep_from_erasure(tx, &[user.0]).await?;
    sqlx::query!(
        "insert into preferences as p (user_id, mail, push, in_app)
         select $1, coalesce($2, true), coalesce($3, true), coalesce($4, true)
         where not exists (select from people where id = $1 and deleted)
         on conflict (user_id) do update
         set mail = coalesce($2, p.mail), push = coalesce($3, p.push), in_app = coalesce($4, p.in_app)",
        user.0,
        mail,
        push,
        in_app,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Deletes the preferences of a closed account.
pub async fn delete(tx: &mut PgConnection, user: UserId) -> Result<(), Error> {
    sqlx::query!("delete from preferences where user_id = $1", user.0)
        .execute(tx)
        .await?;
    Ok(())
}
