//! The tables of a read model: created beside the serving ones, compared with them, put in their place.

use std::fmt::Write as _;

use sqlx::{AssertSqlSafe, PgConnection, Row};

use super::{ControlError, refusal::Refusal};
use crate::consume::replaced::REPLACED_SCHEMA;

/// Has the transaction find the tables of `schema` before the serving ones.
pub(super) async fn set_search_path(tx: &mut PgConnection, schema: &str) -> sqlx::Result<()> {
    let set =
        format!("set local search_path = {schema}, public; set local synchronous_commit = off");
    sqlx::raw_sql(AssertSqlSafe(set)).execute(tx).await?;
    Ok(())
}

/// Sets the search path and keeps the tables from being dropped until the transaction ends. Fails if another attempt
/// has dropped them: otherwise their rows would be written to the serving tables.
pub(super) async fn lock(tx: &mut PgConnection, schema: &str, tables: &[&str]) -> sqlx::Result<()> {
    set_search_path(&mut *tx, schema).await?;
    let names: Vec<String> = tables
        .iter()
        .map(|table| format!("{schema}.{table}"))
        .collect();
    let lock = format!("lock table {} in access share mode", names.join(", "));
    sqlx::raw_sql(AssertSqlSafe(lock)).execute(tx).await?;
    Ok(())
}

/// Drops the schemas that attempts of killed processes left, by the prefix of their names.
pub(super) async fn drop_leftovers(tx: &mut PgConnection, prefix: &str) -> sqlx::Result<()> {
    let left = sqlx::query_scalar!(
        r#"select quote_ident(nspname::text) as "name!" from pg_namespace
         where starts_with(nspname::text, $1)"#,
        prefix,
    )
    .fetch_all(&mut *tx)
    .await?;
    for schema in left {
        let drop = format!("drop schema if exists {schema} cascade");
        sqlx::raw_sql(AssertSqlSafe(drop)).execute(&mut *tx).await?;
    }
    Ok(())
}

/// Creates empty tables like the serving ones, with constraints and unique indexes of the same names. The
/// other indexes come once they are filled ([`create_indexes`]): that is many times faster.
pub(super) async fn create(
    tx: &mut PgConnection,
    schema: &str,
    tables: &[&str],
) -> Result<(), ControlError> {
    let fresh = format!("drop schema if exists {schema} cascade; create schema {schema}");
    sqlx::raw_sql(AssertSqlSafe(fresh))
        .execute(&mut *tx)
        .await?;
    for table in tables {
        let referring = sqlx::query_scalar!(
            r#"select count(*) as "count!" from pg_constraint
             where contype = 'f' and ('public.' || $1)::regclass in (conrelid, confrelid)"#,
            *table,
        )
        .fetch_one(&mut *tx)
        .await?;
        if referring > 0 {
            return Err(Refusal::ForeignKey((*table).to_owned()).into());
        }
        let like = format!(
            "create table {schema}.{table} (like public.{table} including defaults
             including generated including identity including storage)"
        );
        sqlx::raw_sql(AssertSqlSafe(like)).execute(&mut *tx).await?;
        define(tx, schema, table, false).await?;
    }
    Ok(())
}

/// Creates the indexes of filled tables.
pub(super) async fn create_indexes(
    tx: &mut PgConnection,
    schema: &str,
    tables: &[&str],
) -> sqlx::Result<()> {
    for table in tables {
        define(tx, schema, table, true).await?;
    }
    Ok(())
}

/// Creates a table's constraints, unique indexes and triggers on its copy, or its other indexes.
async fn define(
    tx: &mut PgConnection,
    schema: &str,
    table: &str,
    plain_indexes: bool,
) -> sqlx::Result<()> {
    let rows = sqlx::query!(
        r#"with t as (select ('public.' || $1)::regclass as id)
         select format('alter table %I.%I add constraint %I %s', $2::text, $1::text, conname,
                       pg_get_constraintdef(c.oid)) as "sql!", 1 as "place!", false as "plain!"
         from pg_constraint c join t on c.conrelid = t.id where contype in ('p', 'u', 'c', 'x')
         union all
         select replace(pg_get_indexdef(indexrelid), format(' ON public.%I ', $1::text),
                        format(' ON %I.%I ', $2::text, $1::text)), 2, not i.indisunique
         from pg_index i join t on i.indrelid = t.id
         where not exists (select from pg_constraint c where c.conindid = i.indexrelid)
         union all
         select replace(pg_get_triggerdef(g.oid), format(' ON public.%I ', $1::text),
                        format(' ON %I.%I ', $2::text, $1::text)), 3, false
         from pg_trigger g join t on g.tgrelid = t.id where not g.tgisinternal
         order by 2"#,
        table,
        schema,
    )
    .fetch_all(&mut *tx)
    .await?;
    for row in rows.into_iter().filter(|row| row.plain == plain_indexes) {
        sqlx::raw_sql(AssertSqlSafe(row.sql))
            .execute(&mut *tx)
            .await?;
    }
    Ok(())
}

/// Copies the rows of a table to the table of the same name in another schema.
pub(super) async fn copy_rows(
    tx: &mut PgConnection,
    from: &str,
    to: &str,
    table: &str,
) -> sqlx::Result<()> {
    let columns = sqlx::query_scalar!(
        r#"select string_agg(quote_ident(attname::text), ', ') as "columns!" from pg_attribute
         where attrelid = ($1 || '.' || $2)::regclass and attnum > 0
           and not attisdropped and attgenerated = ''"#,
        from,
        table,
    )
    .fetch_one(&mut *tx)
    .await?;
    let copy = format!(
        "insert into {to}.{table} ({columns}) overriding system value
         select {columns} from {from}.{table}"
    );
    sqlx::raw_sql(AssertSqlSafe(copy)).execute(tx).await?;
    Ok(())
}

/// The content of a table, independent of the order of its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fingerprint {
    pub rows: i64,
    pub hash: String,
}

impl Fingerprint {
    pub(super) async fn of(tx: &mut PgConnection, schema: &str, table: &str) -> sqlx::Result<Self> {
        let (rows, sum) = sum_of(tx, schema, table).await?;
        Self::from_sum(rows, &sum)
    }

    /// The content whose rows have hashes with this sum.
    pub(super) fn from_sum(rows: i64, sum: &str) -> sqlx::Result<Self> {
        let hash = hexadecimal(sum)?;
        Ok(Self { rows, hash })
    }
}

/// The number of a table's rows, and the sum of their hashes: PostgreSQL adds 64-bit numbers up to a numeric.
pub(super) async fn sum_of(
    tx: &mut PgConnection,
    schema: &str,
    table: &str,
) -> sqlx::Result<(i64, String)> {
    let sql = format!(
        "select count(*) as rows,
                coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text as hash
         from {schema}.{table} t"
    );
    let row = sqlx::query(AssertSqlSafe(sql)).fetch_one(tx).await?;
    Ok((row.try_get("rows")?, row.try_get("hash")?))
}

/// The last 64 bits of a sum of hashes, in hexadecimal.
fn hexadecimal(sum: &str) -> sqlx::Result<String> {
    let sum: i128 = sum
        .parse()
        .map_err(|error| sqlx::Error::Decode(Box::new(error)))?;
    Ok(format!("{:016x}", sum.rem_euclid(1 << 64)))
}

/// Puts the tables of `schema` in the place of the serving ones, which are kept, and `beside` them these
/// others of `schema`.
pub(super) async fn replace(
    tx: &mut PgConnection,
    schema: &str,
    tables: &[&str],
    beside: &[String],
) -> sqlx::Result<()> {
    let mut sql = format!("create schema if not exists {REPLACED_SCHEMA};");
    for table in tables {
        let _ = write!(
            sql,
            "drop table if exists {REPLACED_SCHEMA}.{table};
             alter table public.{table} set schema {REPLACED_SCHEMA};
             alter table {schema}.{table} set schema public;"
        );
    }
    for table in beside {
        let _ = write!(
            sql,
            "drop table if exists {REPLACED_SCHEMA}.{table};
             alter table {schema}.{table} set schema {REPLACED_SCHEMA};"
        );
    }
    let _ = write!(sql, "drop schema {schema} cascade");
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(tx).await?;
    Ok(())
}

/// Puts the replaced tables back in the place of the serving ones. These are dropped, and so are the ones
/// `beside` the replaced tables.
pub(super) async fn restore(
    tx: &mut PgConnection,
    tables: &[&str],
    beside: &[String],
) -> sqlx::Result<()> {
    let mut sql = String::new();
    for table in tables {
        let _ = write!(
            sql,
            "drop table public.{table};
             alter table {REPLACED_SCHEMA}.{table} set schema public;"
        );
    }
    for table in beside {
        let _ = write!(sql, "drop table {REPLACED_SCHEMA}.{table};");
    }
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(tx).await?;
    Ok(())
}
