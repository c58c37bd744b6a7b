//! The tables of snapshots, from which rebuilds start, and the erasure of accounts in them.

use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tracing::warn;

use super::erase_account::project_in;
use crate::{Consumer, Failure, Received};

/// The schema of a read model's snapshot.
pub(crate) fn schema_of(model: &str) -> String {
    format!("snapshot_{}", model.to_ascii_lowercase())
}

/// The name of the table with the last sequence of each aggregate that is projected for a consumer, without its schema.
pub(crate) fn sequences_of(consumer: &str) -> String {
    format!("reached_by_{}", consumer.to_ascii_lowercase())
}

/// The read models that a consumer writes to and that have a snapshot: after a release changed which tables are
/// shared, one by the earlier name, too.
pub(crate) async fn models_of(tx: &mut PgConnection, consumer: &str) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar!(
        "select model from bus.snapshots where consumer = $1 order by model",
        consumer
    )
    .fetch_all(tx)
    .await
}

/// Drops the snapshot of a read model.
pub(crate) async fn drop(tx: &mut PgConnection, model: &str) -> sqlx::Result<()> {
    let schema = schema_of(model);
    let drop = format!("drop schema if exists {schema} cascade");
    sqlx::raw_sql(AssertSqlSafe(drop)).execute(&mut *tx).await?;
    sqlx::query!("delete from bus.snapshots where model = $1", model)
        .execute(&mut *tx)
        .await?;
    sqlx::query!("delete from bus.snapshot_tables where model = $1", model)
        .execute(tx)
        .await?;
    Ok(())
}

/// Drops the snapshots with events of a consumer's stream beyond a stream sequence: the stream was lost, and its events
/// come again with other ones.
pub(crate) async fn drop_beyond(
    tx: &mut PgConnection,
    consumer: &str,
    last: i64,
) -> sqlx::Result<()> {
    let models = sqlx::query_scalar!(
        "select model from bus.snapshots where consumer = $1 and position > $2",
        consumer,
        last
    )
    .fetch_all(&mut *tx)
    .await?;
    for model in models {
        drop(tx, &model).await?;
    }
    Ok(())
}

/// Erases an account from the snapshots of the consumer's read model. One whose tables can't take the event is dropped.
pub(super) async fn erase_account(
    tx: &mut PgConnection,
    consumer: &Consumer,
    event: &Received,
) -> Result<(), Failure> {
    for model in models_of(tx, &consumer.name).await? {
        let mut step = tx.begin().await?;
        let schema = schema_of(&model);
        match erase_from(&mut step, &schema, consumer, event).await {
            Ok(()) => step.commit().await?,
            Err(failure) => {
                step.rollback().await?;
                warn!(consumer = consumer.name, %failure, "an account can't be erased from the snapshot of the read model; it is dropped");
                drop(tx, &model).await?;
            }
        }
    }
    Ok(())
}

/// Applies the event if the snapshot does not have it. The record of its tables follows.
async fn erase_from(
    tx: &mut PgConnection,
    schema: &str,
    consumer: &Consumer,
    event: &Received,
) -> Result<(), Failure> {
    follow_erasure(tx, true).await?;
    let sequences = sequences_of(&consumer.name);
    let reach = format!(
        "insert into {schema}.{sequences} as s (aggregate, sequence) values ($1, $2)
         on conflict (aggregate) do update set sequence = excluded.sequence
         where s.sequence < excluded.sequence"
    );
    let reached = sqlx::query(AssertSqlSafe(reach))
        .bind(event.envelope.subject)
        .bind(event.envelope.sequence)
        .execute(&mut *tx)
        .await?;
    if reached.rows_affected() > 0 {
        project_in(tx, schema, consumer, event).await?;
    }
    follow_erasure(tx, false).await?;
    Ok(())
}

/// Has the triggers of snapshots keep their record right, or leave it as it is.
async fn follow_erasure(tx: &mut PgConnection, on: bool) -> sqlx::Result<()> {
    sqlx::query!(
        r#"select set_config('bus.erasing', $1, true) as "set!""#,
        if on { "on" } else { "off" },
    )
    .fetch_one(tx)
    .await?;
    Ok(())
}
