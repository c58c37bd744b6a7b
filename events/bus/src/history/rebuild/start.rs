//! The beginning of an attempt: the content of a valid snapshot, or nothing.

use serde_json::{Value, json};
use sqlx::PgConnection;

use super::{Attempt, count};
use crate::{
    consume::snapshot::{schema_of, sequences_of},
    history::{
        ControlError, operations,
        projected_sequences::ProjectedSequences,
        projection::Projection,
        snapshots::{self, Snapshot, Unusable},
        tables,
    },
};

/// The content that an attempt began with.
pub(super) struct Start {
    /// The snapshot; none if the attempt reads from the first event.
    pub snapshot: Option<Snapshot>,
    /// The part of the report about it.
    pub report: Value,
}

impl Attempt<'_> {
    /// Fills the new tables from the snapshot if it is valid. Returns the projections that go on from there.
    pub(super) async fn start(&self) -> Result<(Vec<Projection<'_>>, Start), ControlError> {
        let pool = &self.control.pool;
        // All is read as of one moment: an account may be erased from the snapshot meanwhile.
        let begin = "begin isolation level repeatable read";
        let mut tx = tiffin_database::begin_with(pool, begin).await?;
        let start = match self.restore(&mut tx).await {
            Ok(snapshot) => {
                tx.commit().await?;
                let report = snapshot.report();
                let snapshot = Some(snapshot);
                Start { snapshot, report }
            }
            Err(reason) => {
                tx.rollback().await?;
                let report = json!({ "used": false, "reason": reason.to_string() });
                let snapshot = None;
                Start { snapshot, report }
            }
        };
        let snapshot = start.snapshot.as_ref();
        if self.spec["after"] != json!(snapshot.map(Snapshot::positions)) {
            let total = count(self.control, self.model, snapshot).await?;
            operations::save_total(pool, self.operation.id, total).await?;
        }
        let mut projections = Vec::new();
        let mut tx = tiffin_database::begin(pool).await?;
        for consumer in &self.model.consumers {
            let (projected, position) = match snapshot {
                Some(snapshot) => (
                    ProjectedSequences::found(self.schema, &consumer.name),
                    snapshot.position_of(consumer),
                ),
                None => (
                    ProjectedSequences::begin(&mut tx, self.schema, &consumer.name).await?,
                    0,
                ),
            };
            projections.push(Projection::new(&mut tx, consumer, position, projected).await?);
        }
        tx.commit().await?;
        Ok((projections, start))
    }

    /// Copies the snapshot's rows into the new tables, if it is valid.
    async fn restore(&self, tx: &mut PgConnection) -> Result<Snapshot, Unusable> {
        let from_first_event = self.spec["fromFirstEvent"] == true;
        let found = snapshots::usable(tx, self.control, self.model, from_first_event).await?;
        snapshots::check_rows(tx, self.model, &found).await?;
        let snapshot = schema_of(self.model.name());
        tables::lock(tx, self.schema, &self.model.tables).await?;
        for table in &self.model.tables {
            tables::copy_rows(tx, &snapshot, self.schema, table).await?;
        }
        for consumer in &self.model.consumers {
            ProjectedSequences::begin(tx, self.schema, &consumer.name).await?;
            let sequences = sequences_of(&consumer.name);
            tables::copy_rows(tx, &snapshot, self.schema, &sequences).await?;
        }
        Ok(found)
    }
}
