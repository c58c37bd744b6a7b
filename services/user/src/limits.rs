//! How often something may be done: counters in the database, so that they hold across processes.

use sqlx::PgPool;
use time::{Duration, OffsetDateTime};

use crate::Error;

/// At most `most` in each `window`, which begins with the first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit {
    pub most: i32,
    pub window: Duration,
}

/// Wrong passwords for one account.
pub(crate) const PER_ACCOUNT: Limit = Limit {
    most: 10,
    window: Duration::minutes(15),
};
/// Wrong passwords from one address.
pub(crate) const PER_ADDRESS: Limit = Limit {
    most: 30,
    window: Duration::minutes(1),
};

/// Codes mailed to one account. Each is good for a few guesses, so this also bounds how many guesses
/// at codes there are, and how often somebody else's address can be mailed to.
pub(crate) const CODES: Limit = Limit {
    most: 20,
    window: Duration::days(1),
};

/// Counts one more, in one statement, so that parallel ones are counted one after the other.
/// Answers how long to wait where that is too many.
pub(crate) async fn take(
    pool: &PgPool,
    now: OffsetDateTime,
    key: &str,
    limit: Limit,
) -> Result<Option<Duration>, Error> {
    let counted = sqlx::query!(
        "insert into limits as l (key, count, since) values ($1, 1, $2)
         on conflict (key) do update set
            count = case when l.since <= $3 then 1 else least(l.count, $4) + 1 end,
            since = case when l.since <= $3 then $2 else l.since end
         returning count, since",
        key,
        now,
        now - limit.window,
        limit.most,
    )
    .fetch_one(pool)
    .await?;
    Ok((counted.count > limit.most).then(|| counted.since + limit.window - now))
}

/// Takes one back: it was not what is being counted.
pub(crate) async fn give_back(pool: &PgPool, key: &str) -> Result<(), Error> {
    sqlx::query!(
        "update limits set count = count - 1 where key = $1 and count > 0",
        key
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// Forgets what was counted long ago.
pub(crate) async fn forget_old(pool: &PgPool, now: OffsetDateTime) -> Result<(), Error> {
    sqlx::query!(
        "delete from limits where since < $1",
        now - Duration::days(1)
    )
    .execute(pool)
    .await?;
    Ok(())
}
