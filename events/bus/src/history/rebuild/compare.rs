//! The comparison of the new tables with those that serve.

use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};

use super::{Attempt, pause_consumers, read_rest};
use crate::history::{
    ControlError, MAX_REASONS,
    projection::Projection,
    tables::{self, Fingerprint},
};

impl Attempt<'_> {
    /// Brings the new tables exactly as far as those that serve and says how they differ. Consumers are
    /// paused until the compared moment is fixed, and go on while the tables are read.
    pub(super) async fn compare(
        &self,
        lock_holder: &mut PgConnection,
        projections: &mut [Projection<'_>],
    ) -> Result<Value, ControlError> {
        // Taken first: paused consumers may have all others.
        let mut reader = self.control.pool.acquire().await?;
        // A transaction that is cancelled while it begins stays open.
        reader.close_on_drop();
        let mut pause = lock_holder.begin().await?;
        pause_consumers(&mut pause).await?;
        let mut tx = reader.begin().await?;
        tables::lock(&mut tx, self.schema, &self.model.tables).await?;
        for projection in projections.iter_mut() {
            read_rest(self.control, projection, &mut tx).await?;
        }
        tx.commit().await?;
        let mut moment = reader
            .begin_with("begin isolation level repeatable read, read only")
            .await?;
        // The first query fixes what the others see.
        tables::lock(&mut moment, self.schema, &self.model.tables).await?;
        let failures = failures(&mut moment, projections).await?;
        pause.rollback().await?;
        let mut compared = Vec::new();
        for table in &self.model.tables {
            let serving = Fingerprint::of(&mut moment, "public", table).await?;
            let rebuilt = Fingerprint::of(&mut moment, self.schema, table).await?;
            compared.push((*table, serving, rebuilt));
        }
        moment.rollback().await?;
        let equal = compared
            .iter()
            .all(|(_, serving, rebuilt)| serving == rebuilt);
        let tables: Vec<Value> = compared
            .iter()
            .map(|(table, serving, rebuilt)| {
                json!({
                    "table": table, "equal": serving == rebuilt,
                    "servingRows": serving.rows, "rebuiltRows": rebuilt.rows,
                    "servingHash": serving.hash, "rebuiltHash": rebuilt.hash,
                })
            })
            .collect();
        let behind: usize = projections.iter().map(Projection::behind).sum();
        let one_by_one: usize = projections.iter().map(Projection::one_by_one).sum();
        Ok(json!({
            "equal": equal, "tables": tables, "failures": failures,
            // Aggregates with events that the serving consumer has yet to handle.
            "servingWasBehindBy": behind,
            // Events that could not be projected together with others, which is many times slower.
            "projectedOneByOne": one_by_one,
        }))
    }
}

/// The events that could not be projected, here or by the serving consumer before.
pub(super) async fn failures(
    tx: &mut PgConnection,
    projections: &[Projection<'_>],
) -> sqlx::Result<Vec<String>> {
    let mut failures = Vec::new();
    for projection in projections {
        let name = &projection.consumer.name;
        let blocked = sqlx::query!(
            "select aggregate, reason from bus.blocked where consumer = $1 order by blocked_at",
            name
        )
        .fetch_all(&mut *tx)
        .await?;
        let blocked = blocked
            .iter()
            .map(|row| (row.aggregate, row.reason.as_str()));
        let all = blocked.chain(projection.failures());
        failures.extend(all.map(|(aggregate, reason)| format!("{name}, {aggregate}: {reason}")));
    }
    failures.truncate(MAX_REASONS);
    Ok(failures)
}
