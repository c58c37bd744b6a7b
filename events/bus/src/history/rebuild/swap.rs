//! The swap: the new tables take the place of those that serve.

use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};

use super::{Attempt, compare::failures, pause_consumers, read_rest};
use crate::history::{
    Control, ControlError, OperationState, model::Model, operations,
    projected_sequences::ProjectedSequences, projection::Projection, tables,
};

impl Attempt<'_> {
    /// The last events and the swap, while no consumer of this service applies anything; with it the operation
    /// ends. All of it is done by the connection that holds the lock on the operation.
    pub(super) async fn finish(
        &self,
        lock_holder: &mut PgConnection,
        projections: &mut [Projection<'_>],
        mut report: Value,
    ) -> Result<Option<Value>, ControlError> {
        let mut tx = lock_holder.begin().await?;
        tables::lock(&mut tx, self.schema, &self.model.tables).await?;
        pause_consumers(&mut tx).await?;
        if !operations::is_under_way(&mut *tx, self.operation.id).await? {
            return Ok(None);
        }
        for projection in projections.iter_mut() {
            read_rest(self.control, projection, &mut tx).await?;
        }
        report["failures"] = json!(failures(&mut tx, projections).await?);
        for projection in projections.iter_mut() {
            projection.save_serving(&mut tx).await?;
        }
        swap(&mut tx, self.control, self.model, projections, self.schema).await?;
        let done = Some(report.clone());
        operations::end(&mut *tx, self.operation.id, OperationState::Done, done).await?;
        tx.commit().await?;
        Ok(Some(report))
    }
}

/// Puts the new tables in the place of the serving ones, which stay in schema `replaced`.
async fn swap(
    tx: &mut PgConnection,
    control: &Control,
    model: &Model<'_>,
    projections: &[Projection<'_>],
    schema: &str,
) -> Result<(), ControlError> {
    let names: Vec<String> = model.consumers.iter().map(|one| one.name.clone()).collect();
    let beside: Vec<String> = names
        .iter()
        .map(|name| ProjectedSequences::table_of(name))
        .collect();
    tables::replace(tx, schema, &model.tables, &beside).await?;
    let sequences: Vec<i64> = projections
        .iter()
        .map(|projection| i64::try_from(projection.resume_from()).unwrap_or(i64::MAX))
        .collect();
    sqlx::query!("delete from bus.replaced where consumer = any ($1)", &names)
        .execute(&mut *tx)
        .await?;
    sqlx::query!(
        "insert into bus.replaced (consumer, position, replaced_at)
         select consumer, position, $3 from unnest($1::text[], $2::bigint[]) as n (consumer, position)",
        &names,
        &sequences,
        control.clock.now(),
    )
    .execute(&mut *tx)
    .await?;
    Ok(())
}
