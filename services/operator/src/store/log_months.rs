//! The partitions of the event log's streams that are archived, in the schema `log`.

use sqlx::{AssertSqlSafe, PgConnection, PgPool};
use tiffin_events::Stream;

/// The advisory lock of a transaction that makes, attaches or drops partitions.
const MONTHS_LOCK: i64 = 0x7469_6666_6d6f;

/// The advisory lock of the process that keeps the log at its size.
const KEEPER_LOCK: i64 = 0x7469_6666_6b70;

/// A table of the schema `log` that is, or was, a partition.
#[derive(Clone, Debug)]
pub struct MonthTable {
    pub name: String,
    /// True if it is a partition of the log.
    pub is_attached: bool,
    /// True if a process died while it detached it.
    pub is_half_detached: bool,
}

/// The tables of months, attached or not.
pub async fn all(tx: &mut PgConnection) -> sqlx::Result<Vec<MonthTable>> {
    sqlx::query_as!(
        MonthTable,
        r#"select c.relname::text as "name!",
                  (i.inhrelid is not null and not i.inhdetachpending) as "is_attached!",
                  coalesce(i.inhdetachpending, false) as "is_half_detached!"
           from pg_class c
           left join pg_inherits i on i.inhrelid = c.oid
           where c.relnamespace = 'log'::regnamespace and c.relkind = 'r' and starts_with(c.relname, 'events_')
           order by c.relname"#,
    )
    .fetch_all(tx)
    .await
}

/// Takes the lock of the process that keeps the log at its size, until the transaction ends; false if another has it.
pub async fn is_keeper(tx: &mut PgConnection) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"select pg_try_advisory_xact_lock($1) as "locked!""#,
        KEEPER_LOCK
    )
    .fetch_one(tx)
    .await
}

/// Waits until no other transaction makes or drops partitions, and keeps others out until this one ends.
pub async fn lock(tx: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!("select pg_advisory_xact_lock($1)", MONTHS_LOCK)
        .execute(tx)
        .await?;
    Ok(())
}

/// Makes a table for a partition.
pub async fn create(tx: &mut PgConnection, name: &str) -> sqlx::Result<()> {
    run(tx, format!("create table log.{name} (like log.months)")).await
}

/// Makes a table a partition for these values. Readers and writers of other partitions go on.
pub async fn attach(tx: &mut PgConnection, name: &str, values: &str) -> sqlx::Result<()> {
    let attach = format!("alter table log.months attach partition log.{name} for values {values}");
    run(tx, attach).await
}

/// Detaches a partition while others read and write the log. It waits for those that read it now.
pub async fn detach(pool: &PgPool, name: &str) -> sqlx::Result<()> {
    let detach = format!("alter table log.months detach partition log.{name} concurrently");
    run(&mut *pool.acquire().await?, detach).await
}

/// Detaches a partition whose detaching ended halfway.
pub async fn finish_detaching(pool: &PgPool, name: &str) -> sqlx::Result<()> {
    let detach = format!("alter table log.months detach partition log.{name} finalize");
    run(&mut *pool.acquire().await?, detach).await
}

/// Drops the table of a partition that was detached.
pub async fn drop_table(tx: &mut PgConnection, name: &str) -> sqlx::Result<()> {
    run(tx, format!("drop table log.{name}")).await
}

async fn run(connection: &mut PgConnection, statement: String) -> sqlx::Result<()> {
    sqlx::raw_sql(AssertSqlSafe(statement))
        .execute(connection)
        .await?;
    Ok(())
}

/// The last stream sequence of each stream that has events in a table of a month.
pub async fn last_sequences(
    tx: &mut PgConnection,
    name: &str,
) -> Result<Vec<(Stream, i64)>, crate::Error> {
    let select = format!("select stream, max(seq) from log.{name} group by stream");
    let rows: Vec<(String, i64)> = sqlx::query_as(AssertSqlSafe(select)).fetch_all(tx).await?;
    let known = |(name, last): (String, i64)| Some((name.parse().ok()?, last));
    Ok(rows.into_iter().filter_map(known).collect())
}

/// True if a table has events that the log answers for.
pub async fn is_needed(tx: &mut PgConnection, name: &str) -> sqlx::Result<bool> {
    let select = format!(
        "select exists (select from log.{name} e left join log_starts s on s.stream = e.stream
                        where e.seq >= coalesce(s.seq, 0))"
    );
    sqlx::query_scalar(AssertSqlSafe(select))
        .fetch_one(tx)
        .await
}
