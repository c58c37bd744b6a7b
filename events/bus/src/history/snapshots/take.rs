//! Taking a snapshot: the tables that a rebuild has filled up to the end of the archive are copied in one transaction.

use std::io;

use sqlx::{AssertSqlSafe, PgConnection};
use tiffin_events::Stream;

use super::{
    Mark,
    check::{Unusable, check_rows, tables_of, usable},
    program,
};
use crate::{
    BrokerError,
    broker::in_sql,
    consume::{erase_account::ends_account, snapshot, stream_reader},
    fault,
    history::{
        Control, ControlError,
        model::Model,
        projection::Projection,
        rebuild,
        tables::{self, Fingerprint},
    },
};

/// The reason why no snapshot was taken. The operation goes on.
#[derive(Debug, thiserror::Error)]
pub(in super::super) enum NotTaken {
    #[error("{consumer} has events that wait, or that failed")]
    Unsettled { consumer: String },
    #[error("an account was closed meanwhile")]
    AccountClosed,
    #[error("the program can't be read: {0}")]
    Program(#[from] io::Error),
    #[error("broker: {0}")]
    Broker(#[from] BrokerError),
    #[error(transparent)]
    Control(#[from] ControlError),
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
}

/// True if the snapshot is valid, ends at these marks and has the content of the tables in `schema`: a new one would be
/// the same.
pub(in super::super) async fn is_same(
    control: &Control,
    model: &Model<'_>,
    marks: &[Mark],
    schema: &str,
) -> Result<bool, Unusable> {
    let begin = "begin isolation level repeatable read, read only";
    let mut tx = tiffin_database::begin_with(&control.pool, begin).await?;
    let found = usable(&mut tx, control, model, false).await?;
    if !marks.iter().all(|mark| found.marks.contains(mark)) {
        return Ok(false);
    }
    for (table, recorded) in &found.tables {
        if Fingerprint::of(&mut tx, schema, table).await? != *recorded {
            return Ok(false);
        }
    }
    check_rows(&mut tx, model, &found).await?;
    tx.commit().await?;
    Ok(true)
}

/// Copies the tables that an attempt has filled in `schema` into a new snapshot, which replaces the older one.
pub(in super::super) async fn take(
    control: &Control,
    model: &Model<'_>,
    projections: &[Projection<'_>],
    marks: &[Mark],
    schema: &str,
) -> Result<(), NotTaken> {
    if let Some(one) = projections.iter().find(|one| !one.is_settled()) {
        let consumer = one.consumer.name.clone();
        return Err(NotTaken::Unsettled { consumer });
    }
    let program = program::hash().await?;
    let mut tx = tiffin_database::begin(&control.pool).await?;
    tables::lock(&mut tx, schema, &model.tables).await?;
    let copy = format!("{schema}_snapshot");
    copy_tables(&mut tx, model, schema, &copy).await?;
    let contents = contents(&mut tx, model, &copy).await?;
    fault::point(model.name(), "before_snapshot_record").await;
    // An event that ended an account by now had no effect on the copy, and later ones have. The lock comes before any on
    // the older snapshot, as it does where an account is erased.
    rebuild::pause_consumers(&mut tx).await?;
    if is_account_closed(control, projections).await? {
        return Err(NotTaken::AccountClosed);
    }
    for consumer in &model.consumers {
        for older in snapshot::models_of(&mut tx, &consumer.name).await? {
            snapshot::drop(&mut tx, &older).await?;
        }
    }
    let name = snapshot::schema_of(model.name());
    let rename =
        format!("drop schema if exists {name} cascade; alter schema {copy} rename to {name}");
    sqlx::raw_sql(AssertSqlSafe(rename))
        .execute(&mut *tx)
        .await?;
    record(&mut tx, control, model, marks, &program).await?;
    record_contents(&mut tx, model, contents).await?;
    tx.commit().await?;
    Ok(())
}

/// Copies the tables with their indexes. Triggers keep their record right while an account is erased.
async fn copy_tables(
    tx: &mut PgConnection,
    model: &Model<'_>,
    schema: &str,
    copy: &str,
) -> Result<(), ControlError> {
    tables::create(tx, copy, &model.tables).await?;
    for consumer in &model.consumers {
        let sequences = snapshot::sequences_of(&consumer.name);
        let make =
            format!("create table {copy}.{sequences} (like {schema}.{sequences} including all)");
        sqlx::raw_sql(AssertSqlSafe(make)).execute(&mut *tx).await?;
    }
    for table in tables_of(model) {
        tables::copy_rows(tx, schema, copy, &table).await?;
        let follow = format!(
            "create trigger follow_insert after insert on {copy}.{table} referencing new table as new_rows
                 for each statement execute function bus.follow_erasure();
             create trigger follow_update after update on {copy}.{table}
                 referencing old table as old_rows new table as new_rows
                 for each statement execute function bus.follow_erasure();
             create trigger follow_delete after delete on {copy}.{table} referencing old table as old_rows
                 for each statement execute function bus.follow_erasure();"
        );
        sqlx::raw_sql(AssertSqlSafe(follow))
            .execute(&mut *tx)
            .await?;
    }
    tables::create_indexes(tx, copy, &model.tables).await?;
    Ok(())
}

/// The content of a table: the number of rows and the sum of their hashes.
struct Content {
    table: String,
    rows: i64,
    sum: String,
}

async fn contents(
    tx: &mut PgConnection,
    model: &Model<'_>,
    schema: &str,
) -> sqlx::Result<Vec<Content>> {
    let mut contents = Vec::new();
    for table in tables_of(model) {
        let (rows, sum) = tables::sum_of(tx, schema, &table).await?;
        contents.push(Content { table, rows, sum });
    }
    Ok(contents)
}

/// True if an account was closed after the position of a projection.
async fn is_account_closed(
    control: &Control,
    projections: &[Projection<'_>],
) -> Result<bool, BrokerError> {
    for projection in projections {
        if projection.consumer.stream != Stream::Users {
            continue;
        }
        let last = stream_reader::last(&control.broker, Stream::Users).await?;
        let mut reader = rebuild::read_from_position(control, projection, last).await?;
        loop {
            let messages = reader.next(rebuild::ROUND).await?;
            if messages.iter().any(ends_account) {
                return Ok(true);
            }
            if messages.is_empty() {
                break;
            }
        }
    }
    Ok(false)
}

/// Records the positions.
async fn record(
    tx: &mut PgConnection,
    control: &Control,
    model: &Model<'_>,
    marks: &[Mark],
    program: &str,
) -> sqlx::Result<()> {
    for mark in marks {
        sqlx::query!(
            "insert into bus.snapshots (model, consumer, stream, position, history, program, taken_at)
             values ($1, $2, $3, $4, $5, $6, $7)",
            model.name(),
            mark.consumer,
            mark.stream.name(),
            in_sql(mark.position),
            mark.history,
            program,
            control.clock.now(),
        )
        .execute(&mut *tx)
        .await?;
    }
    Ok(())
}

/// Records the content of the tables.
async fn record_contents(
    tx: &mut PgConnection,
    model: &Model<'_>,
    contents: Vec<Content>,
) -> sqlx::Result<()> {
    for Content { table, rows, sum } in contents {
        sqlx::query!(
            "insert into bus.snapshot_tables (model, name, rows, hash)
             values ($1, $2, $3, ($4::text)::numeric)",
            model.name(),
            table,
            rows,
            sum,
        )
        .execute(&mut *tx)
        .await?;
    }
    Ok(())
}
