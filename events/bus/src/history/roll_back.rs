//! Going back to the read model that the last rebuild replaced: what its consumers handled since is
//! projected onto it, and it is put back in use, all in one transaction. Nothing is handled again.

use uuid::Uuid;

use super::{
    Control, ControlError, model::Model, operations, projected_sequences::ProjectedSequences,
    projection::Projection, rebuild, refusal::Refusal, tables,
};
use crate::{Consumer, consume::replaced::REPLACED_SCHEMA};

pub(super) async fn run(control: &Control, consumer: &Consumer) -> Result<(), ControlError> {
    let model = Model::of(&control.consumers, consumer)?;
    let names: Vec<String> = model.consumers.iter().map(|one| one.name.clone()).collect();
    for name in &names {
        operations::none_under_way(&control.pool, name, Uuid::nil()).await?;
    }
    let mut tx = tiffin_database::begin(&control.pool).await?;
    tables::set_search_path(&mut tx, REPLACED_SCHEMA).await?;
    sqlx::query!("lock table bus.reached in exclusive mode")
        .execute(&mut *tx)
        .await?;
    let replaced = sqlx::query!(
        "delete from bus.replaced where consumer = any ($1) returning consumer, position",
        &names,
    )
    .fetch_all(&mut *tx)
    .await?;
    if replaced.is_empty() {
        return Err(Refusal::NothingReplaced.into());
    }
    let mut beside = Vec::new();
    for row in replaced {
        let consumer = control.consumer(&row.consumer)?;
        let projected = ProjectedSequences::found(REPLACED_SCHEMA, &consumer.name);
        let position = u64::try_from(row.position).unwrap_or_default();
        let mut projection = Projection::new(&mut tx, consumer, position, projected).await?;
        rebuild::read_rest(control, &mut projection, &mut tx).await?;
        beside.push(ProjectedSequences::table_of(&consumer.name));
    }
    tables::restore(&mut tx, &model.tables, &beside).await?;
    tx.commit().await?;
    Ok(())
}
