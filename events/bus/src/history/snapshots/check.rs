//! Validity of a snapshot. What is not valid is not used.

use std::{collections::BTreeSet, io};

use sqlx::PgConnection;
use tiffin_events::Stream;

use super::{Snapshot, program};
use crate::{
    BrokerError, Consumer,
    consume::snapshot::{schema_of, sequences_of},
    history::{Control, model::Model, tables::Fingerprint},
};

/// The reason why an operation reads from the first event.
#[derive(Debug, thiserror::Error)]
pub(in super::super) enum Unusable {
    #[error("the operator asked to read from the first event")]
    NotWanted,
    #[error("there is no snapshot")]
    None,
    #[error("the read model has other consumers or tables than its snapshot")]
    OtherModel,
    #[error("{0} has other columns than in the snapshot")]
    OtherColumns(String),
    #[error("another program took the snapshot, whose handlers may differ")]
    OtherProgram,
    #[error("{stream} has another history up to {position} than when the snapshot was taken")]
    OtherHistory { stream: Stream, position: u64 },
    #[error("the rows of {0} in the snapshot are not those that were recorded")]
    OtherRows(String),
    #[error("the program can't be read: {0}")]
    Program(#[from] io::Error),
    #[error("the history of the streams can't be read: {0}")]
    Broker(#[from] BrokerError),
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
}

/// The snapshot of a read model, if it is valid. The rows are not compared yet.
pub(in super::super) async fn usable(
    tx: &mut PgConnection,
    control: &Control,
    model: &Model<'_>,
    from_first_event: bool,
) -> Result<Snapshot, Unusable> {
    if from_first_event {
        return Err(Unusable::NotWanted);
    }
    let snapshot = Snapshot::find(tx, model).await?.ok_or(Unusable::None)?;
    if !is_of(&snapshot, model) {
        return Err(Unusable::OtherModel);
    }
    if snapshot.program != program::hash().await? {
        return Err(Unusable::OtherProgram);
    }
    let schema = schema_of(model.name());
    for table in &model.tables {
        if columns(tx, "public", table).await? != columns(tx, &schema, table).await? {
            return Err(Unusable::OtherColumns((*table).to_owned()));
        }
    }
    for mark in &snapshot.marks {
        if !mark.holds(&control.broker).await? {
            let (stream, position) = (mark.stream, mark.position);
            return Err(Unusable::OtherHistory { stream, position });
        }
    }
    Ok(snapshot)
}

/// Refuses a snapshot whose rows are not those that were recorded. Reads all of them.
pub(in super::super) async fn check_rows(
    tx: &mut PgConnection,
    model: &Model<'_>,
    snapshot: &Snapshot,
) -> Result<(), Unusable> {
    let schema = schema_of(model.name());
    for (table, recorded) in &snapshot.tables {
        if Fingerprint::of(tx, &schema, table).await? != *recorded {
            return Err(Unusable::OtherRows(table.clone()));
        }
    }
    Ok(())
}

/// True if the snapshot has the model's consumers with their streams, and its tables.
fn is_of(snapshot: &Snapshot, model: &Model<'_>) -> bool {
    let marks = snapshot.marks.iter();
    let recorded: BTreeSet<_> = marks
        .map(|mark| (mark.consumer.as_str(), mark.stream))
        .collect();
    let consumers = model.consumers.iter();
    let own: BTreeSet<_> = consumers
        .map(|one| (one.name.as_str(), one.stream))
        .collect();
    let tables: BTreeSet<_> = snapshot
        .tables
        .iter()
        .map(|(name, _)| name.clone())
        .collect();
    recorded == own && tables == tables_of(model).into_iter().collect()
}

/// The tables of a snapshot: those of the read model, and one for each consumer with the projected sequences.
pub(super) fn tables_of(model: &Model<'_>) -> Vec<String> {
    let tables = model.tables.iter().map(ToString::to_string);
    let consumers = model.consumers.iter();
    let sequences = consumers.map(|one: &&Consumer| sequences_of(&one.name));
    tables.chain(sequences).collect()
}

/// The columns of a table with their types, in order; `None` if it is not there.
async fn columns(tx: &mut PgConnection, schema: &str, table: &str) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar!(
        "select string_agg(format('%I %s %s %s', a.attname, format_type(a.atttypid, a.atttypmod),
                                  a.attnotnull, a.attgenerated), ', ' order by a.attnum)
         from pg_attribute a join pg_class c on c.oid = a.attrelid
         where c.relnamespace = to_regnamespace($1) and c.relname = $2
           and a.attnum > 0 and not a.attisdropped",
        schema,
        table,
    )
    .fetch_one(tx)
    .await
}
