//! The progress of operations that other services work on. A service publishes a frame when a run goes on; the
//! frame is the cause to ask it, and its row of the run stays the truth. A frame may be lost, so all runs under
//! way are asked for every few seconds as well.

use std::{collections::BTreeSet, time::Duration};

use async_nats::Message;
use futures_util::StreamExt;
use serde::Deserialize;
use tiffin_bus::{
    BrokerError, Cause,
    history::{Command, Run, RunState},
};
use tiffin_events::subject;
use uuid::Uuid;

use crate::{Error, NAME, State, ask, error::Refusal, operation::Operation, store::operations};

/// The interval at which an operation is refreshed while its run goes on.
const EVERY: Duration = Duration::from_millis(500);

/// Follows the progress that services publish, until the stop. Processes of this service share the frames.
pub async fn follow(state: &State) -> Result<(), Error> {
    let group = NAME.to_owned();
    let client = &state.broker.client;
    let frames = client.queue_subscribe(subject::EVERY_RUN, group).await;
    let mut frames = frames.map_err(BrokerError::from)?;
    let mut tick = tokio::time::interval(EVERY);
    let mut going_on = BTreeSet::new();
    loop {
        tokio::select! {
            () = state.stop.cancelled() => return Ok(()),
            frame = frames.next() => {
                let frame = frame.ok_or(BrokerError::Ended("the subscription"))?;
                match read(&frame) {
                    Some((id, RunState::Running | RunState::Paused)) => drop(going_on.insert(id)),
                    Some((id, _)) => refresh_one(state, id).await?,
                    None => {}
                }
            }
            _ = tick.tick() => {
                for id in std::mem::take(&mut going_on) {
                    refresh_one(state, id).await?;
                }
            }
        }
    }
}

/// The run and its state; `None` for an event of a live replay.
fn read(message: &Message) -> Option<(Uuid, RunState)> {
    #[derive(Deserialize)]
    struct Progress {
        state: RunState,
    }
    let id = subject::id_of_run(&message.subject)?;
    let Progress { state } = serde_json::from_slice(&message.payload).ok()?;
    Some((id, state))
}

async fn refresh_one(state: &State, id: Uuid) -> Result<(), Error> {
    let mut connection = state.pool.acquire().await?;
    let found = operations::find(&mut connection, id).await?;
    drop(connection);
    match found {
        Some(operation) => refresh_there(state, operation).await,
        None => Ok(()),
    }
}

/// Refreshes all operations under way.
pub async fn refresh_all(state: &State) -> Result<(), Error> {
    let mut connection = state.pool.acquire().await?;
    let under_way = operations::under_way(&mut connection).await?;
    drop(connection);
    for operation in under_way {
        refresh_there(state, operation).await?;
    }
    Ok(())
}

/// Refreshes an operation, unless its service is away.
async fn refresh_there(state: &State, operation: Operation) -> Result<(), Error> {
    match refresh(state, operation).await {
        Ok(_) | Err(Error::Refused(Refusal::Away(_))) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Asks the service for the progress of an operation, and saves it.
pub async fn refresh(state: &State, operation: Operation) -> Result<Operation, Error> {
    let (Some(service), true) = (&operation.service, operation.is_under_way()) else {
        return Ok(operation);
    };
    let asked = Command::Status { id: operation.id };
    let run = match ask::run(&state.broker, service, &asked).await {
        Ok(run) => run,
        // The service does not know the operation, so it will never end there.
        Err(Error::Refused(Refusal::ByService(reason))) => {
            return note(state, operation, |it| {
                it.state = RunState::Failed;
                it.report = Some(serde_json::json!({ "error": reason }));
            })
            .await;
        }
        Err(error) => return Err(error),
    };
    note(state, operation, |it| take(it, run)).await
}

fn take(operation: &mut Operation, run: Run) {
    operation.state = run.state;
    operation.total = run.total;
    operation.handled = run.handled;
    operation.skipped = run.skipped;
    operation.failed = run.failed;
    operation.report = run.report;
}

/// Changes an operation, with this service as the cause.
pub async fn note(
    state: &State,
    operation: Operation,
    step: impl FnOnce(&mut Operation),
) -> Result<Operation, Error> {
    let mut tx = state.pool.begin().await?;
    let cause = Cause::service(NAME);
    let changed = operations::change(&mut tx, state, &cause, operation.id, step).await?;
    tx.commit().await?;
    Ok(changed.unwrap_or(operation))
}
