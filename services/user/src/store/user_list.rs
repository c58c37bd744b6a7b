//! The list of accounts, searched, sorted and read page by page.

use serde::Deserialize;
use sqlx::PgConnection;
use tiffin_chassis::paging::{self, Cursor};
use tiffin_events::Role;
use utoipa::ToSchema;

use super::UserRow;
use crate::{Error, user::User};

/// The order of a list of accounts; the newest come first among equals.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Sort {
    #[default]
    Newest,
    Oldest,
    Name,
    Email,
    Role,
}

impl Sort {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Newest => "newest",
            Self::Oldest => "oldest",
            Self::Name => "name",
            Self::Email => "email",
            Self::Role => "role",
        }
    }
}

/// A selection of accounts, and its order.
#[derive(Debug, Default)]
pub(crate) struct UserFilter<'a> {
    /// Words to look for in name, e-mail address, phone and address.
    pub words: Option<&'a str>,
    pub role: Option<Role>,
    pub sort: Sort,
    pub limit: Option<i64>,
    pub after: Option<Cursor>,
}

/// The accounts, each with its cursor.
pub(crate) async fn list(
    tx: &mut PgConnection,
    filter: UserFilter<'_>,
) -> Result<Vec<(User, Cursor)>, Error> {
    let (after, is_first) = (
        filter.after.clone().unwrap_or_default(),
        filter.after.is_none(),
    );
    let rows = sqlx::query!(
        r#"with sorted as (
            select *,
                case $3 when 'name' then lower(first_name || ' ' || last_name) when 'email' then coalesce(email, '')
                    when 'role' then role else '' end as word,
                case $3 when 'oldest' then (extract(epoch from created_at) * 1000000)::bigint else 0 end as rank
            from users
            where not deleted and ($2::text is null or role = $2)
                and position(lower(coalesce($1, '')) in
                    lower(concat_ws(' ', first_name, last_name, email, phone, address))) > 0
         )
         select id, version, coalesce(email, '') as "email!", password_hash, role, first_name, last_name, phone,
            address, image, lat, lng, verified, blocked, block_reason, deleted, word as "word!", rank as "rank!"
         from sorted
         where $4 or (word, rank) > ($5, $6) or (word = $5 and rank = $6 and id < $7)
         order by word, rank, id desc limit $8"#,
        filter.words,
        filter.role.map(Role::as_str),
        filter.sort.as_str(),
        is_first,
        after.word,
        after.rank,
        after.id,
        paging::sql_limit(filter.limit),
    )
    .fetch_all(tx)
    .await?;
    let users = rows.into_iter().map(|row| {
        let cursor = Cursor {
            word: row.word,
            rank: row.rank,
            id: row.id,
        };
        let user = User::try_from(UserRow {
            id: row.id,
            version: row.version,
            email: row.email,
            password_hash: row.password_hash,
            role: row.role,
            first_name: row.first_name,
            last_name: row.last_name,
            phone: row.phone,
            address: row.address,
            image: row.image,
            lat: row.lat,
            lng: row.lng,
            verified: row.verified,
            blocked: row.blocked,
            block_reason: row.block_reason,
            deleted: row.deleted,
        })?;
        Ok((user, cursor))
    });
    users.collect()
}
