//! Erasure of accounts in copies of read models: those that a rebuild replaced, and snapshots. Like the read models in
//! use, they keep nothing personal of a closed account.

use std::slice;

use sqlx::{Connection, PgConnection};
use tiffin_events::subject::Subject;

use super::{received::StoredMessage, replaced, snapshot};
use crate::{Consumer, Failure, Received};

/// The mark of events that a dry run handles. Its transaction is rolled back.
pub(crate) const DRY_RUN: &str = "dry run";

/// The prefix of event types that end an account.
const ACCOUNT_END: &str = "tiffin.user.deleted.";

/// True if a message ends an account.
pub(crate) fn ends_account(message: &StoredMessage) -> bool {
    Subject::parse(&message.subject)
        .is_some_and(|subject| subject.aggregate == "user" && subject.event == "deleted")
}

/// Applies an event that ends an account to the copies of the consumer's read model, in the transaction in which it
/// takes effect.
pub(crate) async fn erase_account(
    tx: &mut PgConnection,
    consumer: &Consumer,
    event: &Received,
) -> Result<(), Failure> {
    let is_dry_run = event.replay.as_deref() == Some(DRY_RUN);
    if consumer.tables.is_empty() || is_dry_run || !event.envelope.kind.starts_with(ACCOUNT_END) {
        return Ok(());
    }
    replaced::erase_account(tx, consumer, event).await?;
    snapshot::erase_account(tx, consumer, event).await
}

/// Has a consumer project an event to the tables of a schema.
pub(super) async fn project_in(
    tx: &mut PgConnection,
    schema: &str,
    consumer: &Consumer,
    event: &Received,
) -> Result<(), Failure> {
    let mut step = tx.begin().await?;
    let serving = sqlx::query_scalar!(r#"select current_setting('search_path') as "path!""#)
        .fetch_one(&mut *step)
        .await?;
    set_search_path(&mut step, &format!("{schema}, public")).await?;
    match consumer.project(&mut step, slice::from_ref(event)).await {
        Ok(()) => {
            set_search_path(&mut step, &serving).await?;
            step.commit().await?;
            Ok(())
        }
        Err(failure) => {
            step.rollback().await?;
            Err(failure)
        }
    }
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
