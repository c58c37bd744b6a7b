//! Keeps the event log: every stream of history, a batch a statement.

use futures_util::future::BoxFuture;
use sqlx::PgConnection;
use tiffin_bus::{BatchConsumer, BatchHandler, Failure, Received};
use tiffin_events::{Stream, user::UserEvent};

use crate::{NAME, State, store::events};

/// The service's batched consumers: `operator_ORDERS`, `operator_USERS` and so on.
pub fn batches(state: &State) -> Vec<BatchConsumer> {
    Stream::ALL
        .into_iter()
        .filter(|stream| stream.is_history())
        .map(|stream| {
            BatchConsumer::new(NAME, stream, state.pool.clone(), Keep(stream)).from_the_first()
        })
        .collect()
}

/// Copies a stream's events.
struct Keep(Stream);

impl BatchHandler for Keep {
    fn handle<'a>(
        &'a self,
        tx: &'a mut PgConnection,
        batch: &'a [Received],
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(take(tx, self.0, batch))
    }
}

/// Takes a stream's events into the log.
pub async fn take(
    tx: &mut PgConnection,
    stream: Stream,
    batch: &[Received],
) -> Result<(), Failure> {
    events::keep(tx, stream, batch).await?;
    for event in batch {
        // What they were is forgotten; that they are gone stays.
        if let Ok(Some(UserEvent::Deleted(user))) = event.decode::<UserEvent>() {
            events::forget(tx, user.user_id.0, event.envelope.id).await?;
        }
    }
    Ok(())
}
