//! The service's background tasks, and the progress of operations that other services work on.

use std::time::Duration;

use tiffin_bus::{
    Cause,
    control::{Command, Run, RunState},
};

use tiffin_chassis::Work;

use crate::{
    Error, NAME, State, ask, dead_letters, error::Refusal, import, operation::Operation, running,
    search_words, store::operations,
};

/// The interval between questions to the services.
const EVERY: Duration = Duration::from_millis(500);
/// The interval between looks for closed accounts that wait for a dead letter, imports whose next call
/// does not come, and events without search words.
const LETTERS: Duration = Duration::from_secs(5);

/// The tasks that run until the stop.
pub fn tasks(state: &State) -> Vec<Work> {
    let state = || state.clone();
    vec![
        Work::new("operator operations", state(), |state| async move {
            again_and_again(
                &state,
                EVERY,
                "the progress of operations can't be read; trying again",
                look,
            )
            .await;
        }),
        Work::new("operator letters", state(), |state| async move {
            again_and_again(
                &state,
                LETTERS,
                "dead letters of closed accounts can't be discarded; trying again",
                dead_letters::make_way,
            )
            .await;
        }),
        Work::new("operator imports", state(), |state| async move {
            again_and_again(
                &state,
                LETTERS,
                "abandoned imports can't be ended; trying again",
                import::end_those_left,
            )
            .await;
        }),
        Work::new("operator words", state(), |state| async move {
            let failing = "search words can't be filled in; trying again";
            again_and_again(&state, LETTERS, failing, search_words::read_the_rest).await;
        }),
        Work::new("operator runs", state(), |state| async move {
            running::hold(&state).await;
        }),
    ]
}

/// Repeats `step` until the stop. A failed step is logged and tried again.
async fn again_and_again(
    state: &State,
    every: Duration,
    failing: &str,
    step: impl AsyncFn(&State) -> Result<(), Error>,
) {
    while !state.stop.is_cancelled() {
        if let Err(error) = step(state).await {
            tracing::debug!(%error, "{failing}");
        }
        tokio::select! {
            () = state.stop.cancelled() => {}
            () = tokio::time::sleep(every) => {}
        }
    }
}

async fn look(state: &State) -> Result<(), Error> {
    let mut connection = state.pool.acquire().await?;
    let under_way = operations::under_way(&mut connection).await?;
    drop(connection);
    for operation in under_way {
        match refresh(state, operation).await {
            Ok(_) | Err(Error::Refused(Refusal::Away(_))) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
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
