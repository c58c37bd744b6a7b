//! The table `erasures`.

use sqlx::{PgConnection, PgPool};
use tiffin_events::UserId;
use time::{Duration, OffsetDateTime};

use crate::Error;

/// The time that one worker has for an erasure before another takes it, and the pause before the next attempt.
const LEASE: Duration = Duration::seconds(30);
/// The time from the first run to the second: a republication that was under way may have restored some of it.
const SECOND_RUN_AFTER: Duration = Duration::hours(1);

/// Requests the erasure of an account, in the transaction that closes it.
pub(crate) async fn insert(
    tx: &mut PgConnection,
    now: OffsetDateTime,
    user: UserId,
) -> Result<(), Error> {
    sqlx::query!(
        "insert into erasures (user_id, requested_at, next_attempt_at) values ($1, $2, $2)",
        user.0,
        now,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Claims the account that has waited longest for `LEASE`.
pub(crate) async fn claim(pool: &PgPool, now: OffsetDateTime) -> Result<Option<UserId>, Error> {
    let user = sqlx::query_scalar!(
        "update erasures set next_attempt_at = $2
         where user_id = (
            select user_id from erasures where next_attempt_at <= $1
            order by next_attempt_at limit 1 for update skip locked
         )
         returning user_id",
        now,
        now + LEASE,
    );
    Ok(user.fetch_optional(pool).await?.map(UserId))
}

/// Deletes an erasure after its second run, or plans the second run.
pub(crate) async fn mark_done(
    pool: &PgPool,
    now: OffsetDateTime,
    user: UserId,
) -> Result<(), Error> {
    let done = sqlx::query!(
        "delete from erasures where user_id = $1 and erased_at is not null",
        user.0
    )
    .execute(pool)
    .await?;
    if done.rows_affected() == 0 {
        sqlx::query!(
            "update erasures set erased_at = $2, next_attempt_at = $3 where user_id = $1",
            user.0,
            now,
            now + SECOND_RUN_AFTER,
        )
        .execute(pool)
        .await?;
    }
    Ok(())
}
