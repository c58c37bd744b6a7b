//! Erasure of accounts in read models that a rebuild replaced. Only an operator who rolls back reads them again.
//! Like those in use, they keep nothing personal of a closed account.

use std::slice;

use sqlx::{Connection, PgConnection};
use tracing::warn;

use crate::{Consumer, Failure, Received};

/// The schema of tables that a rebuild replaced.
pub(crate) const REPLACED_SCHEMA: &str = "replaced";

/// The prefix of event types that end an account.
const ACCOUNT_END: &str = "tiffin.user.deleted.";

/// Applies an event that ends an account to the tables that the last rebuild replaced, in the transaction
/// in which it takes effect. If a migration has changed the tables in use since, so that these can't take
/// it, they are dropped.
pub(crate) async fn erase_account(
    tx: &mut PgConnection,
    consumer: &Consumer,
    event: &Received,
) -> Result<(), Failure> {
    if consumer.tables.is_empty() || !event.envelope.kind.starts_with(ACCOUNT_END) {
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
    set_search_path(&mut step, &format!("{REPLACED_SCHEMA}, public")).await?;
    match consumer.project(&mut step, slice::from_ref(event)).await {
        Ok(()) => {
            set_search_path(&mut step, &serving).await?;
            step.commit().await?;
        }
        Err(failure) => {
            step.rollback().await?;
            warn!(consumer = consumer.name, %failure, "an account can't be erased from the replaced read models; they are dropped");
            drop_all(tx).await?;
        }
    }
    Ok(())
}

/// Has the transaction search these schemas for tables.
async fn set_search_path(tx: &mut PgConnection, schemas: &str) -> sqlx::Result<()> {
    sqlx::query!(
        r#"select set_config('search_path', $1, true) as "set!""#,
        schemas
    )
    .fetch_one(tx)
    .await?;
    Ok(())
}

/// Drops every replaced table of this service. A rollback is impossible from then on.
async fn drop_all(tx: &mut PgConnection) -> sqlx::Result<()> {
    let sql = "drop schema if exists replaced cascade; delete from bus.replaced";
    sqlx::raw_sql(sql).execute(tx).await?;
    Ok(())
}
