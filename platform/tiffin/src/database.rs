//! A service's database: creating it, connecting to it, migrating it.

use std::{ops::RangeInclusive, str::FromStr, time::Duration};

use anyhow::{Context, Result, ensure};
use sqlx::{
    AssertSqlSafe, Connection, Executor, PgConnection, PgPool,
    migrate::Migrator,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use tiffin_chassis::Env;
use tiffin_events::Currency;
use tracing::{info, warn};

/// The idle time after which a connection is checked before it is used. A check before each use would be a round trip
/// for every transaction.
const PING_AFTER_IDLE: Duration = Duration::from_secs(1);

/// The interval between counts of the idle connections of a pool.
pub const IDLE_CHECK_INTERVAL: Duration = Duration::from_secs(3);
/// The number of counts that are compared.
const IDLE_CHECKS: u32 = 10;
/// The connections of a command, which does few things at once.
pub const COMMAND_CONNECTIONS: u32 = 5;
/// The connections of a service by default; ten services fit into the server's 120.
const DEFAULT_CONNECTIONS: RangeInclusive<u32> = 5..=10;

/// The most connections of each service: `TIFFIN_DATABASE_CONNECTIONS`, by default one more than twice the
/// processors.
pub fn connections(env: &Env) -> Result<u32> {
    const NAME: &str = "TIFFIN_DATABASE_CONNECTIONS";
    let named: Option<u32> = env.parse(NAME)?;
    ensure!(named != Some(0), "{NAME} must be at least 1");
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let fitting = u32::try_from(processors * 2 + 1).unwrap_or(u32::MAX);
    Ok(named.unwrap_or(fitting.clamp(*DEFAULT_CONNECTIONS.start(), *DEFAULT_CONNECTIONS.end())))
}

/// A pool that opens connections when they are needed, at most so many, and lets them go when they are not.
pub fn pool(url: &str, service: &str, max: u32) -> Result<PgPool> {
    let options = PgConnectOptions::from_str(url)
        .context("DATABASE_URL can't be read")?
        .application_name(&format!("tiffin/{service}"));
    Ok(PgPoolOptions::new()
        .max_connections(max)
        .min_connections(0)
        .idle_timeout(Duration::from_mins(1))
        .acquire_timeout(Duration::from_secs(10))
        .test_before_acquire(false)
        .before_acquire(|connection, meta| {
            Box::pin(async move {
                if meta.idle_for > PING_AFTER_IDLE {
                    connection.ping().await?;
                }
                Ok(true)
            })
        })
        .connect_lazy_with(options))
}

/// Closes connections of a service that were idle at each of ten counts, all but one, until the pool closes. Each
/// takes some megabytes of the server. The pool's idle time-out closes none of them, since a pool uses its
/// connections in turn and every service looks for work each few seconds.
pub async fn close_surplus(pool: PgPool, interval: Duration) {
    loop {
        let mut unused = usize::MAX;
        for _ in 0..IDLE_CHECKS {
            tokio::select! {
                () = pool.close_event() => return,
                () = tokio::time::sleep(interval) => {}
            }
            unused = unused.min(pool.num_idle());
        }
        for _ in 1..unused {
            if let Some(connection) = pool.try_acquire() {
                // A connection that fails to close is closed, too.
                let _ = connection.close().await;
            }
        }
    }
}

/// Waits until the database answers, with back-off. A wait is logged once.
pub async fn wait_until_reachable(pool: &PgPool, service: &str) {
    let options = pool.connect_options();
    let mut logged = false;
    let mut pause = Duration::from_millis(100);
    loop {
        match PgConnection::connect_with(&options).await {
            Ok(connection) => {
                let _ = connection.close().await;
                if logged {
                    info!(service, "the database is there");
                }
                return;
            }
            Err(error) => {
                if !std::mem::replace(&mut logged, true) {
                    warn!(service, %error, "waiting for the database");
                }
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(Duration::from_secs(5));
            }
        }
    }
}

/// The tables of bus and chassis, which each service has, then its own.
fn migrators(own: &'static Migrator) -> [&'static Migrator; 3] {
    [&tiffin_bus::MIGRATIONS, &tiffin_chassis::MIGRATIONS, own]
}

/// The number of the last step that `own` has.
pub fn schema(own: &'static Migrator) -> i64 {
    let steps = migrators(own).into_iter().flat_map(Migrator::iter);
    steps.map(|step| step.version).max().unwrap_or_default()
}

/// Applies the missing migrations of bus, chassis and the service. Returns their numbers.
pub async fn migrate(pool: &PgPool, own: &'static Migrator) -> Result<Vec<i64>> {
    // With a separate connection: however slow the server is at first, no request waits for the pool.
    let mut connection = PgConnection::connect_with(&pool.connect_options())
        .await
        .context("the database can't be reached")?;
    let missing = missing(&mut connection, own).await?;
    for migrator in migrators(own) {
        migrator
            .run(&mut connection)
            .await
            .context("the database can't be brought up to date")?;
    }
    connection.close().await?;
    Ok(missing)
}

/// Waits until the database has every step that `own` has. A wait is logged once. Steps of a later release do no harm.
pub async fn wait_until_migrated(pool: &PgPool, service: &str, own: &'static Migrator) {
    let mut logged = false;
    loop {
        let asked = async { missing(&mut *pool.acquire().await?, own).await };
        let answer = asked.await;
        if answer.as_ref().is_ok_and(Vec::is_empty) {
            return;
        }
        if !std::mem::replace(&mut logged, true) {
            match answer {
                Ok(missing) => {
                    let steps = missing.len();
                    warn!(service, steps, "waiting for `tiffin migrate {service}`");
                }
                Err(error) => {
                    warn!(service, %error, "the state of the database can't be read; trying again");
                }
            }
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

/// The steps that a database lacks. Bus, chassis and service each note theirs in a table.
async fn missing(connection: &mut PgConnection, own: &'static Migrator) -> sqlx::Result<Vec<i64>> {
    let mut missing = Vec::new();
    for migrator in migrators(own) {
        let table = &migrator.table_name;
        let has_table: bool = sqlx::query_scalar("select to_regclass($1) is not null")
            .bind(table.as_ref())
            .fetch_one(&mut *connection)
            .await?;
        let applied: Vec<i64> = if has_table {
            let query = format!("select version from {table} where success");
            sqlx::query_scalar(AssertSqlSafe(query))
                .fetch_all(&mut *connection)
                .await?
        } else {
            Vec::new()
        };
        let steps = migrator.iter().map(|step| step.version);
        missing.extend(steps.filter(|step| !applied.contains(step)));
    }
    Ok(missing)
}

/// Keeps the currency of the database's first start. Fails if that was another one: every stored amount would change
/// its meaning.
pub async fn keep_currency(pool: &PgPool, currency: Currency) -> Result<()> {
    let mut connection = PgConnection::connect_with(&pool.connect_options())
        .await
        .context("the database can't be reached")?;
    sqlx::query("insert into platform.currency (code) values ($1) on conflict do nothing")
        .bind(currency.code())
        .execute(&mut connection)
        .await
        .context("the currency can't be kept")?;
    let kept: String = sqlx::query_scalar("select code from platform.currency")
        .fetch_one(&mut connection)
        .await
        .context("the currency can't be read")?;
    connection.close().await?;
    ensure!(
        kept == currency.code(),
        "the amounts in this database are of {kept}, but TIFFIN_CURRENCY is {currency}: set TIFFIN_CURRENCY to {kept}, or \
         begin with an empty database"
    );
    Ok(())
}

/// Creates a database on the server of `url` unless it exists. Returns its address.
pub async fn ensure(url: &str, name: &str) -> Result<String> {
    let mut own = url::Url::parse(url).context("DATABASE_URL can't be read")?;
    own.set_path(name);
    let mut connection = PgConnection::connect(url)
        .await
        .context("the database server can't be reached")?;
    let found: Option<i32> = sqlx::query_scalar("select 1 from pg_database where datname = $1")
        .bind(name)
        .fetch_optional(&mut connection)
        .await?;
    if found.is_none() {
        connection
            .execute(AssertSqlSafe(format!("create database {name}")))
            .await
            .with_context(|| format!("the database {name} can't be made"))?;
    }
    connection.close().await?;
    Ok(own.to_string())
}

/// Removes a database and ends its connections. A missing database is no error.
pub async fn drop(url: &str, name: &str) -> Result<()> {
    let mut connection = PgConnection::connect(url)
        .await
        .context("the database server can't be reached")?;
    connection
        .execute(AssertSqlSafe(format!(
            "drop database if exists {name} with (force)"
        )))
        .await
        .with_context(|| format!("the database {name} can't be removed"))?;
    connection.close().await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use futures_util::future::try_join_all;
    use tiffin_testkit::TestDb;

    use super::*;

    #[tokio::test]
    async fn a_database_keeps_the_currency_of_its_first_start() {
        let TestDb { pool, .. } = &TestDb::new(&tiffin_payment::MIGRATIONS).await;
        let yen = "JPY".parse().unwrap();
        keep_currency(pool, yen).await.unwrap();
        keep_currency(pool, yen).await.unwrap();
        let error = keep_currency(pool, Currency::LKR).await.unwrap_err();
        assert_eq!(
            error.to_string(),
            "the amounts in this database are of JPY, but TIFFIN_CURRENCY is LKR: set TIFFIN_CURRENCY to JPY, or \
             begin with an empty database"
        );
    }

    #[tokio::test]
    async fn amounts_of_earlier_releases_are_rupees() {
        let TestDb { pool, .. } = &TestDb::empty().await;
        pool.execute("create table orders (total bigint)")
            .await
            .unwrap();
        tiffin_chassis::MIGRATIONS.run(pool).await.unwrap();
        let yen = "JPY".parse().unwrap();
        assert!(keep_currency(pool, yen).await.is_err());
        keep_currency(pool, Currency::LKR).await.unwrap();
    }

    #[tokio::test]
    async fn connections_that_nothing_needs_are_closed_but_one() {
        let TestDb { pool, .. } = &TestDb::new(&tiffin_bus::MIGRATIONS).await;
        let mut needed = try_join_all((0..5).map(|_| pool.acquire())).await.unwrap();
        needed.truncate(1);
        let closing = close_surplus(pool.clone(), Duration::from_millis(10));
        let closed = async {
            while pool.size() > 2 {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::select! {
            () = closing => panic!("the pool was closed"),
            () = closed => {}
        }
        assert_eq!((pool.size(), pool.num_idle()), (2, 1));
    }
}
