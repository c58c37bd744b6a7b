//! The table `password_requests`.

use sqlx::{PgConnection, PgPool};
use tiffin_events::Clock;
use time::OffsetDateTime;

use crate::{Error, resets::Language};

/// A request for a new password.
pub(crate) struct PasswordRequest {
    pub email: String,
    pub language: Language,
    pub asked_at: OffsetDateTime,
}

pub(crate) async fn insert(
    pool: &PgPool,
    clock: &Clock,
    email: &str,
    language: Language,
) -> Result<(), Error> {
    sqlx::query!(
        "insert into password_requests (id, email, language, asked_at) values ($1, $2, $3, $4)",
        clock.new_id(),
        email,
        language.code(),
        clock.now(),
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// Deletes the oldest request and returns it.
pub(crate) async fn take(tx: &mut PgConnection) -> Result<Option<PasswordRequest>, Error> {
    let request = sqlx::query!(
        "delete from password_requests where id = (
            select id from password_requests order by asked_at limit 1 for update skip locked
         )
         returning email, language, asked_at",
    );
    let request = request.fetch_optional(tx).await?;
    Ok(request.map(|row| PasswordRequest {
        email: row.email,
        language: Language::read(&row.language),
        asked_at: row.asked_at,
    }))
}

/// Deletes the requests for an address.
pub(crate) async fn delete(tx: &mut PgConnection, email: &str) -> Result<(), Error> {
    sqlx::query!("delete from password_requests where email = $1", email)
        .execute(tx)
        .await?;
    Ok(())
}
