//! The progress of operations that other services work on.

use std::time::Duration;

use tiffin_bus::{
    Cause,
    history::{self, Command, OperationState},
};

use crate::{
    Error, NAME, State, error::Refusal, operation::Operation, services, store::operations,
};

/// The interval of asking services for the progress of operations.
const REFRESH_INTERVAL: Duration = Duration::from_millis(500);
/// The interval of polls for operations that another process has begun, while none is under way.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// Refreshes all operations under way, until the stop.
pub async fn refresh_until_stop(state: &State) {
    while !state.stop.is_cancelled() {
        let interval = match refresh_all(state).await {
            Ok(0) => POLL_INTERVAL,
            Ok(_) => REFRESH_INTERVAL,
            Err(error) => {
                tracing::debug!(%error, "the progress of operations can't be read; trying again");
                REFRESH_INTERVAL
            }
        };
        tokio::select! {
            () = state.stop.cancelled() => {}
            () = state.begun.notified() => {}
            () = tokio::time::sleep(interval) => {}
        }
    }
}

/// Refreshes all operations under way. Returns how many there were.
async fn refresh_all(state: &State) -> Result<usize, Error> {
    let mut connection = state.pool.acquire().await?;
    let under_way = operations::under_way(&mut connection).await?;
    drop(connection);
    let count = under_way.len();
    for operation in under_way {
        match refresh(state, operation).await {
            Ok(_) | Err(Error::Refused(Refusal::ServiceUnavailable { .. })) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(count)
}

/// Asks the service for the progress of an operation, and saves it.
pub async fn refresh(state: &State, operation: Operation) -> Result<Operation, Error> {
    let (Some(service), true) = (&operation.service, operation.is_under_way()) else {
        return Ok(operation);
    };
    let command = Command::Status { id: operation.id };
    let progress = match services::send_for_progress(&state.broker, service, &command).await {
        Ok(progress) => progress,
        // The service does not know the operation, so it will never end there.
        Err(Error::Refused(Refusal::ByService { reason })) => {
            return save(state, operation, |it| {
                it.state = OperationState::Failed;
                it.report = Some(serde_json::json!({ "error": reason }));
            })
            .await;
        }
        Err(error) => return Err(error),
    };
    save(state, operation, |it| apply(it, progress)).await
}

fn apply(operation: &mut Operation, progress: history::Operation) {
    operation.state = progress.state;
    operation.total = progress.total;
    operation.handled = progress.handled;
    operation.skipped = progress.skipped;
    operation.failed = progress.failed;
    operation.report = progress.report;
}

/// Changes an operation, with this service as the cause.
pub async fn save(
    state: &State,
    operation: Operation,
    step: impl FnOnce(&mut Operation),
) -> Result<Operation, Error> {
    let mut tx = tiffin_database::begin(&state.pool).await?;
    let cause = Cause::service(NAME);
    let changed = operations::change(&mut tx, state, &cause, operation.id, step).await?;
    tx.commit().await?;
    Ok(changed.unwrap_or(operation))
}
