//! The operations that this process works on: replays to browsers, rebuilds of the event log, checks of the
//! audit.

use std::time::Duration;

use serde_json::{Value, json};
use tiffin_bus::history::OperationState;
use tiffin_chassis::repeat::repeat;
use tiffin_events::subject;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{Error, State, import, operation::Operation, progress, store::operations};

/// The interval at which a process reports its operations.
const REPORT_INTERVAL: Duration = Duration::from_secs(3);
/// The silence after which a process counts as gone.
const PROCESS_TIMEOUT: Duration = Duration::from_secs(15);

/// Registers an operation. It must finish with [`end`], and soon after the returned token is cancelled.
pub fn begin(state: &State, id: Uuid) -> CancellationToken {
    let stop = state.stop.child_token();
    if let Ok(mut running) = state.running.lock() {
        running.insert(id, stop.clone());
    }
    stop
}

/// Stops an operation of this process. One of another process stops when it next saves its progress.
pub fn stop(state: &State, id: Uuid) {
    if let Ok(running) = state.running.lock()
        && let Some(stop) = running.get(&id)
    {
        stop.cancel();
    }
}

/// Saves the progress and sends it to watchers.
pub async fn save_progress(
    state: &State,
    operation: Operation,
    step: impl FnOnce(&mut Operation),
) -> Result<Operation, Error> {
    let saved = progress::save(state, operation, step).await?;
    send(state, saved.id, &progress(&saved)).await;
    Ok(saved)
}

/// Saves the end, unless an operator has ended it.
pub async fn end(state: &State, operation: Operation, step: impl FnOnce(&mut Operation)) {
    let id = operation.id;
    if let Ok(mut running) = state.running.lock() {
        running.remove(&id);
    }
    let saved = save_progress(state, operation, |it| {
        if it.is_under_way() {
            step(it);
        }
    });
    if let Err(error) = saved.await {
        tracing::warn!(%error, operation = %id, "the end of an operation was not saved; it will be marked as failed");
    }
}

/// Reports every few seconds which operations this process works on, and marks the operations of processes
/// that are gone as failed. After the stop it waits for the operations of this process.
pub async fn supervise(state: &State) {
    repeat(REPORT_INTERVAL, &state.stop, async || {
        if let Err(error) = report(state).await {
            tracing::debug!(%error, "the operations of this process can't be reported; trying again");
        }
    })
    .await;
    state.tasks.close();
    state.tasks.wait().await;
}

async fn report(state: &State) -> Result<(), Error> {
    let own: Vec<Uuid> = match state.running.lock() {
        Ok(running) => running.keys().copied().collect(),
        Err(_) => Vec::new(),
    };
    let mut connection = state.pool.acquire().await?;
    operations::mark_seen(&mut connection, &own).await?;
    // An import is left out: any process may take its next call.
    let seconds = PROCESS_TIMEOUT.as_secs_f64();
    let mut abandoned = Vec::new();
    for id in operations::abandoned(&mut connection, seconds, import::VERB).await? {
        abandoned.extend(operations::find(&mut connection, id).await?);
    }
    drop(connection);
    for operation in abandoned {
        progress::save(state, operation, |it| {
            if it.is_under_way() {
                it.state = OperationState::Failed;
                it.report = Some(
                    json!({ "error": "The process that worked on it has ended: begin it again." }),
                );
            }
        })
        .await?;
    }
    Ok(())
}

/// The progress, in the form that browsers get.
pub fn progress(operation: &Operation) -> Value {
    json!({
        "type": "progress", "topic": format!("replay:{}", operation.id),
        "state": operation.state, "total": operation.total, "handled": operation.handled,
        "skipped": operation.skipped, "failed": operation.failed,
    })
}

/// Sends a frame to watchers.
pub async fn send(state: &State, id: Uuid, frame: &Value) {
    let body = frame.to_string().into();
    if let Err(error) = state
        .broker
        .client
        .publish(subject::operation(id), body)
        .await
    {
        tracing::debug!(%error, "the progress of a replay was not published");
    }
}
