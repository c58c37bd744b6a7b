//! The table `bus.outbox`, as far as revocations wait in it.

use sqlx::PgPool;

use crate::Error;

/// True if a revocation has waited longer than this for its publication.
pub(crate) async fn has_late_revocation(pool: &PgPool, seconds: f64) -> Result<bool, Error> {
    let waits = sqlx::query_scalar!(
        r#"select exists (
             select from bus.outbox
             where published_at is null and starts_with(subject, 'revocation.')
               and created_at < now() - make_interval(secs => $1)
         ) as "waits!""#,
        seconds,
    );
    Ok(waits.fetch_one(pool).await?)
}
