//! The tasks of this process: replays to browsers, and rebuilds of the event log.

use std::time::Duration;

use serde_json::{Value, json};
use tiffin_bus::history::OperationState;
use tiffin_chassis::repeat::repeat;
use tiffin_events::subject;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{Error, State, import, operation::Operation, progress, store::operations};

/// The interval at which a process reports its tasks.
const EVERY: Duration = Duration::from_secs(3);
/// The silence after which a process counts as gone.
const GONE_AFTER: Duration = Duration::from_secs(15);

/// Registers a task. It must finish with [`end`], and soon after the returned token is cancelled.
pub fn begin(state: &State, id: Uuid) -> CancellationToken {
    let stop = state.stop.child_token();
    if let Ok(mut running) = state.running.lock() {
        running.insert(id, stop.clone());
    }
    stop
}

/// Stops a task of this process. A task of another process stops when it next saves its progress.
pub fn stop(state: &State, id: Uuid) {
    if let Ok(running) = state.running.lock()
        && let Some(stop) = running.get(&id)
    {
        stop.cancel();
    }
}

/// Saves the progress and sends it to watchers.
pub async fn note(
    state: &State,
    operation: Operation,
    step: impl FnOnce(&mut Operation),
) -> Result<Operation, Error> {
    let noted = progress::note(state, operation, step).await?;
    send(state, noted.id, &progress(&noted)).await;
    Ok(noted)
}

/// Saves the end, unless an operator has ended it.
pub async fn end(state: &State, operation: Operation, step: impl FnOnce(&mut Operation)) {
    let id = operation.id;
    if let Ok(mut running) = state.running.lock() {
        running.remove(&id);
    }
    let noted = note(state, operation, |it| {
        if it.is_under_way() {
            step(it);
        }
    });
    if let Err(error) = noted.await {
        tracing::warn!(%error, operation = %id, "the end of an operation was not saved");
    }
}

/// Reports every few seconds which tasks this process works on, and marks the tasks of processes that are
/// gone as failed. After the stop it waits for the tasks of this process.
pub async fn hold(state: &State) {
    repeat(EVERY, &state.stop, || async {
        if let Err(error) = look(state).await {
            tracing::debug!(%error, "the running tasks can't be reported; trying again");
        }
    })
    .await;
    state.tasks.close();
    state.tasks.wait().await;
}

async fn look(state: &State) -> Result<(), Error> {
    let own: Vec<Uuid> = match state.running.lock() {
        Ok(running) => running.keys().copied().collect(),
        Err(_) => Vec::new(),
    };
    let mut connection = state.pool.acquire().await?;
    operations::see(&mut connection, &own).await?;
    // An import is left out: any process may take its next call.
    let seconds = GONE_AFTER.as_secs_f64();
    let mut left = Vec::new();
    for id in operations::left(&mut connection, seconds, import::VERB).await? {
        left.extend(operations::find(&mut connection, id).await?);
    }
    drop(connection);
    for operation in left {
        progress::note(state, operation, |it| {
            if it.is_under_way() {
                it.state = OperationState::Failed;
                it.report = Some(json!({ "error": "The process that worked on it is gone." }));
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
