//! The table `pictures`.

use sqlx::{PgConnection, PgPool};
use tiffin_events::UserId;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::picture::{Format, Picture};

pub async fn is_taken(pool: &PgPool, name: &str) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"select exists (select from pictures where name = $1) as "taken!""#,
        name
    )
    .fetch_one(pool)
    .await
}

/// Reserves the name of a picture, unless it is taken. The picture is not served before [`publish`].
pub async fn reserve(pool: &PgPool, picture: &Picture) -> sqlx::Result<bool> {
    let taken = sqlx::query!(
        "insert into pictures
            (id, name, owner, format, width, height, size, etag, cache, uploaded_at, unused_since)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::timestamptz,
            case when exists (select from uses where name = $2) then null else $10::timestamptz end)
         on conflict (name) do nothing",
        picture.id,
        picture.name,
        picture.owner.map(|UserId(id)| id),
        picture.format.as_str(),
        i32::try_from(picture.width).unwrap_or(i32::MAX),
        i32::try_from(picture.height).unwrap_or(i32::MAX),
        picture.size,
        picture.etag,
        picture.cache,
        picture.uploaded_at,
    )
    .execute(pool)
    .await?;
    Ok(taken.rows_affected() == 1)
}

/// Publishes a picture, which is in the storage by now.
pub async fn publish(pool: &PgPool, id: Uuid) -> sqlx::Result<()> {
    sqlx::query!("update pictures set ready = true where id = $1", id)
        .execute(pool)
        .await?;
    Ok(())
}

pub async fn find(pool: &PgPool, name: &str) -> sqlx::Result<Option<Picture>> {
    let row = sqlx::query_as!(
        PictureRow,
        "select id, name, owner, format, width, height, size, etag, cache, uploaded_at
         from pictures where name = $1 and ready",
        name
    )
    .fetch_optional(pool)
    .await?;
    Ok(row.map(Picture::from))
}

/// The named pictures that the account may remove: its own, or any for an administrator.
pub async fn removable(
    pool: &PgPool,
    names: &[String],
    UserId(caller): UserId,
    any: bool,
) -> sqlx::Result<Vec<Picture>> {
    let rows = sqlx::query_as!(
        PictureRow,
        "select id, name, owner, format, width, height, size, etag, cache, uploaded_at
         from pictures where name = any($1) and ready and (owner = $2 or $3) order by name",
        names,
        caller,
        any,
    )
    .fetch_all(pool)
    .await?;
    Ok(rows.into_iter().map(Picture::from).collect())
}

pub async fn exists(pool: &PgPool, id: Uuid) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"select exists (select from pictures where id = $1) as "there!""#,
        id
    )
    .fetch_one(pool)
    .await
}

/// True if the account has uploaded the picture.
pub async fn is_of(pool: &PgPool, id: Uuid, account: Uuid) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"select exists (select from pictures where id = $1 and owner = $2 and ready) as "own!""#,
        id,
        account
    )
    .fetch_one(pool)
    .await
}

pub async fn delete(pool: &PgPool, id: Uuid) -> sqlx::Result<()> {
    sqlx::query!("delete from pictures where id = $1", id)
        .execute(pool)
        .await?;
    Ok(())
}

/// At most 100 pictures without references since `before`, the oldest first.
pub async fn unused(pool: &PgPool, before: OffsetDateTime) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        "select id from pictures where unused_since <= $1 order by unused_since limit 100",
        before
    )
    .fetch_all(pool)
    .await
}

/// Marks pictures as referred to.
pub async fn mark_used(tx: &mut PgConnection, names: &[String]) -> sqlx::Result<()> {
    sqlx::query!(
        "update pictures set unused_since = null where name = any($1) and unused_since is not null",
        names
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Marks those of the pictures that have no references any more.
pub async fn mark_unused(
    tx: &mut PgConnection,
    names: &[String],
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "update pictures p set unused_since = $2
         where name = any($1) and unused_since is null
           and not exists (select from uses u where u.name = p.name)",
        names,
        now
    )
    .execute(tx)
    .await?;
    Ok(())
}

struct PictureRow {
    id: Uuid,
    name: String,
    owner: Option<Uuid>,
    format: String,
    width: i32,
    height: i32,
    size: i64,
    etag: String,
    cache: i32,
    uploaded_at: OffsetDateTime,
}

impl From<PictureRow> for Picture {
    fn from(row: PictureRow) -> Self {
        Self {
            id: row.id,
            name: row.name,
            owner: row.owner.map(UserId),
            // The table accepts no other formats.
            format: Format::parse(&row.format).unwrap_or(Format::Jpeg),
            width: row.width.unsigned_abs(),
            height: row.height.unsigned_abs(),
            size: row.size,
            etag: row.etag,
            cache: row.cache,
            uploaded_at: row.uploaded_at,
        }
    }
}

/// The number of dead letters of this service's consumers, and of events parked behind one.
pub async fn count_unhandled_events(pool: &PgPool) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"select (select count(*) from bus.blocked) + (select count(*) from bus.parked) as "aside!""#
    )
    .fetch_one(pool)
    .await
}
