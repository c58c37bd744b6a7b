//! The table `geocodes`: the geocoder's answers, by cells of a ten-thousandth of a degree.

use sqlx::PgPool;
use tiffin_events::Coordinates;
use time::{Duration, OffsetDateTime};

use crate::Error;

/// The time that the geocoder's answers are cached.
const CACHED_FOR: Duration = Duration::days(30);

/// The cached address at a place.
pub(crate) async fn find(
    pool: &PgPool,
    at: Coordinates,
    now: OffsetDateTime,
) -> Result<Option<String>, Error> {
    let (lat, lng) = cell(at);
    let cached = sqlx::query_scalar!(
        "select display_name from geocodes where lat = $1 and lng = $2 and found_at > $3",
        lat,
        lng,
        now - CACHED_FOR,
    );
    Ok(cached.fetch_optional(pool).await?)
}

pub(crate) async fn save(
    pool: &PgPool,
    at: Coordinates,
    name: &str,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let (lat, lng) = cell(at);
    sqlx::query!(
        "insert into geocodes (lat, lng, display_name, found_at) values ($1, $2, $3, $4)
             on conflict (lat, lng) do update set display_name = $3, found_at = $4",
        lat,
        lng,
        name,
        now,
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// Deletes expired answers.
pub(crate) async fn delete_expired(pool: &PgPool, now: OffsetDateTime) -> Result<(), Error> {
    sqlx::query!("delete from geocodes where found_at < $1", now - CACHED_FOR)
        .execute(pool)
        .await?;
    Ok(())
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "at most 1,800,000 ten-thousandths of a degree"
)]
fn cell(at: Coordinates) -> (i32, i32) {
    let cell = |degrees: f64| (degrees * 10_000.0).round() as i32;
    (cell(at.lat), cell(at.lng))
}
