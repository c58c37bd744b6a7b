//! Read models that a rebuild replaced. Only an operator who rolls back reads them again.

use sqlx::PgConnection;
use tracing::warn;

use super::erase_account::project_in;
use crate::{Consumer, Failure, Received};

/// The schema of tables that a rebuild replaced.
pub(crate) const REPLACED_SCHEMA: &str = "replaced";

/// Erases an account from the tables that the last rebuild replaced. If a migration has changed the tables in use
/// since, so that these can't take the event, they are dropped.
pub(super) async fn erase_account(
    tx: &mut PgConnection,
    consumer: &Consumer,
    event: &Received,
) -> Result<(), Failure> {
    let are_kept = sqlx::query_scalar!(
        r#"select exists (select from bus.replaced where consumer = $1) as "are_kept!""#,
        consumer.name,
    )
    .fetch_one(&mut *tx)
    .await?;
    if !are_kept {
        return Ok(());
    }
    if let Err(failure) = project_in(tx, REPLACED_SCHEMA, consumer, event).await {
        warn!(consumer = consumer.name, %failure, "an account can't be erased from the replaced read models; they are dropped");
        drop_all(tx).await?;
    }
    Ok(())
}

/// Drops every replaced table of this service. A rollback is impossible from then on.
async fn drop_all(tx: &mut PgConnection) -> sqlx::Result<()> {
    let sql = "drop schema if exists replaced cascade; delete from bus.replaced";
    sqlx::raw_sql(sql).execute(tx).await?;
    Ok(())
}
