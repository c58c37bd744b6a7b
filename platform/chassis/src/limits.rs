//! Rate limits: counters in the service's database, so that they hold across processes.

use axum::extract::{FromRef, FromRequestParts};
use http::request::Parts;
use sqlx::{PgConnection, PgPool};
use tiffin_events::{Clock, UserId};
use time::{Duration, OffsetDateTime};

use crate::{BehindProxy, Caller, Env, Network, Problem, env::EnvError, refusal::TooMany};

/// At most `most` in each `window`, which begins with the first.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    pub most: i32,
    pub window: Duration,
}

/// The limit of one kind of write.
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
    behind_proxy: BehindProxy,
}

/// A request that may write: counts it by its caller and by the network that it comes from.
#[derive(Clone, Debug)]
pub struct Writes {
    limits: Limits,
    network: Network,
}

impl Writes {
    /// Counts one write. Refuses with 429 and `Retry-After` once there are too many. Runs outside the
    /// request's transaction, and so belongs before its beginning: what fails later counts, too, and
    /// no counter stays locked meanwhile.
    pub async fn count(&self, write: &WriteLimit, caller: &Caller) -> Result<(), Problem> {
        self.limits.count(write, caller.id, self.network).await
    }

    /// The same where another token than an access token names the account.
    pub async fn count_of(&self, write: &WriteLimit, account: UserId) -> Result<(), Problem> {
        self.limits.count(write, account, self.network).await
    }

    /// Counts one by a stranger: their network counts as an account.
    pub async fn count_stranger(&self, write: &WriteLimit) -> Result<(), Problem> {
        let Network(address) = self.network;
        let who = address.map_or_else(|| "unknown".to_owned(), |address| address.to_string());
        self.limits.count_as(write, &who, self.network).await
    }

    /// [`Writes::count`] with a connection that is in no transaction.
    pub async fn count_with(
        &self,
        db: &mut PgConnection,
        write: &WriteLimit,
        caller: &Caller,
    ) -> Result<(), Problem> {
        let account = caller.id.to_string();
        self.limits
            .count_with(db, write, &account, self.network)
            .await
    }

    /// At most `most` at a time, by the same factor as the limits.
    pub fn most(&self, most: i32) -> i64 {
        i64::from(most.saturating_mul(self.limits.factor))
    }
}

impl<S> FromRequestParts<S> for Writes
where
    Limits: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let limits = Limits::from_ref(state);
        let network = Network::from_request_parts(parts, &limits.behind_proxy).await?;
        Ok(Self { limits, network })
    }
}

impl WriteLimit {
    /// So many an hour by one account and from one network.
    #[must_use]
    pub const fn hourly(name: &'static str, account: i32, network: i32) -> Self {
        Self::each(name, Duration::HOUR, account, network)
    }

    /// So many a minute by one account and from one network.
    #[must_use]
    pub const fn minutely(name: &'static str, account: i32, network: i32) -> Self {
        Self::each(name, Duration::MINUTE, account, network)
    }

    const fn each(name: &'static str, window: Duration, account: i32, network: i32) -> Self {
        Self {
            name,
            account: Limit {
                most: account,
                window,
            },
            network: Limit {
                most: network,
                window,
            },
        }
    }
}

impl Limits {
    /// Reads `TIFFIN_WRITE_LIMIT_FACTOR`, by which every [`WriteLimit`] is multiplied: 1 by default,
    /// more for load tests; and `TIFFIN_BEHIND_PROXY`.
    pub fn new(pool: PgPool, clock: Clock, env: &Env) -> Result<Self, EnvError> {
        let factor: Option<u16> = env.parse("TIFFIN_WRITE_LIMIT_FACTOR")?;
        Ok(Self {
            pool,
            clock,
            factor: factor.map_or(1, i32::from).max(1),
            behind_proxy: BehindProxy::read(env)?,
        })
    }

    /// Counts one more, in one statement, so that parallel requests are counted one after the other.
    /// Returns how long to wait once there are too many.
    ///
    /// The statement's commit waits for no disk, so that everybody behind one address is not held to
    /// as many writes a second as the disk takes: a crash of the database loses some counts.
    pub async fn take(&self, key: &str, limit: Limit) -> sqlx::Result<Option<Duration>> {
        let mut db = self.pool.acquire().await?;
        self.take_with(&mut db, key, limit).await
    }

    async fn take_with(
        &self,
        db: &mut PgConnection,
        key: &str,
        limit: Limit,
    ) -> sqlx::Result<Option<Duration>> {
        let now = self.clock.now();
        let counted = sqlx::query!(
            "insert into http.limits as l (key, count, since, until)
             select $1, 1, $2, $5 where set_config('synchronous_commit', 'off', true) = 'off'
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
        .fetch_one(&mut *db)
        .await?;
        if counted.since == now {
            delete_expired(db, now).await?;
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
        self.count_as(write, &account.to_string(), network).await
    }

    /// The same where no account is known yet: `who` names what is counted in its place.
    pub async fn count_as(
        &self,
        write: &WriteLimit,
        who: &str,
        network: Network,
    ) -> Result<(), Problem> {
        let mut db = self.pool.acquire().await?;
        self.count_with(&mut db, write, who, network).await
    }

    async fn count_with(
        &self,
        db: &mut PgConnection,
        write: &WriteLimit,
        who: &str,
        network: Network,
    ) -> Result<(), Problem> {
        let name = write.name;
        let account = (
            format!("{name}:account:{who}"),
            self.multiplied(write.account),
        );
        let wait = match network.0 {
            None => self.take_with(db, &account.0, account.1).await?,
            Some(network) => {
                let network = (
                    format!("{name}:network:{network}"),
                    self.multiplied(write.network),
                );
                self.take_both(db, account, network).await?
            }
        };
        wait.map_or(Ok(()), |wait| {
            Err(Problem::from(TooMany::Requests).retry_after(wait.unsigned_abs()))
        })
    }

    fn multiplied(&self, limit: Limit) -> Limit {
        Limit {
            most: limit.most.saturating_mul(self.factor),
            ..limit
        }
    }

    /// [`Limits::take`] of an account, and of its network unless the account has too many: refused requests
    /// of one account use up nothing of its neighbours' share.
    async fn take_both(
        &self,
        db: &mut PgConnection,
        (account, by_account): (String, Limit),
        (network, by_network): (String, Limit),
    ) -> sqlx::Result<Option<Duration>> {
        let now = self.clock.now();
        let counted = sqlx::query!(
            r#"with account as (
                 insert into http.limits as l (key, count, since, until)
                 select $2, 1, $1, $5 where set_config('synchronous_commit', 'off', true) = 'off'
                 on conflict (key) do update set
                    count = case when l.since <= $3 then 1 else least(l.count, $4) + 1 end,
                    since = case when l.since <= $3 then $1 else l.since end,
                    until = case when l.since <= $3 then $5 else l.until end
                 returning count, since
             ), network as (
                 insert into http.limits as l (key, count, since, until)
                 select $6, 1, $1, $9 from account where account.count <= $4
                 on conflict (key) do update set
                    count = case when l.since <= $7 then 1 else least(l.count, $8) + 1 end,
                    since = case when l.since <= $7 then $1 else l.since end,
                    until = case when l.since <= $7 then $9 else l.until end
                 returning count, since
             )
             select account.count, account.since, network.count as "of_network?",
                    network.since as "network_since?"
             from account left join network on true"#,
            now,
            account,
            now - by_account.window,
            by_account.most,
            now + by_account.window,
            network,
            now - by_network.window,
            by_network.most,
            now + by_network.window,
        )
        .fetch_one(&mut *db)
        .await?;
        if counted.since == now || counted.network_since == Some(now) {
            delete_expired(db, now).await?;
        }
        if counted.count > by_account.most {
            return Ok(Some(counted.since + by_account.window - now));
        }
        let of_network = counted.of_network.zip(counted.network_since);
        let over = of_network.filter(|(count, _)| *count > by_network.most);
        Ok(over.map(|(_, since)| since + by_network.window - now))
    }
}

/// Deletes some counters whose window has ended; those that others hold are not waited for.
async fn delete_expired(db: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<()> {
    sqlx::query!(
        "delete from http.limits where key in (
             select key from http.limits where until < $1
             order by until limit 100 for update skip locked
         )",
        now
    )
    .execute(db)
    .await?;
    Ok(())
}
