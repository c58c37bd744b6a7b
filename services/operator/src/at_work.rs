//! What this process works on itself: replays to browsers, and rebuilds of the event log.

use serde_json::{Value, json};
use tiffin_bus::control::RunState;
use tiffin_events::subject;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{Error, State, import, operation::Operation, store::operations, watch};

/// Begins; it is to end with [`end`], and soon once the token is cancelled.
pub fn begin(state: &State, id: Uuid) -> CancellationToken {
    let stop = state.stop.child_token();
    if let Ok(mut at_work) = state.at_work.lock() {
        at_work.insert(id, stop.clone());
    }
    stop
}

/// Stops something; what runs in another process stops there with its next note.
pub fn stop(state: &State, id: Uuid) {
    if let Ok(at_work) = state.at_work.lock()
        && let Some(stop) = at_work.get(&id)
    {
        stop.cancel();
    }
}

/// Notes how far it is, and tells whoever watches.
pub async fn note(
    state: &State,
    operation: Operation,
    step: impl FnOnce(&mut Operation),
) -> Result<Operation, Error> {
    let noted = watch::note(state, operation, step).await?;
    tell(state, noted.id, &progress(&noted)).await;
    Ok(noted)
}

/// Notes its end, unless somebody has ended it.
pub async fn end(state: &State, operation: Operation, step: impl FnOnce(&mut Operation)) {
    let id = operation.id;
    if let Ok(mut at_work) = state.at_work.lock() {
        at_work.remove(&id);
    }
    let noted = note(state, operation, |it| {
        if it.is_under_way() {
            step(it);
        }
    });
    if let Err(error) = noted.await {
        tracing::warn!(%error, operation = %id, "its end was not noted");
    }
}

/// Marks what another process left, and waits for the work of this one until the stop.
pub async fn hold(state: &State) {
    if let Err(error) = interrupted(state).await {
        tracing::warn!(%error, "what a process that is gone left is not marked");
    }
    state.stop.cancelled().await;
    state.tasks.close();
    state.tasks.wait().await;
}

/// Ends what a process left that is gone.
async fn interrupted(state: &State) -> Result<(), Error> {
    let mut connection = state.pool.acquire().await?;
    let left = operations::under_way(&mut connection).await?;
    drop(connection);
    // An import goes on with its next call, whichever process takes that.
    let own = |left: &Operation| left.service.is_none() && left.verb != import::VERB;
    for operation in left.into_iter().filter(own) {
        watch::note(state, operation, |it| it.state = RunState::Failed).await?;
    }
    Ok(())
}

/// How far something is, as a browser is told.
pub fn progress(operation: &Operation) -> Value {
    json!({
        "type": "progress", "topic": format!("replay:{}", operation.id),
        "state": operation.state, "total": operation.total, "handled": operation.handled,
        "skipped": operation.skipped, "failed": operation.failed,
    })
}

/// Sends a frame to whoever watches.
pub async fn tell(state: &State, id: Uuid, frame: &Value) {
    let body = frame.to_string().into();
    if let Err(error) = state.broker.client.publish(subject::run(id), body).await {
        tracing::debug!(%error, "nobody was told of a replay");
    }
}
