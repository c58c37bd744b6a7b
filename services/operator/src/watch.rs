//! Follows what takes time until it ends.

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

/// How often it asks.
const EVERY: Duration = Duration::from_millis(500);
/// How often it looks whether a closed account waits for a dead letter, an import for a call that does not
/// come, or an event to be read.
const LETTERS: Duration = Duration::from_secs(5);

/// What runs until the stop.
pub fn tasks(state: &State) -> Vec<Work> {
    let state = || state.clone();
    vec![
        Work::new("operator operations", state(), |state| async move {
            again_and_again(&state, EVERY, "operations can't be followed", look).await;
        }),
        Work::new("operator letters", state(), |state| async move {
            again_and_again(
                &state,
                LETTERS,
                "closed accounts wait",
                dead_letters::make_way,
            )
            .await;
        }),
        Work::new("operator imports", state(), |state| async move {
            again_and_again(&state, LETTERS, "imports wait", import::end_those_left).await;
        }),
        Work::new("operator words", state(), |state| async move {
            let failing = "events can't be read for their words";
            again_and_again(&state, LETTERS, failing, search_words::read_the_rest).await;
        }),
        Work::new("operator runs", state(), |state| async move {
            running::hold(&state).await;
        }),
    ]
}

/// Does something until the stop; what fails comes again.
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

/// Asks the service how far an operation is, and notes it.
pub async fn refresh(state: &State, operation: Operation) -> Result<Operation, Error> {
    let (Some(service), true) = (&operation.service, operation.is_under_way()) else {
        return Ok(operation);
    };
    let asked = Command::Status { id: operation.id };
    let run = match ask::run(&state.broker, service, &asked).await {
        Ok(run) => run,
        // It was never begun there: this process died between noting it and asking.
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

/// Changes an operation on this service's own account.
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
