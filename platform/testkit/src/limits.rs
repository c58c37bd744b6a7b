//! The counters of limits, set as if an account had used them up.

use sqlx::PgPool;
use tiffin_events::UserId;
use time::OffsetDateTime;

/// Uses up an account's limit of this name for an hour from `now` on.
pub async fn exhaust_limit(pool: &PgPool, now: OffsetDateTime, name: &str, user: UserId) {
    sqlx::query(
        "insert into http.limits (key, count, since, until) values ($1, 1000000, $2, $2 + interval '1 hour')
         on conflict (key) do update set count = excluded.count, since = excluded.since, until = excluded.until",
    )
    .bind(format!("{name}:account:{user}"))
    .bind(now)
    .execute(pool)
    .await
    .expect("a counter");
}
