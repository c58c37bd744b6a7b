//! Which rows a replay would change: the events are handled on copies of the service's tables, within
//! a transaction that is rolled back. Where the consumer has had them all, nothing is copied.

use serde_json::Value;
use sqlx::{AssertSqlSafe, PgConnection, Row};

use super::{
    Changes, Control, ControlError, RowChange, Selection, refused, replay,
    selection::{self, BATCH, Reader},
};
use crate::{
    Consumer, Received,
    apply::{self, Applied, version_of},
};

/// Rows that are told in full.
const SHOWN: usize = 200;
/// Events that may be new to the consumer; more are a rebuild's work.
const MOST: usize = 10_000;

pub(super) async fn run(
    control: &Control,
    consumer: &Consumer,
    selection: &Selection,
) -> Result<Changes, ControlError> {
    let (window, matched) = replay::freeze(control, consumer, selection).await?;
    let mut changes = Changes {
        matched,
        ..Changes::default()
    };
    if matched == 0 {
        return Ok(changes);
    }
    let new = read(control, consumer, &window, &mut changes).await?;
    if new.is_empty() {
        return Ok(changes);
    }
    let mut tx = control.pool.begin().await?;
    let tables = copy_tables(&mut tx).await?;
    for event in new {
        let mut step = sqlx::Connection::begin(&mut *tx).await?;
        let applied = consumer.apply_in(&mut step, &event).await;
        let kept = match applied {
            Ok(Applied::Now { .. }) => true,
            Ok(Applied::Before | Applied::Parked) => {
                changes.skipped += 1;
                false
            }
            Ok(Applied::Ahead { .. }) => {
                let before = event.envelope.sequence - 1;
                note(
                    &mut changes,
                    &event,
                    &format!("version {before} comes first"),
                );
                false
            }
            Err(reason) => {
                note(&mut changes, &event, &reason.to_string());
                false
            }
        };
        if kept {
            step.commit().await?;
        } else {
            step.rollback().await?;
        }
    }
    for table in tables {
        compare(&mut tx, &table, &mut changes).await?;
    }
    tx.rollback().await?;
    Ok(changes)
}

/// The events that the consumer has not handled.
async fn read(
    control: &Control,
    consumer: &Consumer,
    window: &Selection,
    changes: &mut Changes,
) -> Result<Vec<Received>, ControlError> {
    let subjects = selection::subjects(&consumer.subjects, window)?;
    let range = (window.from, window.to);
    let mut reader =
        Reader::open(&control.broker, consumer.stream, &subjects, range, BATCH).await?;
    let mut new = Vec::new();
    loop {
        let batch = reader.next(BATCH).await?;
        if batch.is_empty() {
            return Ok(new);
        }
        let mut events = Vec::with_capacity(batch.len());
        for message in batch {
            match message.read() {
                Ok(event) => events.push(event),
                Err(reason) => {
                    changes.failed += 1;
                    changes.failures.push(reason);
                }
            }
        }
        let aggregates = events.iter().map(|event| event.envelope.subject).collect();
        let reached = apply::reached(&control.pool, &consumer.name, aggregates).await?;
        for mut event in events {
            if event.envelope.sequence > version_of(&reached, event.envelope.subject) {
                event.replay = Some("dry run".into());
                new.push(event);
            } else {
                changes.skipped += 1;
            }
        }
        if new.len() > MOST {
            return refused(format!(
                "more than {MOST} events are new to {}",
                consumer.name
            ));
        }
    }
}

fn note(changes: &mut Changes, event: &Received, reason: &str) {
    changes.failed += 1;
    if changes.failures.len() < SHOWN {
        let place = event.stream_sequence;
        changes.failures.push(format!("{place}: {reason}"));
    }
}

/// Copies every table of the service into a schema that the transaction sees first.
async fn copy_tables(tx: &mut PgConnection) -> sqlx::Result<Vec<String>> {
    let tables = sqlx::query!(
        r#"select quote_ident(t.tablename::text) as "name!",
                  string_agg(quote_ident(a.attname::text), ', ') as "columns!"
         from pg_tables t join pg_attribute a
             on a.attrelid = format('%I.%I', t.schemaname, t.tablename)::regclass
             and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
         where t.schemaname = 'public' and t.tablename <> '_sqlx_migrations'
         group by t.tablename order by t.tablename"#
    )
    .fetch_all(&mut *tx)
    .await?;
    sqlx::raw_sql("create schema dry_run; set local search_path = dry_run, public")
        .execute(&mut *tx)
        .await?;
    for table in &tables {
        let (name, columns) = (&table.name, &table.columns);
        let copy = format!(
            "create table dry_run.{name} (like public.{name} including all);
             insert into dry_run.{name} ({columns}) overriding system value
             select {columns} from public.{name}"
        );
        sqlx::raw_sql(AssertSqlSafe(copy)).execute(&mut *tx).await?;
    }
    Ok(tables.into_iter().map(|table| table.name).collect())
}

/// The rows of a table that differ from their originals.
async fn compare(tx: &mut PgConnection, table: &str, changes: &mut Changes) -> sqlx::Result<()> {
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
         from (select *, true as there from public.{table}) row_before
         full join (select *, true as there from dry_run.{table}) row_after using ({key})
         where to_jsonb(row_before) is distinct from to_jsonb(row_after)"
    );
    for row in sqlx::query(AssertSqlSafe(differing))
        .fetch_all(&mut *tx)
        .await?
    {
        changes.rows += 1;
        if changes.changes.len() < SHOWN {
            changes.changes.push(RowChange {
                table: table.to_owned(),
                before: seen(row.try_get("before")?),
                after: seen(row.try_get("after")?),
            });
        }
    }
    Ok(())
}

/// A side of the comparison without its mark; `None` where the row is not there.
fn seen(side: Option<Value>) -> Option<Value> {
    let mut row = side?;
    let there = row.as_object_mut()?.remove("there")?;
    (there == Value::Bool(true)).then_some(row)
}
