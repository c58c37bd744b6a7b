//! The consumers of the event log: they copy every stream of history, one statement a batch.

use futures_util::future::BoxFuture;
use sqlx::PgConnection;
use tiffin_bus::{BatchConsumer, BatchHandler, Failure, Received};
use tiffin_events::Stream;
use uuid::Uuid;

use crate::{NAME, State, store::events};

/// The service's batched consumers: `operator_ORDERS`, `operator_USERS` and so on.
pub fn batches(state: &State) -> Vec<BatchConsumer> {
    Stream::ALL
        .into_iter()
        .filter(|stream| stream.is_history())
        .map(|stream| {
            BatchConsumer::new(NAME, stream, state.pool.clone(), LogHandler(stream))
                .from_the_first()
        })
        .collect()
}

/// Copies a stream's events.
struct LogHandler(Stream);

impl BatchHandler for LogHandler {
    fn handle<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        batch: &'a [Received],
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(copy(tx, self.0, batch))
    }
}

/// Copies a stream's events into the log.
pub async fn copy(
    tx: &mut PgConnection,
    stream: Stream,
    batch: &[Received],
) -> Result<(), Failure> {
    events::insert(tx, stream, batch).await?;
    if stream == Stream::Users {
        // Of a deleted account only the deletion stays, even if other events of it arrive later.
        let users: Vec<Uuid> = batch.iter().map(|event| event.envelope.subject).collect();
        events::delete_those_of_deleted_accounts(tx, &users).await?;
    }
    Ok(())
}
