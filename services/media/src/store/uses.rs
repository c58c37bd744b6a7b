//! The table `uses`.

use std::collections::HashMap;

use sqlx::PgConnection;
use uuid::Uuid;

/// The aggregate that refers to pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Referrer {
    User(Uuid),
    Restaurant(Uuid),
    Item(Uuid),
    /// An order shows its picture even after its dish is deleted.
    Order(Uuid),
}

impl Referrer {
    const fn parts(self) -> (&'static str, Uuid) {
        match self {
            Self::User(id) => ("user", id),
            Self::Restaurant(id) => ("restaurant", id),
            Self::Item(id) => ("item", id),
            Self::Order(id) => ("order", id),
        }
    }
}

/// Sets the pictures that each referrer refers to. Returns the names that one of them referred to before
/// and does not any more.
pub async fn set(
    tx: &mut PgConnection,
    references: &HashMap<Referrer, Vec<String>>,
) -> sqlx::Result<Vec<String>> {
    let (kinds, referrers) = columns(references.keys().copied());
    let each = references
        .iter()
        .flat_map(|(referrer, names)| names.iter().map(|name| (*referrer, name.clone())));
    let (users, names): (Vec<_>, Vec<_>) = each.unzip();
    let (user_kinds, users) = columns(users.into_iter());
    let released = sqlx::query_scalar!(
        "delete from uses u using unnest($1::text[], $2::uuid[]) as r (kind, referrer)
         where u.kind = r.kind and u.referrer = r.referrer and not exists (
            select from unnest($3::text[], $4::uuid[], $5::text[]) as n (kind, referrer, name)
            where n.kind = u.kind and n.referrer = u.referrer and n.name = u.name
         )
         returning u.name",
        &kinds,
        &referrers,
        &user_kinds,
        &users,
        &names,
    )
    .fetch_all(&mut *tx)
    .await?;
    sqlx::query!(
        "insert into uses (kind, referrer, name) select * from unnest($1::text[], $2::uuid[], $3::text[])
         on conflict do nothing",
        &user_kinds,
        &users,
        &names,
    )
    .execute(tx)
    .await?;
    Ok(released)
}

fn columns(referrers: impl Iterator<Item = Referrer>) -> (Vec<String>, Vec<Uuid>) {
    let parts = referrers.map(Referrer::parts);
    parts.map(|(kind, id)| (kind.to_owned(), id)).unzip()
}
