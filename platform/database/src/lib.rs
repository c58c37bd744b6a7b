//! Transactions that a cancelled caller can't leave open.
//!
//! sqlx 0.9.0 forgets a `begin` whose caller goes away while the server answers, as the handler of a request does when
//! its client disconnects: the connection goes back to the pool inside an open transaction. What others do on it is
//! then not committed, whatever they are answered. (sqlx issues 4385 and 4393; fixed there after 0.9.0.)

mod persons;
#[cfg(test)]
mod tests;

use std::panic::resume_unwind;

use sqlx::{PgPool, Postgres, SqlSafeStr, Transaction};
use tracing::Instrument;

pub use persons::{keep_from_erasure, lock_for_erasure};

type Begun = sqlx::Result<Transaction<'static, Postgres>>;

/// Begins a transaction, which is rolled back if the caller is cancelled at any moment.
pub async fn begin(pool: &PgPool) -> Begun {
    begin_with(pool, "begin").await
}

/// Begins a transaction as [`begin`] does, with a statement that may do more than begin it.
pub async fn begin_with(pool: &PgPool, statement: impl SqlSafeStr) -> Begun {
    let (pool, statement) = (pool.clone(), statement.into_sql_str());
    // A task goes on when the caller is cancelled, and drops the transaction that it began.
    #[expect(clippy::disallowed_methods, reason = "it is not cancelled here")]
    let task = async move { pool.begin_with(statement).await };
    match tokio::spawn(task.in_current_span()).await {
        Ok(result) => result,
        Err(error) if error.is_panic() => resume_unwind(error.into_panic()),
        // The process ends.
        Err(_) => Err(sqlx::Error::PoolClosed),
    }
}
