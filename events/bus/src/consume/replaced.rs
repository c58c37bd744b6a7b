//! Erasure in read models that a rebuild replaced. Only an operator who rolls back reads them again. They
//! keep as little of a closed account as those in use, which is nothing personal.

use std::slice;

use sqlx::{Connection, PgConnection};
use tracing::warn;

use crate::{Consumer, Failure, Received};

/// The schema of tables that a rebuild replaced.
pub(crate) const REPLACED: &str = "replaced";

/// The prefix of event types that end an account.
const FORGETTING: &str = "tiffin.user.deleted.";

/// Applies an event that ends an account to the tables that the last rebuild replaced, in the transaction
/// in which it takes effect. If a migration has changed the tables in use since, so that these can't take
/// it, they are dropped.
pub(crate) async fn forget(
    tx: &mut PgConnection,
    consumer: &Consumer,
    event: &Received,
) -> Result<(), Failure> {
    if consumer.tables.is_empty() || !event.envelope.kind.starts_with(FORGETTING) {
        return Ok(());
    }
    let are_kept = sqlx::query_scalar!(
        r#"select exists (select from bus.replaced where consumer = $1) as "are_kept!""#,
        consumer.name,
    )
    .fetch_one(&mut *tx)
    .await?;
    if !are_kept {
        return Ok(());
    }
    let mut step = tx.begin().await?;
    let serving = sqlx::query_scalar!(r#"select current_setting('search_path') as "path!""#)
        .fetch_one(&mut *step)
        .await?;
    set_path(&mut step, &format!("{REPLACED}, public")).await?;
    match consumer.project(&mut step, slice::from_ref(event)).await {
        Ok(()) => {
            set_path(&mut step, &serving).await?;
            step.commit().await?;
        }
        Err(failure) => {
            step.rollback().await?;
            warn!(consumer = consumer.name, %failure, "the replaced read models can't forget, and go");
            drop_all(tx).await?;
        }
    }
    Ok(())
}

/// Has tables looked for in these schemas until the transaction ends.
async fn set_path(tx: &mut PgConnection, schemas: &str) -> sqlx::Result<()> {
    sqlx::query!(
        r#"select set_config('search_path', $1, true) as "set!""#,
        schemas
    )
    .fetch_one(tx)
    .await?;
    Ok(())
}

/// Drops every replaced table of this service: there is nothing to go back to any more.
async fn drop_all(tx: &mut PgConnection) -> sqlx::Result<()> {
    let sql = "drop schema if exists replaced cascade; delete from bus.replaced";
    sqlx::raw_sql(sql).execute(tx).await?;
    Ok(())
}
