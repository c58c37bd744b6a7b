//! Copies of a service's tables that a dry run works on. A table is copied once the dry run writes to it. Of a large
//! table only the rows are copied that contain an id of the events.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::Value;
use sqlx::{AssertSqlSafe, Connection, PgConnection, Row};
use uuid::Uuid;

use super::{Changes, ControlError, RowChange, refusal::Refusal};
use crate::Received;

/// The most rows of a table that is copied as a whole, and of those that a column may find in a larger one.
const MAX_WHOLE_ROWS: i64 = 10_000;
/// The time-out of a lock that another transaction has.
const LOCK_TIMEOUT: &str = "500ms";

/// The schema that the transaction sees before the serving one, and the one with the rows as they were.
const SCHEMAS: &str = "create schema dry_run; create schema dry_run_before;
     set local search_path = dry_run, public";

pub(super) struct TableCopies {
    /// The ids that the events contain.
    ids: Vec<Uuid>,
    /// The tables that are copied, and whether as a whole.
    copied: BTreeMap<String, bool>,
    /// The rows that the connection wrote before: PostgreSQL counts the last second's transactions together
    /// with this one.
    before: HashMap<String, i64>,
}

impl TableCopies {
    /// Has the transaction, which is to be rolled back, find copies before the service's own tables.
    pub(super) async fn open(
        tx: &mut PgConnection,
        events: &[Received],
    ) -> Result<Self, ControlError> {
        let counts =
            sqlx::query_scalar!(r#"select current_setting('track_counts')::bool as "on!""#)
                .fetch_one(&mut *tx)
                .await?;
        if !counts {
            return Err(Refusal::NoCounts.into());
        }
        let set = format!("{SCHEMAS}; set local lock_timeout = '{LOCK_TIMEOUT}'");
        sqlx::raw_sql(AssertSqlSafe(set)).execute(&mut *tx).await?;
        let ids: HashSet<Uuid> = events.iter().flat_map(ids_of).collect();
        Ok(Self {
            ids: ids.into_iter().collect(),
            copied: BTreeMap::new(),
            before: write_counts(tx).await?,
        })
    }

    /// Tables that the transaction has written to and that are not copied, also where it was undone.
    pub(super) async fn written(&self, tx: &mut PgConnection) -> sqlx::Result<Vec<String>> {
        let mut written = write_counts(tx).await?;
        written.retain(|table, count| {
            !self.copied.contains_key(table) && self.before.get(table) != Some(count)
        });
        Ok(written.into_keys().collect())
    }

    /// Copies a table that was written to, once that is undone.
    pub(super) async fn copy(&mut self, tx: &mut PgConnection, table: &str) -> sqlx::Result<()> {
        let columns = sqlx::query_scalar!(
            r#"select string_agg(quote_ident(attname::text), ', ') as "columns!" from pg_attribute
             where attrelid = ('public.' || $1)::regclass and attnum > 0
               and not attisdropped and attgenerated = ''"#,
            table,
        )
        .fetch_one(&mut *tx)
        .await?;
        let is_whole = self.is_small(tx, table, "true").await?;
        let chosen = if is_whole {
            "true".to_owned()
        } else {
            self.condition(tx, table).await?
        };
        let make = format!(
            "create table dry_run.{table} (like public.{table} including all);
             create table dry_run_before.{table} (like public.{table})"
        );
        sqlx::raw_sql(AssertSqlSafe(make)).execute(&mut *tx).await?;
        let fill = format!(
            "with kept as (
                insert into dry_run.{table} ({columns}) overriding system value
                select {columns} from public.{table} where {chosen} returning *
             )
             insert into dry_run_before.{table} select * from kept"
        );
        let fill = sqlx::query(AssertSqlSafe(fill));
        fill.bind(&self.ids).execute(&mut *tx).await?;
        // Statements that are prepared go on naming the table that they found first.
        tx.clear_cached_statements().await?;
        self.copied.insert(table.to_owned(), is_whole);
        Ok(())
    }

    /// True if at most [`MAX_WHOLE_ROWS`] rows of a table match the condition.
    async fn is_small(
        &self,
        tx: &mut PgConnection,
        table: &str,
        condition: &str,
    ) -> sqlx::Result<bool> {
        let count = format!(
            "select count(*) <= $2 from (select from public.{table} where {condition} limit $2 + 1) found"
        );
        let count = sqlx::query_scalar(AssertSqlSafe(count));
        count
            .bind(&self.ids)
            .bind(MAX_WHOLE_ROWS)
            .fetch_one(tx)
            .await
    }

    /// The condition that a row contains an id of the events, in a column by which few rows match.
    async fn condition(&self, tx: &mut PgConnection, table: &str) -> sqlx::Result<String> {
        let columns = sqlx::query_scalar!(
            r#"select quote_ident(attname::text) as "name!" from pg_attribute
             where attrelid = ('public.' || $1)::regclass and attnum > 0 and not attisdropped
               and atttypid = 'uuid'::regtype order by attnum"#,
            table,
        )
        .fetch_all(&mut *tx)
        .await?;
        let mut any = vec!["false".to_owned()];
        for column in columns {
            let condition = format!("{column} = any ($1)");
            if self.is_small(tx, table, &condition).await? {
                any.push(condition);
            }
        }
        Ok(any.join(" or "))
    }

    /// Adds the rows that differ from before to the changes, at most `shown` of them in full.
    pub(super) async fn compare(
        self,
        tx: &mut PgConnection,
        changes: &mut Changes,
        shown: usize,
    ) -> sqlx::Result<()> {
        for (table, is_whole) in self.copied {
            if !is_whole && changes.failures.len() < shown {
                changes.failures.push(format!(
                    "{table} is large: only rows that contain an id of the events are compared"
                ));
            }
            compare(tx, &table, changes, shown).await?;
        }
        Ok(())
    }
}

/// The number of rows of each table that the connection has written and PostgreSQL has not summed up yet.
async fn write_counts(tx: &mut PgConnection) -> sqlx::Result<HashMap<String, i64>> {
    let rows = sqlx::query!(
        r#"select quote_ident(relname::text) as "name!", n_tup_ins + n_tup_upd + n_tup_del as "count!"
         from pg_stat_xact_user_tables
         where schemaname = 'public' and n_tup_ins + n_tup_upd + n_tup_del > 0"#
    )
    .fetch_all(tx)
    .await?;
    Ok(rows.into_iter().map(|row| (row.name, row.count)).collect())
}

async fn compare(
    tx: &mut PgConnection,
    table: &str,
    changes: &mut Changes,
    shown: usize,
) -> sqlx::Result<()> {
    let key = sqlx::query_scalar!(
        r#"select string_agg(quote_ident(a.attname::text), ', ') as "key"
         from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
         where i.indisprimary and i.indrelid = ('public.' || $1)::regclass"#,
        table,
    )
    .fetch_one(&mut *tx)
    .await?;
    let Some(key) = key else { return Ok(()) };
    let differing = format!(
        "select to_jsonb(row_before) as before, to_jsonb(row_after) as after
         from (select *, true as there from dry_run_before.{table}) row_before
         full join (select *, true as there from dry_run.{table}) row_after using ({key})
         where to_jsonb(row_before) is distinct from to_jsonb(row_after)"
    );
    for row in sqlx::query(AssertSqlSafe(differing))
        .fetch_all(&mut *tx)
        .await?
    {
        changes.rows += 1;
        if changes.changes.len() < shown {
            changes.changes.push(RowChange {
                table: table.to_owned(),
                before: without_mark(row.try_get("before")?),
                after: without_mark(row.try_get("after")?),
            });
        }
    }
    Ok(())
}

/// A side of the comparison without its mark; `None` where the row is not there.
fn without_mark(side: Option<Value>) -> Option<Value> {
    let mut row = side?;
    let there = row.as_object_mut()?.remove("there")?;
    (there == Value::Bool(true)).then_some(row)
}

/// Every id in an event: its own, its aggregate's, and those in its payload.
fn ids_of(event: &Received) -> Vec<Uuid> {
    let envelope = &event.envelope;
    let payload = envelope.data.get().split('"');
    let mut ids: Vec<Uuid> = payload.filter_map(|part| part.parse().ok()).collect();
    ids.extend([envelope.id, envelope.subject]);
    ids
}
