//! How often somebody may upload: counters in the database, so that they hold across processes.

use std::net::IpAddr;

use sqlx::PgPool;
use tiffin_events::UserId;
use time::{Duration, OffsetDateTime};

/// Counters begin with the first upload and end an hour later.
const WINDOW: Duration = Duration::HOUR;
/// Pictures without an account, from one network.
const ANONYMOUS: i32 = 10;
/// Pictures of one account: an owner's whole menu, but not a disk's worth.
const ACCOUNT: i32 = 200;

/// Who is counted.
#[derive(Clone, Copy, Debug)]
pub enum Counted {
    Network(Option<IpAddr>),
    Account(UserId),
}

/// Counts one more, in one statement, so that parallel ones are counted one after the other.
/// Answers how long to wait where that is too many.
pub async fn take(
    pool: &PgPool,
    now: OffsetDateTime,
    counted: Counted,
) -> sqlx::Result<Option<Duration>> {
    let (key, most) = match counted {
        Counted::Network(Some(network)) => (format!("network {network}"), ANONYMOUS),
        Counted::Network(None) => ("network".to_owned(), ANONYMOUS),
        Counted::Account(UserId(id)) => (format!("account {id}"), ACCOUNT),
    };
    let counted = sqlx::query!(
        "insert into limits as l (key, count, since) values ($1, 1, $2)
         on conflict (key) do update set
            count = case when l.since <= $3 then 1 else least(l.count, $4) + 1 end,
            since = case when l.since <= $3 then $2 else l.since end
         returning count, since",
        key,
        now,
        now - WINDOW,
        most,
    )
    .fetch_one(pool)
    .await?;
    Ok((counted.count > most).then(|| counted.since + WINDOW - now))
}

/// Forgets what was counted long ago.
pub async fn forget_old(pool: &PgPool, now: OffsetDateTime) -> sqlx::Result<()> {
    sqlx::query!("delete from limits where since < $1", now - WINDOW)
        .execute(pool)
        .await?;
    Ok(())
}
