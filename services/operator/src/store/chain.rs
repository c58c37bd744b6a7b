//! The end of the audit's chain.

use serde_json::Value;
use sqlx::PgConnection;

/// The last event of the chain: its number, 0 before the first, and its hash.
#[derive(Debug)]
pub struct ChainEnd {
    pub number: i64,
    pub hash: Option<String>,
}

/// Reads the end and locks it until the transaction ends.
pub async fn lock(tx: &mut PgConnection) -> sqlx::Result<ChainEnd> {
    sqlx::query_as!(ChainEnd, "select number, hash from chain for update")
        .fetch_one(tx)
        .await
}

/// Reads the current end without a lock.
pub async fn end(tx: &mut PgConnection) -> sqlx::Result<ChainEnd> {
    sqlx::query_as!(ChainEnd, "select number, hash from chain")
        .fetch_one(tx)
        .await
}

pub async fn set_end(tx: &mut PgConnection, number: i64, hash: &str) -> sqlx::Result<()> {
    sqlx::query!("update chain set number = $1, hash = $2", number, hash)
        .execute(tx)
        .await?;
    Ok(())
}

/// All operations' events that were ever appended to the outbox, in order. None leaves it: OPERATIONS is not archived.
pub async fn appended(tx: &mut PgConnection) -> Result<Vec<Value>, crate::Error> {
    let bodies = sqlx::query_scalar!(
        "select body from bus.outbox where subject like 'tiffin.operation.%' order by id",
    )
    .fetch_all(tx)
    .await?;
    let events = bodies.iter().map(|body| serde_json::from_str(body));
    Ok(events.collect::<serde_json::Result<_>>()?)
}

/// The operations' events that are not published yet, in the order in which the broker gets them.
pub async fn unpublished(tx: &mut PgConnection) -> Result<Vec<Value>, crate::Error> {
    let bodies = sqlx::query_scalar!(
        "select body from bus.outbox
         where published_at is null and subject like 'tiffin.operation.%' order by id",
    )
    .fetch_all(tx)
    .await?;
    let events = bodies.iter().map(|body| serde_json::from_str(body));
    Ok(events.collect::<serde_json::Result<_>>()?)
}
