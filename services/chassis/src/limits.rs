//! How often something may be done: counters in the service's database, so that they hold across
//! processes.

use sqlx::PgPool;
use tiffin_events::{Clock, UserId};
use time::{Duration, OffsetDateTime};

use crate::{Env, Network, Problem, env::EnvError};

/// At most `most` in each `window`, which begins with the first.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    pub most: i32,
    pub window: Duration,
}

/// How often one kind of write may be made.
#[derive(Clone, Copy, Debug)]
pub struct WriteLimit {
    /// Names the counter; no other kind of write of the same service has it.
    pub name: &'static str,
    /// By one account.
    pub account: Limit,
    /// From one network. A household, an office or a mobile carrier shares one.
    pub network: Limit,
}

/// The counters of one service. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Limits {
    pool: PgPool,
    clock: Clock,
    factor: i32,
}

impl Limits {
    /// Reads `TIFFIN_WRITE_LIMIT_FACTOR`, by which every [`WriteLimit`] is multiplied: 1 by default,
    /// more for load tests.
    pub fn new(pool: PgPool, clock: Clock, env: &Env) -> Result<Self, EnvError> {
        let factor: Option<u16> = env.parse("TIFFIN_WRITE_LIMIT_FACTOR")?;
        Ok(Self {
            pool,
            clock,
            factor: factor.map_or(1, i32::from).max(1),
        })
    }

    /// Counts one more, in one statement, so that parallel requests are counted one after the other.
    /// Returns how long to wait once there are too many.
    pub async fn take(&self, key: &str, limit: Limit) -> sqlx::Result<Option<Duration>> {
        let now = self.clock.now();
        let counted = sqlx::query!(
            "insert into http.limits as l (key, count, since, until) values ($1, 1, $2, $5)
             on conflict (key) do update set
                count = case when l.since <= $3 then 1 else least(l.count, $4) + 1 end,
                since = case when l.since <= $3 then $2 else l.since end,
                until = case when l.since <= $3 then $5 else l.until end
             returning count, since",
            key,
            now,
            now - limit.window,
            limit.most,
            now + limit.window,
        )
        .fetch_one(&self.pool)
        .await?;
        if counted.since == now {
            self.delete_expired(now).await?;
        }
        Ok((counted.count > limit.most).then(|| counted.since + limit.window - now))
    }

    /// Takes one back that should not have been counted.
    pub async fn give_back(&self, key: &str) -> sqlx::Result<()> {
        sqlx::query!(
            "update http.limits set count = count - 1 where key = $1 and count > 0",
            key
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Counts a write by `account` from `network`. Refuses with 429 and `Retry-After` once there are
    /// too many.
    pub async fn count(
        &self,
        write: &WriteLimit,
        account: UserId,
        network: Network,
    ) -> Result<(), Problem> {
        let name = write.name;
        let by_account = (format!("{name}:account:{account}"), write.account);
        let by_network = network
            .0
            .map(|network| (format!("{name}:network:{network}"), write.network));
        for (key, limit) in std::iter::once(by_account).chain(by_network) {
            let limit = Limit {
                most: limit.most.saturating_mul(self.factor),
                ..limit
            };
            if let Some(wait) = self.take(&key, limit).await? {
                let message = "Too many requests. Please try again later.";
                return Err(Problem::too_many(message, wait.unsigned_abs()));
            }
        }
        Ok(())
    }

    /// Deletes some counters whose window has ended; those that others hold are not waited for.
    async fn delete_expired(&self, now: OffsetDateTime) -> sqlx::Result<()> {
        sqlx::query!(
            "delete from http.limits where key in (
                 select key from http.limits where until < $1
                 order by until limit 100 for update skip locked
             )",
            now
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }
}
