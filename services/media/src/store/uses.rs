//! The table `uses`.

use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

use super::pictures;

/// Who refers to pictures.
#[derive(Clone, Copy, Debug)]
pub enum Referrer {
    User(Uuid),
    Restaurant(Uuid),
    Item(Uuid),
    /// An order keeps showing what was ordered, whatever becomes of the dish.
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

/// Notes that somebody refers to these pictures and to no others any more.
pub async fn set(
    tx: &mut PgConnection,
    referrer: Referrer,
    names: &[String],
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let (kind, id) = referrer.parts();
    let left = sqlx::query_scalar!(
        "delete from uses where kind = $1 and referrer = $2 and name <> all($3) returning name",
        kind,
        id,
        names,
    )
    .fetch_all(&mut *tx)
    .await?;
    sqlx::query!(
        "insert into uses (kind, referrer, name) select $1, $2, unnest($3::text[])
         on conflict do nothing",
        kind,
        id,
        names,
    )
    .execute(&mut *tx)
    .await?;
    pictures::mark_used(tx, names).await?;
    pictures::mark_unused(tx, &left, now).await
}
